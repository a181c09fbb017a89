"""The judge that asks a natural-language-inference model: does a passage of the context entail the statement?"""

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.component import component
from eval.judges.nli_labels import Labels, labels_of
from eval.judges.nli_model import PairClassifier, load, outputs_of
from eval.judges.passages import best_passages
from eval.judges.statements import claims_nothing, may_claim_nothing, relevancy, statements_of
from eval.records import Judgement, Statement, Unscored
from eval.refusals import is_refusal
from eval.text.analyzer import Analyzer
from eval.text.marks import bare
from eval.text.sentences import sentences


@component
class NliJudge:
    """Calls a statement supported when, for the best of the ``passages`` most alike to it, entailment is the model's
    first choice and has at least the probability ``threshold``.

    ``model`` is a folder or a name on the hub; ``entailment`` is the place of that output where the model does not
    name it. A passage is as long as ``max_length`` tokens allow beside the statement. Deterministic on one machine.
    How good it is depends on the model: see ``python -m eval.judges.measure FILE --nli MODEL``.
    """

    ELSEWHERE: ClassVar = True  # another model may lie in its folder tomorrow: what it said is not kept for other runs

    model: str
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.5
    passages: Annotated[int, Field(ge=1)] = 3
    max_length: Annotated[int, Field(ge=16)] = 512
    batch: Annotated[int, Field(ge=1)] = 16
    device: str = "cpu"
    entailment: Annotated[int, Field(ge=0)] | None = None
    analyzer: Analyzer = field(default_factory=Analyzer)

    def __post_init__(self) -> None:
        """Read the model's labels, so that a wrong one is told before anything is paid for."""
        _ = self._labels

    @cached_property
    def _labels(self) -> Labels:
        return labels_of(outputs_of(self.model), self.entailment)

    @cached_property
    def _classifier(self) -> PairClassifier:
        return load(self.model, self.max_length, self.batch, self.device)

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """One statement per sentence of ``answer``, verbatim; a refusal has none."""
        if is_refusal(answer):
            return Judgement(refused=True, statements=(), relevancy=0.0)
        texts = statements_of(answer)
        settled = {
            text: Statement(text, "undecidable", reason) for text in texts if (reason := self._no_claim(text, context))
        }
        asked = [text for text in dict.fromkeys(texts) if text not in settled]
        known = settled | self._judged(asked, sentences(context))
        return Judgement(False, tuple(known[text] for text in texts), relevancy(question, answer, self.analyzer))

    def _no_claim(self, text: str, context: str) -> str:
        return claims_nothing(text, context, self.analyzer)

    def _judged(self, asked: Sequence[str], material: Sequence[str]) -> dict[str, Statement]:
        if not material or not asked:
            return {text: Statement(text, "unsupported", "there is no material") for text in asked}
        lengths = [self._classifier.length(sentence) for sentence in material]
        pairs = {text: self._pairs(bare(text), material, lengths) for text in asked}
        found = self._classifier.probabilities([pair for own in pairs.values() for pair in own])
        ends = np.cumsum([len(own) for own in pairs.values()])
        parts = np.split(found, ends[:-1])
        return {text: self._verdict(text, own) for text, own in zip(asked, parts, strict=True)}

    def _pairs(self, claim: str, material: Sequence[str], lengths: Sequence[int]) -> list[tuple[str, str]]:
        room = self._classifier.room(claim)
        passages = best_passages(claim, material, lengths, room, self.passages, self.analyzer)
        return [(passage, claim) for passage in passages]

    def _verdict(self, text: str, probabilities: NDArray[np.float64]) -> Statement:
        """By the passage with the highest entailment; a contradiction in it is named."""
        best = probabilities[int(probabilities[:, self._labels.entailment].argmax())]
        choice = int(best.argmax())
        reason = f"{self._labels.names[choice]} {best[choice]:.2f}"
        if choice == self._labels.entailment:
            if best[choice] >= self.threshold:
                return Statement(text, "supported", reason)
            reason = f"{reason} below {self.threshold:.2f}"
        return Statement(text, "undecidable" if may_claim_nothing(text) else "unsupported", reason)
