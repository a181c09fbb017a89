"""Finding the baseline that a run is compared with: the registered one, or the portable report."""

from dataclasses import dataclass, field
from pathlib import Path

from eval.errors import EvalfirstError, InputError
from eval.gate.anchor import read_anchor
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
    because = ""
    if rules.source != "anchor":
        registered, because = _ask(tracking, dataset, rules.anchor, silent)
        if registered is not None:
            return registered
        if rules.source == "registry":
            return NoBaseline(f"{because}, and gate.source=registry looks nowhere else; {HOW_TO}")
    return portable(anchor_path(rules.anchor, dataset), because)


def _ask(
    tracking: Tracking, dataset: str, anchor: str | None, silent: str | None
) -> tuple[Baseline | NoBaseline | None, str]:
    """The registered baseline, or one that is broken; else nothing, and why."""
    if not isinstance(tracking, MlflowTracking):
        return None, "no tracking database is used"
    if silent is not None:
        return None, silent
    try:
        with tracking.opened(failed="can't read the baseline from") as address:
            from runner.baseline.registry import Registry

            registry = Registry.at(address)
            current = registry.current(dataset)
            if current is None:
                return None, f"no run of {dataset} is registered in {_short(address.uri)}"
            results = Results.of(registry.report_of(current), f"the report of {current.title}")
            against = {"name": current.title, "run": current.run_id, "source": _short(address.uri)}
            return Baseline(results, against, tuple(_other_anchor(anchor_path(anchor, dataset), current.run_id))), ""
    except TrackingUnavailable as error:
        return None, error.reason
    except EvalfirstError as error:
        return NoBaseline(str(error), broken=True), ""


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


def _other_anchor(path: Path, run_id: str) -> list[str]:
    """A line where the portable baseline is another run's than the registered one."""
    if not path.exists():
        return []
    where, remedy = _short(str(path)), "python -m runner.promote --repair writes it anew"
    try:
        held = read_anchor(path).promotion.get("run")
    except InputError as error:
        return [f"baseline: {error}"]
    return [] if held == run_id else [f"baseline: {where} holds another run than the registered one ({held}); {remedy}"]


def _short(text: str) -> str:
    return text.replace(f"{START}/", "")
