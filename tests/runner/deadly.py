"""A promotion that kills itself on the way, for a process of its own."""

import os
import signal
from pathlib import Path
from typing import Any

from runner.baseline.promotion import Reason, promote
from runner.baseline.registry import Registry
from runner.baseline.runs import Runs
from runner.tracking.mlflow_store import MlflowTracking


class Deadly:
    """A client of the store whose process dies at its call of a number, just before it or just after."""

    def __init__(self, client: Any, number: int, when: str) -> None:
        """``when`` is before or after."""
        self.client, self.left, self.when = client, number, when

    def __getattr__(self, name: str) -> Any:
        """The client's method, with death around it."""

        def call(*given: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == 0 and self.when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return getattr(self.client, name)(*given, **named)
            finally:
                if self.left == 0 and self.when == "after":
                    os.kill(os.getpid(), signal.SIGKILL)

        return call


def promote_and_die(root: Path, run_id: str, anchor: Path, number: int, when: str) -> None:
    """Promote a run and die at that call; come back if there are fewer calls."""
    with MlflowTracking(root=root).opened() as address:
        registry = Registry.at(address)
        run = Runs(registry.client).find(run_id)
        dying: Any = Deadly(registry.client, number, when)
        promote(Registry(dying, address), run, Reason("Bo", "second"), str(anchor))
