"""The quick ways through a text give the terms that the plain rule gives."""

import random

import regex
import Stemmer
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.text.analyzer import Analyzer, normalise
from eval.text.scripts import UNSPACED

_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{UNSPACED}]]"
_PLAIN = regex.compile(rf"([{UNSPACED}]+)|({_WORD}+(?:[-./'+:@]{_WORD}+)*)", regex.VERSION1)
_ODD = (
    "abzAZ09_-./'+:@ ,’\n\u00e9e\u0301\u0bbf年假カーก๏ลາວ\u1000\u103a①Ⅷ½ß²İıﬁＡ😀\u200d\u0660अ\u093f한글ー々〇\ufeff·"
)


def by_the_rule(text: str, stemmer: str) -> list[str]:
    """Each run in turn: characters and pairs, or a word, with its parts where it has any."""
    terms: list[str] = []
    for characters, word in _PLAIN.findall(normalise(text)):
        parts = regex.split(r"[-./+:@]", word)
        if characters:
            terms += [*characters, *(characters[i : i + 2] for i in range(len(characters) - 1))]
        elif len(parts) == 1:
            terms.append(word)
        else:
            terms += [word, *parts] if regex.search(r"\d", word) else parts
    return [str(term) for term in Stemmer.Stemmer(stemmer, 0).stemWords(terms)]


@settings(max_examples=100, deadline=None)
@given(text=st.text(alphabet=st.one_of(st.sampled_from(_ODD), st.characters(exclude_categories=["Cs"])), max_size=30))
def test_the_terms_of_any_text_follow_the_rule(text: str) -> None:
    for stemmer in ("english", "turkish"):
        assert Analyzer(stemmer=stemmer).terms(text) == by_the_rule(text, stemmer)


def test_a_word_that_is_met_again_has_the_same_terms() -> None:
    analyzer = Analyzer()
    assert analyzer.terms("Approvals X-900 approvals") == analyzer.terms("Approvals X-900 approvals")
    assert Analyzer(stemmer=None).terms("approvals") == ["approvals"]
    assert Analyzer(stemmer="german").terms("approvals") == by_the_rule("approvals", "german")


def test_no_stemmer_changes_scripts_without_blanks() -> None:
    unspaced = regex.compile(rf"[{UNSPACED}]", regex.VERSION1)
    characters = [chr(code) for code in range(0x20000) if unspaced.match(chr(code))]
    draw = random.Random(0)  # noqa: S311 - no secret
    runs = ["".join(draw.choices(characters, k=draw.randint(1, 5))) for _ in range(3000)]
    for algorithm in Stemmer.algorithms():
        assert Stemmer.Stemmer(algorithm, 0).stemWords(runs) == runs
