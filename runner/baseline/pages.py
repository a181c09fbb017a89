"""What the pages of the MLflow UI say of a baseline: those of the model, its versions and its runs."""

import re
from collections.abc import Mapping
from typing import Any

from mlflow.entities import Run
from mlflow.exceptions import MlflowException

from eval.metrics.measures import GATED
from eval.report.tables import plain, table
from runner.baseline.registry import NOTE_TAG, RUN_TAG, STATE_TAG, Registered, Registry

_HEAD = re.compile(r"\A\*\*Baseline\b.*?\n\n", re.DOTALL)
# A run that is gone, or deleted, can't be told that it is no baseline any more.
_UNREACHABLE = {"RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE", "INVALID_STATE"}


def gated_values(made: Mapping[str, Any]) -> dict[str, float]:
    """The gated measures of a portable baseline that have a value."""
    means = {metric.name: made["metrics"].get(metric.name) for metric in GATED}
    return {name: mean["value"] for name, mean in means.items() if mean and mean["value"] is not None}


def describe(made: Mapping[str, Any], run_name: str) -> str:
    """What a version is. The list of versions shows the first few words, so the reason stands there."""
    kept = made["promotion"]
    forced = f" Although it is worse than the one before: {plain(kept['forced'])}." if "forced" in kept else ""
    rows = [[name, f"{value:.4f}"] for name, value in gated_values(made).items()]
    prints = ", ".join(f"{name} `{value}`" for name, value in sorted(made["fingerprints"].items()))
    return "\n\n".join(
        [
            f"{plain(kept['why'])}.{forced}",
            f"Run **{plain(run_name)}** (`{kept['run']}`, tier {made['run']['tier']}), promoted {kept['at']} by "
            f"{plain(kept['by'])}.",
            table(["gated metric", "value"], rows),
            f"Commit `{kept.get('commit', 'unknown')}`. Fingerprints: {prints}.",
        ]
    )


def tell(registry: Registry, version: Registered) -> None:
    """Let model, runs and, last of all, the version itself say that this is the baseline now."""
    client = registry.client
    shown = client.get_model_version(version.model, str(version.version)).description
    client.update_registered_model(version.model, f"**Baseline: version {version.version}**, because: {shown}")
    for run_id in sorted({each.run_id for each in registry.versions(version.model)} - {version.run_id}):
        _mark(registry, run_id, None)
    _mark(registry, version.run_id, version)
    client.set_model_version_tag(version.model, str(version.version), STATE_TAG, "promoted")


def _mark(registry: Registry, run_id: str, version: Registered | None) -> None:
    """Put tag and description of a run right: of the baseline's, or of one that is it no more."""
    client = registry.client
    try:
        run = client.get_run(run_id)
        if version is not None:
            client.set_tag(run_id, NOTE_TAG, _head(version) + _note(run))
            client.set_tag(run_id, RUN_TAG, version.title)
        elif RUN_TAG in run.data.tags or _HEAD.match(run.data.tags.get(NOTE_TAG, "")):
            client.set_tag(run_id, NOTE_TAG, _note(run))
            client.delete_tag(run_id, RUN_TAG)
    except MlflowException as error:
        if error.error_code not in _UNREACHABLE:
            raise


def _head(version: Registered) -> str:
    kept = version.promotion
    page = f"[{version.title}](#/models/{version.model}/versions/{version.version})"
    return f"**Baseline {page}** since {kept.get('at')}: {plain(kept.get('why', ''))}\n\n"


def _note(run: Run) -> str:
    """The run's description without what was said of it as the baseline."""
    return _HEAD.sub("", run.data.tags.get(NOTE_TAG, ""))
