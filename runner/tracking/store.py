"""One experiment of an open store: runs made, filled, ended and found again."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from mlflow import MlflowClient
from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, Run, RunTag
from mlflow.store.entities import PagedList

from eval.fingerprints import canonical_json
from runner.tracking.address import Address
from runner.tracking.database import experiment_id, open_client
from runner.tracking.fitting import Values
from runner.tracking.folders import PROCESS_TAG, Data, artifacts
from runner.tracking.process import account, parse_process, this_process

T = TypeVar("T")

TOKEN_TAG = "evalfirst.token"  # noqa: S105 - a name, not a secret
COMPLETE_TAG = "evalfirst.complete"
PARENT_TAG = "mlflow.parentRunId"
_DIGEST_LENGTH = 36  # MLflow's limit


@dataclass(frozen=True)
class Store:
    """The client speaks to ``address``; all runs belong to ``experiment_id``."""

    client: MlflowClient
    address: Address
    experiment_id: str

    def start(self, name: str, started: int, token: str, tags: Mapping[str, str]) -> str:
        """A new run, which tells from its first moment whose it is. Returns its id."""
        own = {TOKEN_TAG: token, PROCESS_TAG: str(this_process()), "mlflow.user": account()}
        run = self.client.create_run(self.experiment_id, start_time=started, run_name=name, tags={**own, **tags})
        return str(run.info.run_id)

    def fill(self, run_id: str, values: Values, at: int, folder: Path) -> None:
        """Log values in one batch, and the folder's files."""
        self.client.log_batch(
            run_id,
            metrics=[Metric(name, value, at, 0) for name, value in values.metrics.items()],
            params=[Param(name, value) for name, value in values.params.items()],
            tags=[RunTag(name, value) for name, value in values.tags.items()],
        )
        for path, place in artifacts(folder):
            self.client.log_artifact(run_id, str(path), place)

    def show_table(self, run_id: str, file: str) -> None:
        """Make the UI show an artifact in pandas' split orientation as a table beside those of other runs."""
        # MLflow looks for this text as it is, blanks included.
        self.client.set_tag(run_id, "mlflow.loggedArtifacts", json.dumps([{"path": file, "type": "table"}]))

    def note_data(self, run_id: str, data: Data) -> None:
        """Say which data the run measured."""
        source, profile = canonical_json(data.source), canonical_json(data.profile)
        dataset = Dataset(data.name, data.digest[:_DIGEST_LENGTH], "local", source, profile=profile)
        self.client.log_inputs(run_id, [DatasetInput(dataset, [InputTag("mlflow.data.context", "evaluation")])])

    def end(self, run_id: str, status: str, ended: int | None) -> None:
        """Set status and end; None stands for now."""
        self.client.set_terminated(run_id, status, ended)

    def find(self, token: str) -> list[str]:
        """Ids of the runs with that token."""
        return [run.info.run_id for run in self._search(f"tags.`{TOKEN_TAG}` = '{token}'")]

    def discard(self, token: str) -> None:
        """Delete what an interrupted attempt left; the MLflow UI keeps it among the deleted runs."""
        for run_id in self.find(token):
            self.client.delete_run(run_id)

    def close_orphans(self) -> None:
        """End as KILLED the runs of ours that are left running by a process that is gone."""
        for run in self._search("attributes.status = 'RUNNING'"):
            process = parse_process(run.data.tags.get(PROCESS_TAG))
            if process and process.is_gone():
                self.end(run.info.run_id, "KILLED", None)

    def _search(self, query: str) -> list[Run]:
        return list(search_all(self.client, [self.experiment_id], query))


def search_all(
    client: MlflowClient, experiments: Sequence[str], query: str, order: Sequence[str] = ()
) -> Iterator[Run]:
    """All runs that match."""
    return paged(lambda token: client.search_runs(list(experiments), query, order_by=list(order), page_token=token))


def paged(search: Callable[[str | None], PagedList[T]]) -> Iterator[T]:
    """All that a search gives, page after page; a single call would give the first thousand at most.

    Args:
        search: asks for the page that a token stands for, or the first one.
    """
    token = None
    while True:
        page = search(token)
        yield from page
        if not (token := page.token):
            return


def open_store(address: Address, experiment: str) -> Store:
    """Open the store and the experiment, made if need be, and close what others left open in it."""
    client = open_client(address)
    store = Store(client, address, experiment_id(client, address, experiment))
    store.close_orphans()
    return store
