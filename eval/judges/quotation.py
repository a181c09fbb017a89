"""Whether a quotation stands in a text: copied faithfully, though not always to the last quotation mark."""

import regex

from eval.text.analyzer import Analyzer, normalise
from eval.text.marks import without_citations
from eval.text.scripts import UNSPACED, language_of

_QUOTATION_MARKS = regex.compile("[\"'`´‘’‚‛“”„‟«»‹›「」『』〝〞〟]")
_DASHES = regex.compile(r"[\p{Pd}−]+")
_EMPHASIS = regex.compile(r"\*+")
_BLANK_IN_UNSPACED = regex.compile(rf"(?<=[{UNSPACED}。、]) | (?=[{UNSPACED}])")
_OMISSION = regex.compile(r"[\[(]\s*(?:\.{3,}|⋯+)\s*[\])]|\.{3,}|⋯+")
_EDGES = " .,;:!?。、"
_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{UNSPACED}]]"
_ANALYZER = Analyzer()


def quoted_from(quotation: str, text: str) -> bool:
    """Whether ``quotation`` stands in ``text``; ``...`` in it stands for what it leaves out between its parts.

    Case, width, kinds of quotation marks and dashes, emphasis, runs of blanks, blanks beside Chinese characters and
    punctuation at a part's ends make no difference. Parts must follow each other in the text, at the bounds of words:
    "4 euro" does not stand in "24 euro". An empty quotation stands nowhere.
    """
    parts = [part for piece in _OMISSION.split(_plain(quotation)) if (part := piece.strip(_EDGES))]
    plain, place = _plain(text), 0
    for part in parts:
        found = _bounded(part).search(plain, place)
        if found is None:
            return False
        place = found.end()
    return bool(parts)


def comparable(sentence: str) -> str:
    """``sentence`` without what makes no difference to ``quoted_from``."""
    return _plain(sentence).strip(_EDGES)


def related(statement: str, quotation: str) -> bool:
    """Whether the two have a content term in common; true where their languages differ, as then they need not."""
    if language_of(statement) != language_of(quotation):
        return True
    stated, quoted = (_ANALYZER.content_terms(without_citations(text)) for text in (statement, quotation))
    return not set(stated).isdisjoint(quoted)


def _plain(text: str) -> str:
    unmarked = _EMPHASIS.sub("", _DASHES.sub("-", _QUOTATION_MARKS.sub("", normalise(text))))
    return _BLANK_IN_UNSPACED.sub("", " ".join(unmarked.split()))


def _bounded(part: str) -> regex.Pattern[str]:
    """Finds ``part`` where no word and no number goes on at its ends; scripts without blanks have no such bounds."""
    before = rf"(?<!{_WORD})(?<!\d[.,])" if regex.match(_WORD, part, regex.VERSION1) else ""
    after = rf"(?!{_WORD})(?![.,]\d)" if regex.match(_WORD, part[-1], regex.VERSION1) else ""
    return regex.compile(f"{before}{regex.escape(part)}{after}", regex.VERSION1, cache_pattern=False)
