"""What a comparison says: per measure, and over all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from eval.gate.pairing import Pairing

State = Literal["passed", "regressed", "advisory", "missing", "invalid", "incomparable", "not_checked", "new"]
# What a gated measure in that state does to the gate: nothing, fail it, or leave it without a verdict.
FAILS: tuple[State, ...] = ("regressed", "missing")
UNJUDGED: tuple[State, ...] = ("invalid", "incomparable")
CHECKED: tuple[State, ...] = ("passed", "regressed", "advisory", "missing")

GateVerdict = Literal["passed", "regressed", "not_judged", "no_baseline", "off"]
HITS = "recall"
REGRESSED_EXIT = 1
NOT_JUDGED_EXIT = 3


@dataclass(frozen=True)
class Flip:
    """A question whose value changed, with the rank of its first hit on both sides (``None`` where there is none)."""

    id: str
    baseline: float
    current: float
    baseline_rank: int | None
    current_rank: int | None
    documents_changed: bool = False


@dataclass(frozen=True)
class Evidence:
    """How much a change of a mean over questions means; the verdict does not depend on it.

    Shares and shifts are in units of the measure. ``gained`` and ``lost`` count questions that got better and worse.
    """

    questions: int
    one_question: float
    gained: int
    lost: int
    interval: tuple[float, float] | None
    p: float
    mcnemar_p: float | None
    detectable: float | None
    words: str
    flips: tuple[Flip, ...] = ()


@dataclass(frozen=True)
class Finding:
    """One measure in the comparison; values are means over the questions that both runs share and scored."""

    metric: str
    gated: bool
    state: State
    because: str = ""
    baseline: float | None = None
    current: float | None = None
    delta: float | None = None
    tolerance: float | None = None
    questions: int = 0
    evidence: Evidence | None = None

    @property
    def fails(self) -> bool:
        """Whether it got worse beyond its tolerance, or was lost; that stops a run if the measure is gated."""
        return self.state in FAILS


@dataclass(frozen=True)
class Verdict:
    """The gate's verdict on one run.

    ``against`` describes the baseline: its run, its name, and where it was read. ``notes`` tell what differs between
    the runs besides their results, ``caveats`` what a reader must keep in mind with the values; one line each.
    """

    verdict: GateVerdict
    because: str
    against: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    pairing: Pairing | None = None

    @property
    def hits(self) -> Finding | None:
        """The measure of hits and misses: its evidence names the questions that flipped."""
        return next((finding for finding in self.findings if finding.metric == HITS), None)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Measures that got worse without stopping anything."""
        return tuple(each for each in self.findings if each.state == "advisory" or (not each.gated and each.fails))

    def exit_code(self, *, enforce: bool) -> int:
        """0, or under enforcement 1 for a regression and 3 where nothing could be judged."""
        if not enforce or self.verdict in {"passed", "off"}:
            return 0
        return REGRESSED_EXIT if self.verdict == "regressed" else NOT_JUDGED_EXIT
