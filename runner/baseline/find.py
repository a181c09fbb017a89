"""Finding the baseline that a run is compared with: the registered one, or the portable report."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from eval.errors import EvalfirstError, InputError
from eval.gate.anchor import make_anchor, read_anchor
from eval.gate.decide import Baseline, NoBaseline
from eval.gate.results import Results
from eval.gate.rules import Gate
from runner.baseline.places import anchor_path
from runner.places import START
from runner.protocols import Tracking
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import TrackingUnavailable

HOW_TO = "python -m runner.promote RUN makes a run the baseline"


@dataclass
class Baselines:
    """Baselines that were looked for so far, by dataset and rules: the runs of a sweep ask once."""

    found: dict[str, Baseline | NoBaseline] = field(default_factory=dict)

    def find(self, tracking: Tracking, dataset: str, rules: Gate, silent: str | None) -> Baseline | NoBaseline:
        """The baseline of a dataset; never raises for one that is missing, broken or out of reach.

        Args:
            tracking: the store that may have it registered.
            dataset: its name.
            rules: say where to look.
            silent: why the store is known not to answer, so that it is not asked again.
        """
        key = f"{dataset} {rules.source} {rules.anchor} {rules.mode == 'off'}"
        if key not in self.found:
            self.found[key] = _find(tracking, dataset, rules, silent)
        return self.found[key]


def _find(tracking: Tracking, dataset: str, rules: Gate, silent: str | None) -> Baseline | NoBaseline:
    if rules.mode == "off":
        return NoBaseline("the gate is off")
    path = anchor_path(rules.anchor, dataset)
    if rules.source == "anchor":
        return portable(path, "")
    if not isinstance(tracking, MlflowTracking):
        because, reached = "no tracking database is used", True
    else:
        answer = _ask(tracking, dataset, path) if silent is None else _Unanswered(silent, reached=False)
        if not isinstance(answer, _Unanswered):
            return answer
        because, reached = answer.because, answer.reached
    if rules.source == "registry":
        remedy = f"; {HOW_TO}" if reached else ""
        return NoBaseline(f"{because}, and gate.source=registry looks nowhere else{remedy}", broken=not reached)
    instead = portable(path, because)
    return instead if reached or isinstance(instead, NoBaseline) else replace(instead, instead_of=because)


@dataclass(frozen=True)
class _Unanswered:
    """Why a store gave no baseline: it has none, or it could not be reached."""

    because: str
    reached: bool


def _ask(tracking: MlflowTracking, dataset: str, path: Path) -> Baseline | NoBaseline | _Unanswered:
    """The registered baseline, or why there is none to rely on."""
    try:
        with tracking.opened(failed="can't read the baseline from") as address:
            from runner.baseline.registry import Registry

            registry = Registry.at(address)
            current = registry.current(dataset)
            if current is None:
                return _Unanswered(f"no run of {dataset} is registered in {_short(address.uri)}", reached=True)
            report = registry.report_of(current)
            results = Results.of(report, f"the report of {current.title}")
            against = {"name": current.title, "run": current.run_id, "source": _short(address.uri)}
            return Baseline(results, against, tuple(_other_anchor(path, report, current.promotion)))
    except TrackingUnavailable as error:
        return _Unanswered(error.reason, reached=False)
    except EvalfirstError as error:
        return NoBaseline(str(error), broken=True)
    except Exception as error:  # noqa: BLE001 – a measured run must not be lost to whatever a store answers
        return NoBaseline(" ".join(f"the baseline can't be read: {type(error).__name__}: {error}".split()), broken=True)


def portable(path: Path, because: str) -> Baseline | NoBaseline:
    """The baseline in a file; ``because`` says why it is not the registered one."""
    where = _short(str(path))
    if not path.exists():
        told = f"{because}, and {where} is not there" if because else f"{where} is not there"
        return NoBaseline(f"{told}; {HOW_TO}")
    try:
        anchor = read_anchor(path)
    except InputError as error:
        return NoBaseline(str(error), broken=True)
    run = str(anchor.promotion.get("run", anchor.results.run.id))
    against = {"name": f"{anchor.results.run.dataset}’s portable baseline", "run": run, "source": where}
    remarks = (f"baseline: read from {where}, as {because}",) if because else ()
    return Baseline(anchor.results, against, remarks)


def _other_anchor(path: Path, report: Mapping[str, Any], promotion: Mapping[str, str]) -> list[str]:
    """A line where the portable baseline is not what the registered one gives."""
    if not path.exists():
        return []
    remedy = "python -m runner.promote --repair writes it anew"
    try:
        held = read_anchor(path)
    except InputError as error:
        return [f"baseline: {error}"]
    if held.checksum == make_anchor(report, promotion)["checksum"]:
        return []
    run = held.promotion.get("run")
    told = "other results" if run == promotion.get("run") else f"another run ({run})"
    return [f"baseline: {_short(str(path))} holds {told} than the registered one; {remedy}"]


def _short(text: str) -> str:
    return text.replace(f"{START}/", "")
