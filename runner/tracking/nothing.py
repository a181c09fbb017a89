"""Tracking switched off."""

from pathlib import Path

from eval.component import component


@component
class NoTracking:
    """Logs nothing; runs stay on disk, where ``python -m runner.relog --all`` can still log them."""

    def check(self, experiment: str) -> None:
        """There is nothing to open."""

    def log_run(self, folder: Path) -> None:
        """Leave the run in its folder."""

    def log_sweep(self, folder: Path) -> None:
        """Leave the sweep in its folder."""
