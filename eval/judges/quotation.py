"""Whether a quotation stands in a text: copied faithfully, though not always to the last quotation mark."""

from collections.abc import Sequence

import regex

from eval.judges.quoted_words import Words, plain, tokens_of, words_of
from eval.text.analyzer import Analyzer
from eval.text.marks import without_citations
from eval.text.scripts import language_of

_OMISSION = regex.compile(r"\.{3,}|⋯+")
_LETTER = regex.compile(r"\p{L}")
_LINK = regex.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_ANALYZER = Analyzer()


def quoted_from(quotation: str, text: str) -> bool:
    """Whether ``quotation`` stands in ``text``; ``...`` in it stands for what it leaves out between its parts.

    Words, numbers and the signs that bear meaning must follow each other as they do in the text; case, width, blanks,
    punctuation and the marks of Markdown make no difference. Unmarked, a part may leave out only what
    ``eval.judges.leaps`` tells. Parts stand in the order of the text, and neither begin nor end inside a number or
    between it and its sign: "4 euro" does not stand in "24 euro", nor "10" in "-10" or "10 %". An empty quotation
    stands nowhere.
    """
    parts = [tokens for piece in _OMISSION.split(plain(quotation)) if (tokens := tokens_of(piece))]
    words, place = words_of(text), 0
    for part in parts:
        end = _end_of(part, words, place)
        if end is None:
            return False
        place = end
    return bool(parts)


def comparable(sentence: str) -> tuple[str, ...]:
    """The tokens of ``sentence``, which alone make a difference; of a link its text."""
    return tokens_of(plain(_LINK.sub(r"\1", sentence)))


def related(statement: str, quotation: str) -> bool:
    """Whether the two have a content term in common; true where their languages differ, as then they need not."""
    stated, quoted = (_ANALYZER.content_terms(without_citations(text)) for text in (statement, quotation))
    if not set(stated).isdisjoint(quoted):
        return True
    worded = all(_LETTER.search(text) for text in (statement, quotation))  # numbers alone have no language
    return worded and language_of(statement) != language_of(quotation)


def _end_of(part: Sequence[str], words: Words, place: int) -> int | None:
    """The first place where ``part`` ends that begins at ``place`` or later."""
    starts = range(place, len(words.tokens))
    ends = {at + 1 for at in starts if words.tokens[at] == part[0] and at not in words.fixed}
    for token in part[1:]:
        reached = _reached(ends, words)
        ends = {at + 1 for at in reached if at < len(words.tokens) and words.tokens[at] == token}
    return min((end for end in ends if end not in words.fixed), default=None)


def _reached(places: set[int], words: Words) -> set[int]:
    """``places`` and all that leaps lead to from there."""
    found, waiting = set(places), list(places)
    while waiting:
        for place in words.leaps.get(waiting.pop(), ()):
            if place not in found:
                found.add(place)
                waiting.append(place)
    return found
