"""The offline judge: words in common, and nothing that contradicts."""

from dataclasses import field
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from eval.component import component
from eval.records import Judgement, Statement, Unscored
from eval.refusals import is_refusal
from eval.text.analyzer import Analyzer

if TYPE_CHECKING:
    from eval.judges.evidence import Evidence


@component
class LexicalJudge:
    """Calls a statement supported when some ``window`` neighbouring sentences of the context hold at least
    ``min_overlap`` of its content terms, and nothing of what ``eval.judges.contradictions`` looks for speaks against
    it: another number, date, code, unit or name, a denial, a contrary, two parts that changed places.

    A window, because in a long context any word occurs somewhere: without one, scores would rise with the budget.
    Deterministic, offline, without a model. It can't see a paraphrase in other words (called unsupported), nor
    an invention made of the context's own words in a sentence that the context does not have (called supported).
    """

    min_overlap: Annotated[float, Field(ge=0, le=1)] = 0.6
    window: Annotated[int, Field(ge=1)] = 8
    analyzer: Analyzer = field(default_factory=Analyzer)

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """One statement per sentence of ``answer``, verbatim; a refusal has none."""
        # these compile hundreds of patterns, which a run whose judgements are known does not need
        from eval.judges.evidence import evidence_in
        from eval.judges.statements import relevancy, statements_of

        if is_refusal(answer):
            return Judgement(refused=True, statements=(), relevancy=0.0)
        evidence = evidence_in(context, self.analyzer, self.window)
        statements = tuple(self._statement(text, context, evidence) for text in statements_of(answer))
        return Judgement(False, statements, relevancy(question, answer, self.analyzer))

    def _statement(self, text: str, context: str, evidence: "Evidence") -> Statement:
        from eval.judges.contradictions import contradiction
        from eval.judges.evidence import analysed
        from eval.judges.statements import claims_nothing, may_claim_nothing

        if reason := claims_nothing(text, context, self.analyzer):
            return Statement(text, "undecidable", reason)
        statement = analysed(text, self.analyzer)
        share = evidence.share(statement.terms)
        if not share or share < self.min_overlap:
            reason = f"overlap {share:.2f} below {self.min_overlap:.2f}"
            return Statement(text, "undecidable" if may_claim_nothing(text) else "unsupported", reason)
        if reason := contradiction(statement, evidence, self.min_overlap):
            return Statement(text, "unsupported", reason)
        return Statement(text, "supported", f"overlap {share:.2f}")
