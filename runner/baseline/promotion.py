"""Making a run the baseline: one at a time, and at every moment the old one counts or the new one.

The order of the steps is what makes it so. The new portable report is written beside its place first, which needs room
on the disk; then the version is registered; setting the alias is the one moment at which the baseline changes; moving
the file into its place and the notes for readers follow. Whoever comes next finishes what was cut short there.
"""

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from mlflow.entities import Run
from mlflow.exceptions import MlflowException

from eval.errors import EvalfirstError, InputError
from eval.gate.anchor import anchor_text, make_anchor, read_anchor
from eval.gate.verdict import Verdict
from runner.baseline.candidate import PromotionRefusedError, candidate, refuse_worse, verdict_on
from runner.baseline.pages import describe, gated_values, tell
from runner.baseline.places import anchor_path
from runner.baseline.registry import (
    ALIAS,
    CHECKSUM_TAG,
    REPORT,
    STATE_TAG,
    Registered,
    Registry,
    checksum_of,
)
from runner.places import write_whole

LOCK_TIMEOUT_S = 60
LONGEST_REASON = 500
NO_REASON = "no reason given"


@dataclass(frozen=True)
class Reason:
    """Who promotes a run and why; ``forced`` says why a run that is worse than the baseline becomes it all the same."""

    by: str
    why: str = NO_REASON
    forced: str | None = None

    def __post_init__(self) -> None:
        """Refuse a reason that says nothing, or too much for a tag."""
        for option, text in (("--why", self.why), ("--force", self.forced), ("--by", self.by)):
            if text is not None and (not text.strip() or len(text) > LONGEST_REASON):
                raise InputError(f"{option} takes 1 to {LONGEST_REASON} characters (got {len(text)})")


@contextmanager
def alone(registry: Registry) -> Iterator[None]:
    """One promotion at a time, of all that use this database file or this folder."""
    database = registry.address.database
    place = (database.parent if database else registry.address.root) / ".promotion.lock"
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(place, timeout=LOCK_TIMEOUT_S):
            yield
    except Timeout as error:
        raise EvalfirstError(f"another promotion holds {place} for {LOCK_TIMEOUT_S} seconds now; try again") from error


@dataclass(frozen=True)
class Promoted:
    """The new baseline, the verdict on it against the old one where that could be had, and the portable report."""

    version: Registered
    verdict: Verdict | None
    anchor: Path


def promote(registry: Registry, run: Run, reason: Reason, given_anchor: str | None) -> Promoted:
    """Register a run as the baseline of its dataset, and write the portable report.

    Raises:
        PromotionRefusedError: the run is not a complete one, or is worse than the baseline and this is not forced.
        BaselineBrokenError: the run's report is not among its files.
    """
    report, results = candidate(registry, run)
    model = report["run"]["dataset"]
    with alone(registry):
        anchor = anchor_path(given_anchor, model)
        finish(registry, model, anchor)
        verdict = verdict_on(registry, results, anchor)
        if reason.forced is None:
            refuse_worse(run, verdict)
        made = make_anchor(report, _promotion(run, reason))
        _prepare(anchor, made)
        version = _register(registry, run, report, made)
        _switch(registry, version, anchor)
        return Promoted(version, verdict, anchor)


def roll_back(registry: Registry, model: str, reason: Reason, anchor: Path) -> Registered:
    """Return to the baseline before the present one, which is then marked as taken back.

    Raises:
        InputError: there is none before it.
        BaselineBrokenError: that one's run or files are gone.
    """
    with alone(registry):
        finish(registry, model, anchor)
        versions = registry.versions(model)
        present = next((version for version in versions if version.is_baseline), None)
        earlier = [version for version in versions if version.was_baseline and not version.is_baseline]
        earlier = [version for version in earlier if present is None or version.version < present.version]
        if not earlier:
            raise InputError(f"{present.title if present else model} has no baseline before it to return to")
        target = earlier[-1]
        _prepare(anchor, make_anchor(registry.report_of(target), target.promotion))
        _switch(registry, target, anchor)
        if present is not None:
            taken = f"rolled back {_now()} by {reason.by}: {reason.why}"
            registry.client.set_model_version_tag(model, str(present.version), STATE_TAG, taken)
        return target


