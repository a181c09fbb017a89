"""Which logged run a person means: by id, by the beginning of it, by name, the latest, or the best of a sweep."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlflow import MlflowClient
from mlflow.entities import Run
from mlflow.exceptions import MlflowException

from eval.errors import InputError
from eval.metrics.measures import METRICS
from runner.leaderboard import Entry, rank_entries
from runner.tracking.folders import read_note
from runner.tracking.store import COMPLETE_TAG, PARENT_TAG, paged, search_all

DATASET_TAG = "evalfirst.dataset"
LATEST = "latest"
LEADERBOARD = "leaderboard"
_MOST_LISTED = 10
_ID = re.compile(r"[0-9a-f]{4,32}")


@dataclass(frozen=True)
class Runs:
    """The runs of a store, whatever experiment they are in; of one dataset, or of all.

    All searches page, as one call gives 1,000 at most.
    """

    client: MlflowClient
    dataset: str | None = None

    def find(self, given: str) -> Run:
        """The run that ``given`` names: an id, the beginning of one, a run's name or folder, or ``latest``.

        Raises:
            InputError: there is none, or several.
        """
        if given == LATEST:
            return self._latest()
        if (note := read_note(Path(given)) if Path(given).is_dir() else None) is not None:
            given = note.run_id
        if len(given) == 32 and (exact := self._get(given)) is not None:  # deleted ones, too: they are told as such
            return self._of_dataset(exact)
        found = list(self._search(f"attributes.run_id LIKE '{given}%'")) if _ID.fullmatch(given) else []
        found = found or list(self._search(f"attributes.run_name = {_quoted(given)}"))
        if not found:
            raise InputError(f"no run is called {given!r}: give a run's id, the beginning of one, its name, or latest")
        if len(found) > 1:
            listed = ", ".join(_described(run) for run in found[:_MOST_LISTED])
            more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
            raise InputError(f"{len(found)} runs are meant by {given!r}, give the id of one: {listed}{more}")
        return found[0]

    def _of_dataset(self, run: Run) -> Run:
        measured = run.data.tags.get(DATASET_TAG)
        if self.dataset not in {None, measured}:
            raise InputError(f"run {run.info.run_id} is of {measured}, not of {self.dataset}")
        return run

    def _latest(self) -> Run:
        """The run that was started last, among those that were logged to their end; parents of sweeps are none."""
        newest = next(self._search(f"tags.`{COMPLETE_TAG}` LIKE '%'", ["attributes.start_time DESC"]), None)
        if newest is None:
            of = f" of {self.dataset}" if self.dataset else ""
            raise InputError(f"there is no run{of} yet: measure one first with python -m runner")
        return newest

    def children(self, parent: Run) -> list[Run]:
        """The runs of a sweep, oldest first; none for a run that is not one."""
        found = self._search(f"tags.`{PARENT_TAG}` = '{parent.info.run_id}'")
        return sorted(found, key=lambda run: (run.info.start_time, run.info.run_id))

    def choose(self, given: str, best: str | None) -> tuple[Run, str]:
        """The run that ``given`` names or, with a rule, the best of the sweep that it names; and what was chosen.

        Raises:
            InputError: none or several, a sweep without a rule, or a rule for a single run.
        """
        found = self.find(given)
        called = f"{found.info.run_id} ({found.info.run_name})"
        children = self.children(found)
        if not children and best is None:
            return found, ""
        if not children or best is None:
            rule = f"--best {LEADERBOARD} (recall, then MRR, document nDCG, faithfulness, refusals) or --best MEASURE"
            told = f"{called} is a sweep of {len(children)} runs: give one of them, or {rule}"
            raise InputError(told if children else f"--best is for sweeps, and {called} is a single run")
        chosen = self._best(children, best)
        return chosen, f"Best of {len(children)} by {best}: {chosen.info.run_name} ({chosen.info.run_id})"

    def _best(self, children: list[Run], rule: str) -> Run:
        """The best complete run of a sweep.

        Args:
            children: the sweep's runs.
            rule: ``leaderboard`` for its order, or a measure; runs that are equal by it follow the leaderboard.

        Raises:
            InputError: no such rule, or no complete run.
        """
        directions = {metric.name: metric.higher_is_better for metric in METRICS}
        if rule != LEADERBOARD and rule not in directions:
            raise InputError(f"--best is {LEADERBOARD} or a measure (got {rule!r}): {', '.join(directions)}")
        complete = {run.info.run_id: run for run in children if run.data.tags.get(COMPLETE_TAG) == "true"}
        ranked = rank_entries(_entry(run_id, run) for run_id, run in complete.items())
        if rule != LEADERBOARD:
            ranked = [entry for entry in ranked if entry.metrics.get(rule) is not None]
            sign = -1 if directions[rule] else 1
            ranked.sort(key=lambda entry: (entry.unscored > 0, sign * (entry.metrics[rule] or 0.0)))
        if not ranked:
            raise InputError(f"no complete run of the sweep has a value for {rule}")
        return complete[ranked[0].name]

    def _get(self, run_id: str) -> Run | None:
        try:
            return self.client.get_run(run_id)
        except MlflowException as error:
            if error.error_code != "RESOURCE_DOES_NOT_EXIST":
                raise
            return None

    def _experiments(self) -> list[str]:
        found = paged(lambda token: self.client.search_experiments(page_token=token))
        return [experiment.experiment_id for experiment in found]

    def _search(self, query: str, order: Sequence[str] = ()) -> Iterator[Run]:
        mine = f" AND tags.`{DATASET_TAG}` = {_quoted(self.dataset)}" if self.dataset else ""
        return search_all(self.client, self._experiments(), f"{query}{mine}", order)


def _entry(run_id: str, run: Run) -> Entry:
    measures = _measures(run)
    return Entry(run_id, None, measures, unscored=int(measures.get("unscored") or 0))


def _measures(run: Run) -> dict[str, float | None]:
    """Values by the measures' plain names; they are logged under their group's."""
    return {name.rpartition("/")[2]: value for name, value in run.data.metrics.items()}


def _described(run: Run) -> str:
    return f"{run.info.run_id} ({json.dumps(run.info.run_name, ensure_ascii=False)})"


def _quoted(text: str) -> str:
    if '"' in text and "'" in text:
        raise InputError(f"no run is called {text!r}: give a run's id, the beginning of one, its name, or latest")
    return f'"{text}"' if "'" in text else f"'{text}'"
