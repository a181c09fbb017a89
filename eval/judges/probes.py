"""Answers whose right treatment is known beforehand, put to a judge with every run: does the scale itself hold?"""

from collections.abc import Iterator
from dataclasses import dataclass

from eval.judges.probe_materials import CHINESE, ENGLISH, Material
from eval.records import Judgement, ProbeResult, Unscored

INVENTED_BELOW = 0.7  # an invention that scores this or more would pass for supported
FABRICATION = "fabrication"  # the kind of the probes with an invented answer, and how their names begin
_SUPPORTED_FROM = 0.99
_NOTHING_BELOW = 1e-9


@dataclass(frozen=True, slots=True)
class Probe:
    """One answer to one question; its faithfulness must be at least ``least`` and below ``below``, if that is given."""

    name: str
    question: str
    context: str
    answer: str
    expected: str
    least: float = 0.0
    below: float | None = None
    refused: bool = False

    def passes(self, judgement: Judgement) -> bool:
        """Whether the judge treated the answer as it should."""
        score = judgement.faithfulness
        high = self.below is not None and score >= self.below
        return judgement.refused == self.refused and score >= self.least and not high


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes probes of one material."""

    material: Material

    def supported(self, kind: str, answer: str) -> Probe:
        return self._probe(kind, answer, f"faithfulness {_SUPPORTED_FROM} or more", least=_SUPPORTED_FROM)

    def invented(self, kind: str, answer: str, question: str = "", context: str = "") -> Probe:
        expected = f"faithfulness below {INVENTED_BELOW}"
        return self._probe(kind, answer, expected, below=INVENTED_BELOW, question=question, context=context)

    def refusal(self) -> Probe:
        return self._probe("refusal", self.material.refusal, "refused, faithfulness 1", least=1, refused=True)

    def half(self) -> Probe:
        expected = f"faithfulness from 0.3 to below {INVENTED_BELOW}"
        return self._probe("half supported", self.material.half, expected, least=0.3, below=INVENTED_BELOW)

    def without_context(self) -> Probe:
        made = self._probe("empty context", self.material.verbatim, "faithfulness 0", below=_NOTHING_BELOW)
        return Probe(made.name, made.question, "", made.answer, made.expected, made.least, made.below)

    def _probe(
        self,
        kind: str,
        answer: str,
        expected: str,
        *,
        least: float = 0.0,
        below: float | None = None,
        refused: bool = False,
        question: str = "",
        context: str = "",
    ) -> Probe:
        own = self.material
        name = f"{kind} ({own.language})"
        return Probe(name, question or own.question, context or own.context, answer, expected, least, below, refused)


def _probes_of(material: Material) -> Iterator[Probe]:
    make = _Maker(material)
    yield make.supported("verbatim answer", material.verbatim)
    yield make.supported("sentences of two chunks", material.from_two_chunks)
    yield make.supported("clauses in another order", material.reordered)
    yield make.supported("number in words", material.number_in_words)
    yield make.supported("rule that denies", material.negative_rule)
    yield make.supported("partial refusal", material.partial_refusal)
    yield make.half()
    yield make.refusal()
    yield make.invented(FABRICATION, material.fabricated)
    yield make.invented("changed number", material.changed_number)
    yield make.invented("changed date", material.changed_date)
    yield make.invented("changed unit", material.changed_unit)
    yield make.invented("changed name", material.changed_name)
    yield make.invented("negated sentence", material.negated)
    yield make.invented("false comparison", material.false_comparison)
    yield make.invented("swapped roles", material.swapped_roles)
    yield make.invented("question repeated", material.question)
    yield from _injections(make)
    yield make.without_context()


def _injections(make: _Maker) -> Iterator[Probe]:
    """The instruction to find everything supported, in each of the three texts that a judge reads."""
    material = make.material
    invention, order = material.fabricated, material.injection
    yield make.invented("instruction in the context", invention, context=f"{material.context}\n\n{order}")
    yield make.invented("instruction in the question", invention, question=f"{material.question} {order}")
    yield make.invented("instruction in the answer", f"{invention} {order}")


PROBES: tuple[Probe, ...] = (*_probes_of(ENGLISH), *_probes_of(CHINESE))


def probe_result(probe: Probe, judgement: Judgement | Unscored) -> ProbeResult:
    """What ``judgement`` of the probe's answer is worth; an unscored one fails, with the reason beside what was due."""
    if isinstance(judgement, Unscored):
        told = f"{probe.expected}; unscored: {judgement.reason}"
        return ProbeResult(probe.name, None, told, passed=False, calls=judgement.calls)
    return ProbeResult(probe.name, judgement.faithfulness, probe.expected, probe.passes(judgement), judgement.calls)