def repair(registry: Registry, model: str, anchor: Path) -> Registered:
    """Write the portable report and what the pages say anew from the registered baseline."""
    with alone(registry):
        finish(registry, model, anchor)
        present = registry.current(model)
        if present is None:
            raise InputError(f"no run of {model} is the baseline yet: python -m runner.promote RUN")
        _prepare(anchor, make_anchor(registry.report_of(present), present.promotion))
        _put_in_place(anchor, present)
        tell(registry, present)
        return present


def finish(registry: Registry, model: str, anchor: Path) -> None:
    """Complete or discard what an interrupted promotion left behind. To be called alone."""
    versions = registry.versions(model)
    present = next((version for version in versions if version.is_baseline), None)
    left = beside(anchor)
    if left.exists():
        if present is not None and _promotion_in(left) == present.promotion:
            left.replace(anchor)
        else:
            left.unlink()
    if present is not None and not present.was_baseline:
        tell(registry, present)
    for version in versions:
        if present is not None and version.was_baseline and version.version > present.version:
            registry.client.set_model_version_tag(model, str(version.version), STATE_TAG, "rolled back")


def _prepare(anchor: Path, made: Mapping[str, Any]) -> None:
    """Write the next portable report beside its place, before anything is changed."""
    try:
        if anchor.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(anchor))
        write_whole(beside(anchor), anchor_text(made))
    except OSError as error:
        raise PromotionRefusedError(
            f"the portable report can't be written: {error.filename}: {error.strerror}; nothing was changed; make room "
            "or give access, or name another place with --anchor PATH"
        ) from error


def beside(anchor: Path) -> Path:
    """Where the next portable report waits for its moment."""
    return anchor.with_name(f".{anchor.name}.next")


def _promotion_in(path: Path) -> Mapping[str, Any] | None:
    """What a portable report says of its promotion; ``None`` if it is not whole."""
    try:
        return read_anchor(path).promotion
    except InputError:
        return None


def _promotion(run: Run, reason: Reason) -> dict[str, str]:
    """What is kept of a promotion."""
    tags = run.data.tags
    commit = tags.get("mlflow.source.git.commit", "")
    changed = " with changes" if tags.get("evalfirst.git.dirty") == "true" else ""
    kept = {"run": run.info.run_id, "by": reason.by, "at": _now(), "why": reason.why}
    kept |= {"commit": f"{commit}{changed}"} if commit else {}
    return kept | ({"forced": reason.forced} if reason.forced is not None else {})


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _register(registry: Registry, run: Run, report: Mapping[str, Any], made: Mapping[str, Any]) -> Registered:
    """A new version, which is not the baseline yet."""
    client, model = registry.client, report["run"]["dataset"]
    try:
        client.create_registered_model(model, tags={"evalfirst.dataset": model})
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
        client.set_registered_model_tag(model, "evalfirst.dataset", model)  # it may have been made by hand
    tags = {f"evalfirst.metric.{name}": f"{value:.4f}" for name, value in gated_values(made).items()}
    tags |= {f"evalfirst.{name}": value for name, value in made["promotion"].items()}
    tags |= {f"evalfirst.fingerprint.{name}": value for name, value in made["fingerprints"].items()}
    tags |= {CHECKSUM_TAG: str(checksum_of(report)), STATE_TAG: "started"}
    version = client.create_model_version(
        model,
        source=f"runs:/{run.info.run_id}/{REPORT}",
        run_id=run.info.run_id,
        tags=tags,
        description=describe(made, run.info.run_name),
        await_creation_for=0,  # it is ready at once, as nothing is copied
    )
    return Registered(model, int(version.version), run.info.run_id, tags, is_baseline=False)


def _switch(registry: Registry, version: Registered, anchor: Path) -> None:
    """Make a version the baseline: the one moment is when its alias is set."""
    registry.client.set_registered_model_alias(version.model, ALIAS, str(version.version))
    _put_in_place(anchor, version)
    tell(registry, version)


def _put_in_place(anchor: Path, version: Registered) -> None:
    try:
        beside(anchor).replace(anchor)
    except OSError as error:
        raise EvalfirstError(
            f"{version.title} is the baseline, but {anchor} can't be written: {error.strerror}; mend that, then: "
            "python -m runner.promote --repair"
        ) from error
