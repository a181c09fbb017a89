"""What a sentence denies: the content words that stand right behind a negation."""

from dataclasses import dataclass

import regex

from eval.text.analyzer import Analyzer, normalise

_ENGLISH = regex.compile(
    r"(?:\b(?:not|never|without|neither|nor|none|nobody|cannot|no)|n't)\b"
    # "No, …" answers, "no later than" bounds
    r"(?<!\bno\b(?=\s*[,.;:!?]|\s+(?:later|more|less|longer|fewer|sooner|earlier|doubt|matter|one)\b))"
    r"(?!\s+(?:only|just|merely|least|necessarily|always)\b)(?P<scope>[^,.;:!?()]*)"
)
_CHINESE = regex.compile(
    r"(?:没有|并非|禁止|不得(?!不)|不会|不能|不可(?!或缺|避免|分)|不是|不|没(?!收|落)|未(?!来|必|婚|免|成年)"
    r"|无(?!论|线|锡|疑|数|人|限|名)|非(?!常|洲|法|凡)|勿|免(?=费|收))"
    # 是不是, 对不起 … hold a negation and deny nothing
    r"(?<!是不是)(?<!有没有)(?<!对不)(?<!差不)(?<!了不)(?<!除非)(?<!南非)(?<!莫非)(?<!是非)(?<!沉没)(?<!淹没)(?<!出没)"
    r"(?!仅|但|只|光|同|断|过(?!期)|久|少|止|论|管|禁|妨|惜|错|良|足|如|锈钢|动产|起|已|满)(?P<scope>[^\s,.;:!?。、]*)"
)
# Words that deny without a negation: "avoid it" and "do not do it" say the same.
_IMPLICIT = regex.compile(
    r"\b(?:avoid|lack|prevent|refuse|fail|forbid|prohibit|unable|impossible|unless|otherwise|hardly|rarely|little|few|"
    r"den(?:y|ie)|reject|stop|minimi[sz]e|absence|missing|rather than|instead of|except)\w*|\bnon-?\w{3,}"
    r"|避免|防止|拒绝|缺乏|缺少|失败|除非|以免|杜绝|严禁"
)
_CHINESE_REACH = 3  # pairs of neighbours looked at behind a Chinese negation: about two words


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a sentence denies.

    ``negated`` are the content terms right behind a negation: the first in English, the first few in Chinese.
    ``affirmed`` are all its content terms once the negations are taken out, so that a sentence and its denial have
    the same. ``negative`` says whether it denies anything, by a negation or by a word that holds one.
    """

    negated: frozenset[str]
    affirmed: frozenset[str]
    negative: bool


def polarity(text: str, analyzer: Analyzer) -> Polarity:
    """The polarity of one sentence."""
    plain = normalise(text)
    negated: set[str] = set()
    for pattern, reach in ((_ENGLISH, 1), (_CHINESE, _CHINESE_REACH)):
        for match in pattern.finditer(plain):
            negated.update(analyzer.content_terms(match["scope"])[:reach])
    affirmed = _CHINESE.sub(r"\g<scope>", _ENGLISH.sub(r"\g<scope>", plain))
    negative = any(pattern.search(plain) for pattern in (_ENGLISH, _CHINESE, _IMPLICIT))
    return Polarity(frozenset(negated), frozenset(analyzer.content_terms(affirmed)), negative)
