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


def statements_of(answer: str) -> list[str]:
    """The sentences of ``answer`` as they stand there; a citation belongs to the sentence that it follows."""
    found = (answer[start:end].strip() for start, end in sentence_spans(marked_for_splitting(answer)))
    pieces = [sentence for sentence in found if sentence]
    return [piece for piece in pieces if not _LONE_NUMBER.fullmatch(piece)] or pieces


def claims_nothing(statement: str, context: str, analyzer: Analyzer) -> str:
    """Why ``statement`` is undecidable; empty if it claims something. A question claims nothing, unless quoted."""
    if kind_of(statement) == "refusal":
        return "says what the sources do not hold"
    if _ASKS.search(statement) and bare(statement) not in context:
        return "asks, and states nothing"
    return "" if analyzer.content_terms(without_openers(bare(statement))) else "no content words"


def may_claim_nothing(statement: str) -> str:
    """Why ``statement`` is undecidable where the context does not support it; empty if it is unsupported then.

    An apology or an offer of help claims nothing, but where the context says it, it is an answer.
    """
    if kind_of(statement) == "courtesy":
        return "courtesy"
    return "only leads in to what follows" if _LEADS_IN.search(statement) else ""


def relevancy(question: str, answer: str, analyzer: Analyzer) -> float:
    """How alike question and answer are: |Q∩A| / sqrt(|Q|·|A|) over their content terms (Ochiai 1957).

    A proxy: an answer in other words than the question's is right and scores low ("When is payday?", "On the
    25th"), and one that repeats the question without answering scores high.
    """
    asked = set(analyzer.content_terms(question))
    said = set(analyzer.content_terms(without_citations(answer)))
    return len(asked & said) / math.sqrt(len(asked) * len(said)) if asked and said else 0.0
