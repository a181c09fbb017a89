"""What every judge does alike: an answer cut into statements, those that claim nothing, and the proxy for relevancy."""

import math

import regex

from eval.refusals import kind_of
from eval.text.analyzer import Analyzer
from eval.text.marks import bare, marked_for_splitting, without_citations, without_openers
from eval.text.sentences import sentence_spans

_LONE_NUMBER = regex.compile(r"\d{1,2}[.)、]")  # opens an item; an answer that is nothing else is kept
_ASKS = regex.compile(r"[?？][\"'”’」』)）*\s]*$")
_LEADS_IN = regex.compile(r"[:：][*_\s]*$")


# The first row of a table and the line under it.
_TABLE_HEAD = regex.compile(r"\s*\|?[^\n]*\|[^\n]*\n\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_TABLE_RULE = regex.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_NAMES_SOURCES = regex.compile(
    r"(?:sources?|references?|citations?|quellen?|fuentes?|fonti|fonte|bronn?en|来源|资料来源|参考(?:资料|文献|来源)?|出处|引用)"
    r"\s*[:：](?:[\s,;、]*+[\w#./-]++){0,8}+[\s.,;、]*",
    regex.IGNORECASE,
)
_HEADING = regex.compile(r"\s*(?:#{1,6}\s[^\n]*|\*\*[^*\n]+\*\*[:：]?|__[^_\n]+__[:：]?)\s*")
_ENDS = regex.compile(r"[.!?。！？]\W*$|\d")
_LONGEST_HEADING = 6  # words, or pairs of Chinese characters


def statements_of(answer: str) -> list[str]:
    """The sentences of ``answer`` as they stand there; a citation belongs to the sentence that it follows.

    The head of a table is one with the line under it.
    """
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(marked_for_splitting(answer)):
        under_head = spans and "|" in answer[slice(*spans[-1])] and _TABLE_RULE.fullmatch(answer[start:end].strip())
        spans.append((spans.pop()[0] if under_head else start, end))
    pieces = [sentence for start, end in spans if (sentence := answer[start:end].strip())]
    return [piece for piece in pieces if not _LONE_NUMBER.fullmatch(piece)] or pieces


def claims_nothing(statement: str, context: str, analyzer: Analyzer) -> str:
    """Why ``statement`` is undecidable; empty if it claims something. A question claims nothing, unless quoted."""
    if kind_of(statement) == "refusal":
        return "says what the sources do not hold"
    if _TABLE_HEAD.fullmatch(statement):
        return "heads a table"
    if _NAMES_SOURCES.fullmatch(bare(statement)):
        return "names its sources"
    if _ASKS.search(statement) and bare(statement) not in context:
        return "asks, and states nothing"
    return "" if analyzer.content_terms(without_openers(bare(statement))) else "no content words"


def may_claim_nothing(statement: str) -> str:
    """Why ``statement`` is undecidable where the context does not support it; empty if it is unsupported then.

    An apology or an offer of help claims nothing, but where the context says it, it is an answer.
    """
    if kind_of(statement) == "courtesy":
        return "courtesy"
    if _is_heading(statement):
        return "a heading"
    return "only leads in to what follows" if _LEADS_IN.search(statement) else ""


def _is_heading(statement: str) -> bool:
    """A line marked as one that is short and gives no figure: a bold sentence is a claim."""
    if not _HEADING.fullmatch(statement):
        return False
    text = bare(statement)
    length = len(regex.findall(r"\p{Han}{1,2}|[^\s\p{Han}]+", text))
    return length <= _LONGEST_HEADING and not _ENDS.search(text)


def relevancy(question: str, answer: str, analyzer: Analyzer) -> float:
    """How alike question and answer are: |Q∩A| / sqrt(|Q|·|A|) over their content terms (Ochiai 1957).

    A proxy: an answer in other words than the question's is right and scores low ("When is payday?", "On the
    25th"), and one that repeats the question without answering scores high.
    """
    asked = set(analyzer.content_terms(question))
    said = set(analyzer.content_terms(without_citations(answer)))
    return len(asked & said) / math.sqrt(len(asked) * len(said)) if asked and said else 0.0
