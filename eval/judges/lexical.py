"""The offline judge: words in common, and nothing that contradicts."""

import math
from dataclasses import field
from typing import Annotated

from pydantic import Field

from eval.component import component
from eval.judges.evidence import Evidence, Sentence, analysed, evidence_in
from eval.records import Judgement, Statement, Unscored
from eval.refusals import is_refusal, kind_of
from eval.text.analyzer import Analyzer
from eval.text.marks import marked_for_splitting, without_citations
from eval.text.sentences import sentence_spans

_NEARLY_THE_SAME = 0.8  # share of a statement's terms in one sentence from which a negation in only one of them counts


@component
class LexicalJudge:
    """Calls a statement supported when at least ``min_overlap`` of its content terms occur in the context and no
    number, date, code or negation of it contradicts the context.

    Deterministic, offline, without a model. It can't see a paraphrase in other words (called unsupported), nor
    an invention made of the context's own words: who did what to whom (called supported).
    """

    min_overlap: Annotated[float, Field(ge=0, le=1)] = 0.7
    analyzer: Analyzer = field(default_factory=Analyzer)

    @property
    def name(self) -> str:
        """What the run records."""
        return "lexical"

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """One statement per sentence of ``answer``, verbatim; a refusal has none."""
        if is_refusal(answer):
            return Judgement(refused=True, statements=(), relevancy=0.0)
        evidence = evidence_in(context, self.analyzer)
        statements = tuple(self._statement(text, evidence) for text in _sentences(answer))
        return Judgement(refused=False, statements=statements, relevancy=self._relevancy(question, answer))

    def _statement(self, text: str, evidence: Evidence) -> Statement:
        kind = kind_of(text)
        if kind == "refusal":
            return Statement(text, "undecidable", "says what the sources do not hold")
        statement = analysed(text, self.analyzer)
        if not statement.terms:
            return Statement(text, "undecidable", "no content words")
        if against := self._objection(statement, evidence):
            # an apology or an offer of help claims nothing, but where the context says it, it is an answer
            return Statement(text, "undecidable" if kind == "courtesy" else "unsupported", against)
        return Statement(text, "supported", f"overlap {evidence.share(statement.terms):.2f}")

    def _objection(self, statement: Sentence, evidence: Evidence) -> str:
        """Why the statement is not supported, in few words; empty if it is."""
        share = evidence.share(statement.terms)
        if share < self.min_overlap:
            return f"overlap {share:.2f} below {self.min_overlap:.2f}"
        return _missing_figure(statement, evidence) or _denial(statement, evidence)

    def _relevancy(self, question: str, answer: str) -> float:
        """How alike question and answer are: |Q∩A| / sqrt(|Q|·|A|) over their content terms (Ochiai 1957).

        A proxy: an answer in other words than the question's is right and scores low ("When is payday?", "On the
        25th"), and one that repeats the question without answering scores high.
        """
        asked = set(self.analyzer.content_terms(question))
        said = set(self.analyzer.content_terms(without_citations(answer)))
        return len(asked & said) / math.sqrt(len(asked) * len(said)) if asked and said else 0.0


def _sentences(answer: str) -> list[str]:
    """The sentences of ``answer`` as they stand there; a citation belongs to the sentence that it follows."""
    found = (answer[start:end].strip() for start, end in sentence_spans(marked_for_splitting(answer)))
    return [sentence for sentence in found if sentence]


def _missing_figure(statement: Sentence, evidence: Evidence) -> str:
    for figure in statement.figures:
        if figure.force == "none" or figure.readings & evidence.readings:
            continue
        if figure.force == "full" or _replaces(statement, evidence):
            return f"number {figure.written} is not in the context"
    return ""


def _replaces(statement: Sentence, evidence: Evidence) -> bool:
    """Whether the closest sentence gives another number where the statement has a small one in a word."""
    closest = evidence.closest(statement.terms)
    return bool(closest) and all(sentence.readings - statement.readings for sentence in closest)


def _denial(statement: Sentence, evidence: Evidence) -> str:
    """The closest sentence, if it says nearly the same and it alone, or the statement alone, is negated."""
    closest = evidence.closest(statement.terms)
    if closest and all(_opposed(statement, sentence) for sentence in closest):
        return f"negated against: {closest[0].text}"
    return ""


def _opposed(one: Sentence, other: Sentence) -> bool:
    if len(one.terms & other.terms) < _NEARLY_THE_SAME * len(one.terms) or one.negative == other.negative:
        return False
    return bool(one.negated & other.terms or other.negated & one.terms)
