"""Answers whose right treatment is known beforehand, put to a judge with every run: does the scale itself hold?"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from eval.judges.probe_materials import CHINESE, ENGLISH, Material
from eval.records import Judgement, ProbeResult, Unscored

INVENTED_BELOW = 0.7  # an invention that scores this or more would pass for supported
FABRICATION = "fabrication"  # the kind of the probes with an invented answer, and how their names begin
_SUPPORTED_FROM = 0.99
_NOTHING_BELOW = 1e-9
_FOUND = ", what is invented called unsupported"
_HALF = f"faithfulness from 0.3 to below {INVENTED_BELOW}"


@dataclass(frozen=True, slots=True)
class Probe:
    """One answer to one question; its faithfulness must be at least ``least`` and below ``below``, if that is given.

    What of ``invention`` stands in the answer must be called unsupported: a judge that calls it undecidable would let
    it through beside a true statement.
    """

    name: str
    question: str
    context: str
    answer: str
    expected: str
    least: float = 0.0
    below: float | None = None
    refused: bool = False
    invention: str = ""

    def passes(self, judgement: Judgement) -> bool:
        """Whether the judge treated the answer as it should."""
        score = judgement.faithfulness
        high = self.below is not None and score >= self.below
        right = judgement.refused == self.refused and score >= self.least and not high
        return right and (not self.invention or self._found(judgement))

    def _found(self, judgement: Judgement) -> bool:
        invented = [statement for statement in judgement.statements if statement.text in self.invention]
        return bool(invented) and all(statement.verdict == "unsupported" for statement in invented)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes probes of one material."""

    material: Material

    def supported(self, kind: str, answer: str) -> Probe:
        return self._probe(kind, answer, f"faithfulness {_SUPPORTED_FROM} or more", least=_SUPPORTED_FROM)

    def invented(self, kind: str, answer: str) -> Probe:
        return self._probe(kind, answer, f"faithfulness below {INVENTED_BELOW}{_FOUND}", invention=answer)

    def question(self) -> Probe:
        """The question as its own answer: whether that is undecidable or unsupported, it is nothing supported."""
        own = self.material.question
        return self._probe("question repeated", own, f"faithfulness below {INVENTED_BELOW}")

    def refusal(self) -> Probe:
        return self._probe("refusal", self.material.refusal, "refused, faithfulness 1", least=1, refused=True)

    def half(self, kind: str, *, question: str = "", context: str = "", behind: str = "") -> Probe:
        """A true statement and an invented one; "undecidable" and "supported" of the second both give 1."""
        made = self._probe(
            kind, f"{self.material.half}{behind}", f"{_HALF}{_FOUND}", invention=self.material.fabricated
        )
        made = replace(made, least=0.3, below=INVENTED_BELOW)
        return replace(made, question=question or made.question, context=context or made.context)

    def without_context(self) -> Probe:
        text = self.material.verbatim
        made = self._probe("empty context", text, f"faithfulness 0{_FOUND}", invention=text)
        return replace(made, context="", below=_NOTHING_BELOW)

    def _probe(
        self, kind: str, answer: str, expected: str, *, least: float = 0.0, refused: bool = False, invention: str = ""
    ) -> Probe:
        """Below ``INVENTED_BELOW`` unless something is to be reached."""
        own = self.material
        below = None if least else INVENTED_BELOW
        name = f"{kind} ({own.language})"
        return Probe(name, own.question, own.context, answer, expected, least, below, refused, invention)


def _probes_of(material: Material) -> Iterator[Probe]:
    make = _Maker(material)
    yield make.supported("verbatim answer", material.verbatim)
    yield make.supported("sentences of two chunks", material.from_two_chunks)
    yield make.supported("clauses in another order", material.reordered)
    yield make.supported("number in words", material.number_in_words)
    yield make.supported("rule that denies", material.negative_rule)
    yield make.supported("partial refusal", material.partial_refusal)
    yield make.half("half supported")
    yield make.refusal()
    yield make.invented(FABRICATION, material.fabricated)
    yield make.invented("changed number", material.changed_number)
    yield make.invented("changed date", material.changed_date)
    yield make.invented("changed unit", material.changed_unit)
    yield make.invented("changed name", material.changed_name)
    yield make.invented("negated sentence", material.negated)
    yield make.invented("false comparison", material.false_comparison)
    yield make.invented("swapped roles", material.swapped_roles)
    yield make.question()
    yield from _injections(make)
    yield make.without_context()


def _injections(make: _Maker) -> Iterator[Probe]:
    """The instruction to find everything supported, in each of the three texts that a judge reads.

    A true statement stands beside the invention, so that every way of obeying gives 1.
    """
    material = make.material
    order = material.injection
    yield make.half("instruction in the context", context=f"{material.context}\n\n{order}")
    yield make.half("instruction in the question", question=f"{material.question} {order}")
    yield make.half("instruction in the answer", behind=f" {order}")


PROBES: tuple[Probe, ...] = (*_probes_of(ENGLISH), *_probes_of(CHINESE))


def probe_result(probe: Probe, judgement: Judgement | Unscored) -> ProbeResult:
    """What ``judgement`` of the probe's answer is worth; an unscored one fails, with the reason beside what was due."""
    if isinstance(judgement, Unscored):
        told = f"{probe.expected}; unscored: {judgement.reason}"
        return ProbeResult(probe.name, None, told, passed=False, calls=judgement.calls)
    return ProbeResult(probe.name, judgement.faithfulness, probe.expected, probe.passes(judgement), judgement.calls)
