"""``python -m runner.compare A B``: the gate's comparison of two runs that were measured before."""

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from eval.errors import InputError
from eval.gate.anchor import check_anchor
from eval.gate.decide import Baseline, decide
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.report.junit import junit_xml
from eval.report.preferences_markdown import preferences_page
from eval.report.verdict_json import verdict_data
from eval.report.verdict_markdown import job_summary
from runner.baseline.find import Baselines
from runner.command.console import show_markdown
from runner.command.progress import bar
from runner.command.typed import checked, run_command, tracking_at
from runner.label_files import with_agreement
from runner.places import write_whole
from runner.preferring import model_settings, preferences
from runner.reports import REPORT, Found, find_report
from runner.run_folder import to_json
from runner.tracking.mlflow_store import MlflowTracking

BASELINE = "baseline"


@dataclass(frozen=True)
class Side:
    """One of the two: its report, the results in it, and what it is called."""

    report: Mapping[str, Any]
    results: Results
    against: Mapping[str, str]

    @property
    def baseline(self) -> Baseline:
        """What another run is compared with."""
        return Baseline(self.results, self.against)


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
    judge: Annotated[
        bool, typer.Option("--judge", help="Let a model say of each question which run answers it better.")
    ] = False,
    model: Annotated[str | None, typer.Option(help="That model's name; else it is the second run's judge.")] = None,
    api: Annotated[str, typer.Option(help="How it is spoken to: openai or anthropic.")] = "openai",
    base_url: Annotated[str | None, typer.Option(help="Its server, where that is not the vendor's own.")] = None,
    key_env: Annotated[str | None, typer.Option(help="NAME of the environment variable with its key.")] = None,
    max_usd: Annotated[float | None, typer.Option(min=0, help="The most that it may cost.")] = None,
    uri: Annotated[str | None, typer.Option(help="The tracking database or server of the runs.")] = None,
) -> None:
    """Compare two measured runs by the rules that the second was run with; measures nothing anew.

    Ends with 0; with --enforce, 1 on a regression and 3 where nothing can be judged.
    """
    tracking = tracking_at(uri)
    current = _side(b, tracking)
    rules = Gate.of(current.results.config)
    rules = replace(rules, mode="enforce" if enforce or rules.mode == "off" else rules.mode)
    if tolerance is not None:
        rules = checked(lambda: replace(rules, tolerance=tolerance))
    dataset = current.results.run.dataset
    first = None if a == BASELINE else _side(a, tracking)
    against = Baselines().find(tracking, dataset, rules, silent=None) if first is None else first.baseline
    verdict = decide(current.results, rules, against)
    page, data = job_summary(verdict, current.against["name"]), verdict_data(verdict)
    if not judge and any(value is not None for value in (model, base_url, key_env, max_usd)):
        raise InputError("--model, --base-url, --key-env and --max-usd are for --judge: add it, or leave them out")
    if judge:
        settings = model_settings(current.results.config, model, api, base_url, key_env)
        before = first or _side(verdict.against.get("run", a), tracking)
        preferred = preferences((before.report, current.report), settings, max_usd, bar)
        page += preferences_page(preferred, a, b)
        data |= {"preferences": asdict(preferred)}
    for path, text in ((summary, page), (junit, junit_xml(verdict, current.results.run.name))):
        if path is not None:
            write_whole(path, text)
    if as_json:
        sys.stdout.write(to_json(data))
    else:
        show_markdown(page)
    raise typer.Exit(verdict.exit_code(enforce=enforce))


def _side(given: str, tracking: MlflowTracking) -> Side:
    """A report file, the folder of a run, or a logged run."""
    found = find_report(given, tracking)
    if "checksum" in found.report:
        anchor = check_anchor(found.report, found.called)
        run = str(anchor.promotion.get("run", anchor.results.run.id))
        return Side(found.report, anchor.results, _called(found, anchor.results.run.name, run))
    data = with_agreement(found.report)
    results = Results.of(data, found.called if found.run is None else f"{REPORT} of {found.called}")
    name, run = (results.run.name, results.run.id) if found.run is None else (found.run.name, found.run.id)
    return Side(found.report, results, _called(found, name, run))


def _called(found: Found, name: str, run: str) -> dict[str, str]:
    source = {} if found.path is None else {"source": str(found.path)}
    return {"name": name, "run": run, **source}


if __name__ == "__main__":
    sys.exit(run_command(main))
