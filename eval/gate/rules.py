"""What the gate asks for: its mode, its tolerances, and what it watches beside the gated measures."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError

from eval.component import component
from eval.gate.rule import TOLERANCE
from eval.metrics.measures import GATED, METRICS

Mode = Literal["report", "enforce", "off"]
Source = Literal["auto", "registry", "anchor"]
# What decides a verdict, besides where the baseline is and what follows from it.
RULES = ("tolerance", "tolerances", "watched", "min_shared")
WATCHED = ("answer_relevancy", "false_refusal_rate")
_BESIDE = {metric.name for metric in METRICS if not metric.gated}

Tolerance = Annotated[float, Field(ge=0, lt=1)]


def _known(names: Mapping[str, float | None]) -> Mapping[str, float | None]:
    if unknown := sorted(names.keys() - {metric.name for metric in METRICS}):
        known = ", ".join(metric.name for metric in METRICS)
        raise ValueError(f"{', '.join(unknown)} is no measure; there are: {known}")
    return names


def _watchable(names: list[str]) -> list[str]:
    if wrong := sorted(set(names) - _BESIDE):
        gated = ", ".join(metric.name for metric in GATED)
        raise ValueError(
            f"{', '.join(wrong)} can't be watched; gated already are: {gated}; there are: {', '.join(sorted(_BESIDE))}"
        )
    return names


@component
class Gate:
    """Rules of a comparison with the baseline.

    A gated measure may fall by ``tolerance``, or by its own in ``tolerances``; a measure in ``watched`` only warns.
    A measure is comparable when at least ``min_shared`` of the baseline's questions can be compared. ``source``
    says where the baseline is read: ``registry`` (the tracking database), ``anchor`` (the portable report, at the
    path ``anchor``), or the first that there is.
    """

    mode: Mode = "report"
    tolerance: Tolerance = TOLERANCE
    tolerances: Annotated[dict[str, Tolerance | None], AfterValidator(_known)] = Field(default_factory=dict)
    watched: Annotated[list[str], AfterValidator(_watchable)] = Field(default_factory=lambda: list(WATCHED))
    min_shared: Annotated[float, Field(gt=0, le=1)] = 0.5
    source: Source = "auto"
    anchor: str | None = None

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "Gate":
        """The rules that a run was judged by, from its recorded configuration; the defaults where that is silent."""
        try:
            return cls(**{key: value for key, value in config["gate"].items() if key != "_target_"})
        except (KeyError, TypeError, AttributeError, ValidationError):
            return cls()

    def strictest(self, other: "Gate") -> "Gate":
        """The narrower of both in everything: what a run may not loosen for itself."""
        return replace(
            self,
            tolerance=min(self.tolerance, other.tolerance),
            tolerances={
                metric.name: min(self.tolerance_of(metric.name), other.tolerance_of(metric.name)) for metric in METRICS
            },
            watched=sorted({*self.watched, *other.watched}),
            min_shared=max(self.min_shared, other.min_shared),
        )

    def tolerance_of(self, metric: str) -> float:
        """How far this measure may get worse."""
        own = self.tolerances.get(metric)
        return self.tolerance if own is None else own
