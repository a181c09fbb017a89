"""From a folder on disk to a run in the store, so that a second attempt never makes a second copy."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.fingerprints import canonical_json
from eval.gate.results import read_object
from eval.labels.answers import answers_of
from runner.clock import now_ms
from runner.tracking import folders
from runner.tracking.address import Address, locate
from runner.tracking.fitting import Values, fit
from runner.tracking.folders import Note, RunSummary
from runner.tracking.store import COMPLETE_TAG, PARENT_TAG, Store, open_store
from runner.tracking.traces import forget_traces, log_traces
from runner.tracking.tracker import Logged

TABLE = "per_question.json"
REPORT = "report.json"


def log_run(folder: Path, address: Address, experiment: str | None, *, traces: bool = False) -> Logged:
    """Log a run folder, unless its note says that this was done.

    With ``traces``, or where the run's own configuration asks for it, its answers become traces.
    """
    run = folders.read_run(folder)
    if gone := [name for name in run.files if not (folder / name).exists()]:
        raise InputError(
            f"{folder}: {', '.join(gone)} is gone, so the run is not whole; put it back, or delete the folder"
        )
    values = _values_of(run)
    with folders.lock(folder):
        note = folders.read_note(folder)
        if note and note.state == "finished":
            return _logged(note, address.root)
        store = open_store(address, experiment or run.experiment)
        if note:
            _discard(store, note.token)
        parent = {PARENT_TAG: _parent(address, experiment, folder.parent)[1].run_id} if run.sweep else {}
        # Noted before the store is asked: whatever happens from here on, the token finds what was begun.
        note = Note(address.uri, experiment_id=store.experiment_id, token=uuid.uuid4().hex, state="started")
        folders.write_note(folder, note)
        run_id = store.start(run.name, run.started, note.token, parent)
        _transfer(store, run_id, run, values, folder, traces=traces)
        return _finish(folder, replace(note, run_id=run_id), address.root)


def log_sweep(folder: Path, address: Address, experiment: str | None) -> Logged:
    """Log a sweep folder's state into the parent of its runs, which stays open as long as the sweep runs."""
    sweep = folders.read_sweep(folder)
    values = fit({}, sweep.metrics, {**sweep.tags, "evalfirst.overrides": canonical_json(sweep.overrides)})
    store, note = _parent(address, experiment, folder)
    store.fill(note.run_id, values, sweep.ended or now_ms(), folder)
    if (outcome := sweep.outcome) == "RUNNING":
        return _logged(note, address.root)
    store.end(note.run_id, outcome, sweep.ended)
    return _finish(folder, note, address.root)


def _values_of(run: RunSummary) -> Values:
    own = {"evalfirst.sweep": run.sweep, "evalfirst.error": run.error}
    said = {name: value for name, value in own.items() if value is not None}
    # That a run is complete is said last of all, when everything else is in the store.
    given = {name: value for name, value in run.tags.items() if name != COMPLETE_TAG}
    return fit(run.params, run.metrics, {**given, **said})


def _discard(store: Store, token: str) -> None:
    """Take away what an interrupted attempt left."""
    for run_id in store.find(token):
        forget_traces(store.client, store.experiment_id, run_id)
    store.discard(token)


def _transfer(store: Store, run_id: str, run: RunSummary, values: Values, folder: Path, *, traces: bool) -> None:
    store.fill(run_id, values, run.ended, folder)
    report = read_object(folder / REPORT) if (folder / REPORT).exists() else {}
    if report and (traces or _asks_for_traces(report)):
        asked = answers_of(report, str(folder / REPORT)).asked
        log_traces(store.client, store.experiment_id, run_id, asked, run.started)
    if run.dataset:
        store.note_data(run_id, run.dataset)
    if (folder / TABLE).exists():
        store.show_table(run_id, TABLE)
    store.end(run_id, run.status, run.ended)
    store.client.set_tag(run_id, COMPLETE_TAG, str(run.complete).lower())


def _asks_for_traces(report: Mapping[str, Any]) -> bool:
    """Whether the run was measured with the switch on: it may be logged later, by a command that does not know."""
    tracking = (report.get("config") or {}).get("tracking") or {}
    return tracking.get("traces") is True


def _parent(address: Address, experiment: str | None, folder: Path) -> tuple[Store, Note]:
    """The sweep's parent run, made by whoever needs it first, and the store of its experiment."""
    sweep = folders.read_sweep(folder)
    store = open_store(address, experiment or sweep.experiment)
    with folders.lock(folder):
        note = folders.read_note(folder)
        if note and note.uri == address.uri and (found := store.find(note.token)):
            return store, replace(note, run_id=found[0])
        note = Note(address.uri, experiment_id=store.experiment_id, token=uuid.uuid4().hex, state="started")
        folders.write_note(folder, note)
        # The parent belongs to the process that drives the sweep, which need not be the one that logs its first run.
        driver = {name: value for name, value in sweep.tags.items() if name == folders.PROCESS_TAG}
        note = replace(note, run_id=store.start(sweep.name, sweep.started, note.token, driver))
        folders.write_note(folder, note)
        return store, note


def _finish(folder: Path, note: Note, root: Path) -> Logged:
    note = replace(note, state="finished")
    folders.write_note(folder, note)
    return _logged(note, root)


def _logged(note: Note, root: Path) -> Logged:
    link = locate(note.uri, root).link(note.experiment_id, note.run_id)
    return Logged(note.run_id, note.experiment_id, link, note.uri)
