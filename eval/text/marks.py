"""Marks that surround an answer's words and say nothing themselves: citations, bullets, emphasis."""

import regex

_CITATION = regex.compile(
    r"\[\^?\d+(?:\s*[,;–-]\s*\d+)*\]"  # [2], [1, 3], [^2]
    r"|【[^】\n]{0,40}】|［\d+］"  # 【1】, 【4†source】
    r"|[(（](?:source|quelle|来源|资料)\s*[:：]?\s*\d+[)）]",  # (source 2)
    regex.IGNORECASE,
)
_BULLET = regex.compile(
    r"^\s*(?:[-*+•·▪●○–—]\s+|[-•·●](?=\p{Han})|\(?\d{1,2}[.)、]\s*(?!\d)(?=\s*\S)|（\d{1,2}）|#{1,6}\s+|>\s*)+"
)
_LIST_NUMBER = regex.compile(r"((?:^|\n)[^\S\n]*\d{1,2})\.(?=\s)")
_EMPHASIS = regex.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")


def without_citations(text: str) -> str:
    """``text`` with each citation turned into as many blanks, so that all places stay what they were."""
    return _CITATION.sub(lambda match: " " * len(match[0]), text)


def marked_for_splitting(text: str) -> str:
    """``text`` at its length, without what hides or fakes the end of a sentence: citations, and "1." before an item."""
    return _LIST_NUMBER.sub(r"\1)", without_citations(text))


def bare(sentence: str) -> str:
    """One sentence without its bullet or number, citations and emphasis."""
    return _EMPHASIS.sub("", _BULLET.sub("", without_citations(sentence))).strip()
