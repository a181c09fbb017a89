"""``python -m runner.compare A B``: the gate's comparison of two runs that were measured before."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from eval.errors import InputError
from eval.gate.anchor import check_anchor
from eval.gate.decide import Baseline, NoBaseline, decide
from eval.gate.results import Results, read_object
from eval.gate.rules import Gate
from eval.report.junit import junit_xml
from eval.report.verdict_json import verdict_data
from eval.report.verdict_markdown import job_summary
from runner.baseline.find import Baselines
from runner.command.console import show_markdown
from runner.command.typed import checked, run_command, tracking_at
from runner.places import mlruns, write_whole
from runner.run_folder import to_json
from runner.tracking.mlflow_store import MlflowTracking

BASELINE = "baseline"
REPORT = "report.json"


@dataclass(frozen=True)
class Side:
    """One of the two: its results, and what it is called."""

    results: Results
    against: Mapping[str, str]


def main(
    a: Annotated[
        str,
        typer.Argument(help="The run to compare with: an id, a name, a folder, a report file, latest, or: baseline."),
    ],
    b: Annotated[str, typer.Argument(help="The run that is judged, named alike.")],
    tolerance: Annotated[float | None, typer.Option(help="How far a measure may get worse.")] = None,
    enforce: Annotated[bool, typer.Option("--enforce", help="End with 1 or 3 as the gate does.")] = False,
    summary: Annotated[Path | None, typer.Option(help="Write the comparison to a Markdown file, too.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write it as JUnit XML, too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON instead.")] = False,
    uri: Annotated[str | None, typer.Option(help="The tracking database or server of the runs.")] = None,
) -> None:
    """Compare two measured runs by the rules that the second was run with; measures nothing.

    Ends with 0; with --enforce, 1 on a regression and 3 where nothing can be judged.
    """
    tracking = tracking_at(uri)
    current = _side(b, tracking)
    rules = Gate.of(current.results.config)
    rules = replace(rules, mode="enforce" if enforce or rules.mode == "off" else rules.mode)
    if tolerance is not None:
        rules = checked(lambda: replace(rules, tolerance=tolerance))
    verdict = decide(current.results, rules, _baseline(a, tracking, current.results.run.dataset, rules))
    page = job_summary(verdict, current.against["name"])
    for path, text in ((summary, page), (junit, junit_xml(verdict, current.results.run.name))):
        if path is not None:
            write_whole(path, text)
    if as_json:
        sys.stdout.write(to_json(verdict_data(verdict)))
    else:
        show_markdown(page)
    raise typer.Exit(verdict.exit_code(enforce=enforce))


def _baseline(given: str, tracking: MlflowTracking, dataset: str, rules: Gate) -> Baseline | NoBaseline:
    if given == BASELINE:
        return Baselines().find(tracking, dataset, rules, silent=None)
    side = _side(given, tracking)
    return Baseline(side.results, side.against)


def _side(given: str, tracking: MlflowTracking) -> Side:
    """A report file, the folder of a run, or a logged run."""
    folders = (Path(given), mlruns() / "runs" / given, mlruns() / "sweeps" / given)
    for path in (Path(given), *(folder / REPORT for folder in folders)):
        if path.is_file():
            return _from_file(path)
    if any(character in given for character in "/\\") or given.endswith(".json"):
        raise InputError(f"{given} is not there: give a run, the folder of one, or a report file")
    return _logged(given, tracking)


def _from_file(path: Path) -> Side:
    data = read_object(path)
    if "checksum" in data:
        anchor = check_anchor(data, str(path))
        run = str(anchor.promotion.get("run", anchor.results.run.id))
        return Side(anchor.results, {"name": anchor.results.run.name, "run": run, "source": str(path)})
    results = Results.of(data, str(path))
    return Side(results, {"name": results.run.name, "run": results.run.id, "source": str(path)})


def _logged(given: str, tracking: MlflowTracking) -> Side:
    with tracking.opened(failed="can't read runs from") as address:
        if address.database is not None and not address.database.exists():
            raise InputError(f"no run is called {given!r}: there is no tracking database {address.database} yet")
        from runner.baseline.registry import Registry
        from runner.baseline.runs import Runs

        registry = Registry.at(address)
        run = Runs(registry.client).find(given)
        name = f"run {run.info.run_id} ({run.info.run_name})"
        results = Results.of(registry.report(run, name), f"{REPORT} of {name}")
        return Side(results, {"name": str(run.info.run_name), "run": run.info.run_id})


if __name__ == "__main__":
    sys.exit(run_command(main))
