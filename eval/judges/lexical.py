"""The offline judge: words in common, and nothing that contradicts."""

import math
from dataclasses import field
from typing import Annotated

import regex
from pydantic import Field

from eval.component import component
from eval.judges.evidence import Evidence, Sentence, analysed, evidence_in
from eval.records import Judgement, Statement, Unscored
from eval.refusals import is_refusal, kind_of
from eval.text.analyzer import Analyzer
from eval.text.marks import marked_for_splitting, without_citations
from eval.text.sentences import sentence_spans

_LONE_NUMBER = regex.compile(r"\d{1,2}[.)、]")  # opens an item; an answer that is nothing else is kept
_NEARLY_THE_SAME = 0.8  # share of a statement's terms in one sentence from which a negation in only one of them counts


@component
class LexicalJudge:
    """Calls a statement supported when some ``window`` neighbouring sentences of the context hold at least
    ``min_overlap`` of its content terms, and no number, date, code or negation of it contradicts them.

    A window, because in a long context any word occurs somewhere: without one, scores would rise with the budget.
    Deterministic, offline, without a model. It can't see a paraphrase in other words (called unsupported), nor
    an invention made of the context's own words, such as who did what to whom (called supported).
    """

    min_overlap: Annotated[float, Field(ge=0, le=1)] = 0.6
    window: Annotated[int, Field(ge=1)] = 8
    analyzer: Analyzer = field(default_factory=Analyzer)

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """One statement per sentence of ``answer``, verbatim; a refusal has none."""
        if is_refusal(answer):
            return Judgement(refused=True, statements=(), relevancy=0.0)
        evidence = evidence_in(context, self.analyzer, self.window)
        statements = tuple(self._statement(text, evidence) for text in statements_of(answer))
        return Judgement(refused=False, statements=statements, relevancy=self._relevancy(question, answer))

    def _statement(self, text: str, evidence: Evidence) -> Statement:
        kind = kind_of(text)
        if kind == "refusal":
            return Statement(text, "undecidable", "says what the sources do not hold")
        statement = analysed(text, self.analyzer)
        if not statement.terms and not statement.figures:
            return Statement(text, "undecidable", "no content words")
        share = evidence.share(statement.terms)
        if objection := self._objection(statement, share, evidence):
            # an apology or an offer of help claims nothing, but where the context says it, it is an answer
            return Statement(text, "undecidable" if kind == "courtesy" else "unsupported", objection)
        return Statement(text, "supported", f"overlap {share:.2f}")

    def _objection(self, statement: Sentence, share: float, evidence: Evidence) -> str:
        """Why the statement is not supported, in few words; empty if it is."""
        if not share or share < self.min_overlap:
            return f"overlap {share:.2f} below {self.min_overlap:.2f}"
        return _missing_figure(statement, self.min_overlap, evidence) or _denial(statement, evidence)

    def _relevancy(self, question: str, answer: str) -> float:
        """How alike question and answer are: |Q∩A| / sqrt(|Q|·|A|) over their content terms (Ochiai 1957).

        A proxy: an answer in other words than the question's is right and scores low ("When is payday?", "On the
        25th"), and one that repeats the question without answering scores high.
        """
        asked = set(self.analyzer.content_terms(question))
        said = set(self.analyzer.content_terms(without_citations(answer)))
        return len(asked & said) / math.sqrt(len(asked) * len(said)) if asked and said else 0.0


def statements_of(answer: str) -> list[str]:
    """The sentences of ``answer`` as they stand there; a citation belongs to the sentence that it follows."""
    found = (answer[start:end].strip() for start, end in sentence_spans(marked_for_splitting(answer)))
    pieces = [sentence for sentence in found if sentence]
    return [piece for piece in pieces if not _LONE_NUMBER.fullmatch(piece)] or pieces


def _missing_figure(statement: Sentence, min_overlap: float, evidence: Evidence) -> str:
    """The first figure that the supporting windows do not hold."""
    near = evidence.readings(statement.terms, min_overlap)
    for figure in statement.figures:
        if figure.readings & near:
            continue
        # a statement that is a figure and nothing else is about that figure, in a word or not
        full = figure.force == "full" or not statement.terms
        if full or (figure.force == "soft" and _replaces(statement, evidence)):
            return f"number {figure.written} is not in the context"
    return ""


def _replaces(statement: Sentence, evidence: Evidence) -> bool:
    """Whether the closest sentence gives another number where the statement has a small one in a word."""
    closest = evidence.closest(statement)
    return bool(closest) and all(sentence.readings - statement.readings for sentence in closest)


def _denial(statement: Sentence, evidence: Evidence) -> str:
    """The closest sentence, if it says nearly the same and it alone, or the statement alone, is negated."""
    closest = evidence.closest(statement)
    if closest and all(_opposed(statement, sentence) for sentence in closest):
        return f"negated against: {closest[0].text}"
    return ""


def _opposed(one: Sentence, other: Sentence) -> bool:
    mine, theirs = one.polarity, other.polarity
    if mine.negative == theirs.negative:
        return False
    if len(mine.affirmed & theirs.affirmed) < _NEARLY_THE_SAME * len(mine.affirmed):
        return False
    return bool(mine.negated & theirs.affirmed or theirs.negated & mine.affirmed)
