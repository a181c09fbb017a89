"""What one start of the command shares between Hydra's callbacks, its jobs and the end of the command.

Hydra builds callbacks and calls jobs itself and lets nothing be handed through, so this is the one place of
module-level state. A launcher that runs jobs in other processes gives each of them a session of its own: what such jobs
share lies on disk, and how they ended is read from the sweep's folder. Only of the command's own process are ``sweep``,
``tracking``, ``swept`` and ``refused`` set.
"""

from dataclasses import dataclass, field
from pathlib import Path

from runner.command.progress import bar
from runner.config.setup import Resources
from runner.experiment import Outcome, Shared
from runner.memo import Memo
from runner.places import mlruns
from runner.protocols import Tracking
from runner.vector_store import VectorStore
from runner.work_cache.store import WorkCache


def _shared() -> Shared:
    kept = mlruns() / "cache"
    return Shared(Memo(bar), Resources(work=WorkCache(kept / "work"), vectors=VectorStore(kept), progress=bar))


@dataclass
class Session:
    """``sweep`` and ``tracking`` are set when a sweep starts, ``swept`` are the keys that differ between its jobs;
    ``refused`` is set when it must not start. Of a sweep that is only estimated there is nothing but ``swept``.

    ``apart`` are the options of swept parts, which Hydra is told of when it composes the runs.
    ``interrupted`` is set by a signal, as a library may swallow the exception or turn it into one of its own.
    """

    shared: Shared = field(default_factory=_shared)
    outcomes: list[Outcome] = field(default_factory=list)
    swept: tuple[str, ...] = ()
    sweep: Path | None = None
    tracking: Tracking | None = None
    refused: tuple[str, ...] = ()
    apart: list[str] = field(default_factory=list)
    interrupted: bool = False


SESSION = Session()
