"""Tracking databases and run folders for the tests of tracking."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runner.tracking.mlflow_store import MlflowTracking
from tests.runner.handbook import write_handbook

WriteRun = Callable[..., Path]

RUN = {
    "name": "s200-bm25-b600",
    "experiment": "handbook-en",
    "status": "FINISHED",
    "complete": True,
    "started": 1_700_000_000_000,
    "ended": 1_700_000_060_000,
    "params": {"chunker": "sentence", "chunker.size": 200, "judge": None},
    "metrics": {"retrieval/recall": 0.875, "cost/usd": 0.0},
    "tags": {"evalfirst.fingerprint.corpus": "0011223344556677"},
    "dataset": {
        "name": "handbook-en",
        "digest": "00ff-11ee",
        "source": {"path": "corpus/en"},
        "profile": {"documents": 30},
    },
    "sweep": None,
    "error": None,
}
SWEEP = {
    "jobs": 2,
    "swept": ["chunker.size"],
    "name": "chunk_small",
    "experiment": "handbook-en",
    "overrides": ["chunker.size=128,256"],
    "started": 1_700_000_000_000,
    "ended": None,
    "status": "RUNNING",
    "tags": {},
    "metrics": {},
}


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures that start servers: once, whichever folder of tests asks first."""
    config.pluginmanager.import_plugin("tests.runner.servers")
    config.pluginmanager.import_plugin("tests.runner.vector_servers")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new tracking database; making one takes seconds, copying it does not."""
    root = tmp_path_factory.mktemp("migrated")
    MlflowTracking(root=root).check("Default")
    return root / "mlflow.db"


@pytest.fixture
def root(migrated: Path, tmp_path: Path) -> Path:
    """An ``mlruns`` folder with an empty tracking database."""
    folder = tmp_path / "mlruns"
    folder.mkdir()
    shutil.copyfile(migrated, folder / "mlflow.db")
    return folder


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    """A folder with a corpus, a golden set, and nothing else."""
    write_handbook(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def write_run() -> WriteRun:
    """Writes a run folder as the experiment loop does; keywords replace values of its ``run.json``."""

    def write(folder: Path, **changes: Any) -> Path:
        folder.mkdir(parents=True)
        (folder / "report.md").write_text("# Report\n")
        (folder / "per_question.json").write_text(json.dumps({"columns": ["id", "hit"], "data": [["q1", True]]}))
        (folder / "run.json").write_text(json.dumps({**RUN, **changes}))
        return folder

    return write


@pytest.fixture(scope="session")
def write_sweep() -> WriteRun:
    """Writes the file of a sweep folder; keywords replace its values."""

    def write(folder: Path, **changes: Any) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sweep.json").write_text(json.dumps({**SWEEP, **changes}))
        return folder

    return write
