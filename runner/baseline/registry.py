"""Registered baselines in MLflow: a model per dataset, a version per promotion, an alias on the one that counts."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mlflow import MlflowClient
from mlflow.entities import Run
from mlflow.entities.model_registry import ModelVersion
from mlflow.exceptions import MlflowException

from eval.errors import EvalfirstError
from eval.fingerprints import fingerprint
from eval.gate.results import read_object
from runner.tracking.address import Address
from runner.tracking.database import open_client
from runner.tracking.store import COMPLETE_TAG, paged

ALIAS = "baseline"
RUN_TAG = "evalfirst.baseline"
STATE_TAG = "evalfirst.state"
CHECKSUM_TAG = "evalfirst.checksum"
# What is kept of a promotion, as tags of its version and in the portable baseline.
PROMOTION = ("run", "by", "at", "why", "commit", "forced")
REPORT = "report.json"
NOTE_TAG = "mlflow.note.content"
_REASON_LENGTH = 200
_ABSENT = "RESOURCE_DOES_NOT_EXIST"


class BaselineBrokenError(EvalfirstError):
    """A baseline is registered, and what it consists of is gone or was changed; says what to do."""


@dataclass(frozen=True)
class Registered:
    """One version: its number, the run it points to, and what was kept when it was promoted."""

    model: str
    version: int
    run_id: str
    tags: Mapping[str, str]
    is_baseline: bool = False

    @property
    def title(self) -> str:
        """How the version is called in texts."""
        return f"{self.model} v{self.version}"

    @property
    def promotion(self) -> dict[str, str]:
        """Who promoted it, when and why."""
        return {name: self.tags[f"evalfirst.{name}"] for name in PROMOTION if f"evalfirst.{name}" in self.tags}

    @property
    def state(self) -> str:
        """What it is or became, in words."""
        state = self.tags.get(STATE_TAG, "")
        known = {"promoted": "earlier baseline", "started": "never finished", "": "not made by evalfirst"}
        return "baseline" if self.is_baseline else known.get(state, state)

    @property
    def was_baseline(self) -> bool:
        """Whether it can be returned to: it was the baseline once and was not taken back."""
        return self.tags.get(STATE_TAG) == "promoted"


@dataclass(frozen=True)
class Registry:
    """The registered baselines of a store."""

    client: MlflowClient
    address: Address

    @classmethod
    def at(cls, address: Address) -> "Registry":
        """Open the store."""
        return cls(open_client(address), address)

    def datasets(self) -> list[str]:
        """Names of the datasets that have a registered baseline, or had one."""
        models = paged(lambda token: self.client.search_registered_models(page_token=token))
        return sorted(model.name for model in models if "evalfirst.dataset" in model.tags)

    def current(self, model: str) -> Registered | None:
        """The version with the alias; ``None`` where nothing was promoted yet.

        Raises:
            BaselineBrokenError: there was a baseline and nothing has the alias.
        """
        try:
            return _registered(self.client.get_model_version_by_alias(model, ALIAS), is_baseline=True)
        except MlflowException as error:
            if error.error_code == _ABSENT:
                return None
            if error.error_code != "INVALID_PARAMETER_VALUE":
                raise
        if not any(version.was_baseline for version in self.versions(model)):
            return None  # a first promotion that is on its way, or was cut short
        raise BaselineBrokenError(
            f"the registered model {model} has versions and none is the baseline, its alias {ALIAS} is gone; "
            "set it anew with: python -m runner.promote RUN"
        )

    def versions(self, model: str) -> list[Registered]:
        """All versions, oldest first."""
        try:
            aliased = self.client.get_registered_model(model).aliases.get(ALIAS)
        except MlflowException as error:
            if error.error_code == _ABSENT:
                return []
            raise
        search = paged(lambda token: self.client.search_model_versions(f"name='{model}'", page_token=token))
        found = [_registered(each, is_baseline=str(each.version) == str(aliased)) for each in search]
        return sorted(found, key=lambda each: each.version)

    def report_of(self, registered: Registered) -> dict[str, Any]:
        """The report of a version's run, as it was when it was promoted.

        Raises:
            BaselineBrokenError: run or files are gone, or are no longer those that were promoted.
        """
        report = self.report(self._run_of(registered), f"{registered.title}, run {registered.run_id},")
        checksum = checksum_of(report)
        if checksum is None or checksum != registered.tags.get(CHECKSUM_TAG):
            raise BaselineBrokenError(
                f"the results of {registered.title}, run {registered.run_id}, are not those that were promoted; "
                f"restore its {REPORT}, or promote another run: python -m runner.promote RUN"
            )
        return report

    def _run_of(self, registered: Registered) -> Run:
        try:
            run = self.client.get_run(registered.run_id)
        except MlflowException as error:
            if error.error_code != _ABSENT:
                raise
            raise BaselineBrokenError(
                f"the run of {registered.title}, {registered.run_id}, is gone for good; "
                "promote another one: python -m runner.promote RUN"
            ) from error
        if run.info.lifecycle_stage == "deleted":
            restore = self.address.shell(f"mlflow runs restore --run-id {registered.run_id}")
            raise BaselineBrokenError(
                f"the run of {registered.title} was deleted; bring it back with: {restore}; "
                "or promote another one: python -m runner.promote RUN"
            )
        if run.info.status != "FINISHED" or run.data.tags.get(COMPLETE_TAG) != "true":
            raise BaselineBrokenError(f"the run of {registered.title}, {registered.run_id}, is not a complete one")
        return run

    def report(self, run: Run, title: str) -> dict[str, Any]:
        """The report among a run's files.

        Raises:
            BaselineBrokenError: it is not there.
        """
        place = urlsplit(run.info.artifact_uri)
        with tempfile.TemporaryDirectory() as folder:
            try:
                if place.scheme == "file":  # read where it lies
                    return read_object(Path(url2pathname(place.path)) / REPORT)
                return read_object(Path(self.client.download_artifacts(run.info.run_id, REPORT, folder)))
            except (MlflowException, OSError, EvalfirstError) as error:
                if "API request to" in str(error) and "failed with exception" in str(error):
                    raise  # the server did not answer, which says nothing of the files
                told = " ".join(str(error).split())[:_REASON_LENGTH]
                raise BaselineBrokenError(
                    f"the files of {title} can't be read from {run.info.artifact_uri}: {told}; "
                    "put them back, or promote another run: python -m runner.promote RUN"
                ) from error


def checksum_of(report: Mapping[str, Any]) -> str | None:
    """Identity of a whole report, whatever later versions of the portable form keep of it; none with a NaN in it."""
    try:
        return fingerprint(report)
    except ValueError:
        return None


def _registered(version: ModelVersion, *, is_baseline: bool) -> Registered:
    return Registered(version.name, int(version.version), str(version.run_id), dict(version.tags), is_baseline)
