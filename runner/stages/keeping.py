"""Which work is kept on disk for other processes."""

from typing import Any

from runner.config.setup import OURS, Setup
from runner.fingerprints import kept_on_disk, work_code
from runner.memo import Keeping
from runner.systems.pipeline import Pipeline
from runner.work_cache.forms import Form


def keeping(setup: Setup, form: Form[Any], *groups: str) -> Keeping | None:
    """How a result is kept that follows from the parts of these groups.

    ``None``, where one of them is not ours to know, a part of somebody's own or a server, or holds a value of the
    environment, which is written nowhere. Nothing is kept of what follows from somebody else's system, as it may
    respond otherwise tomorrow.
    """
    if setup.work is None or not isinstance(setup.system, Pipeline):
        return None
    ours = all(kept_on_disk(setup.resolved[group]) for group in groups)
    public = all(setup.resolved[group] == setup.config[group] for group in groups)
    return Keeping(setup.work, work_code(), form) if ours and public else None


RANKED = OURS
PACKED = (*RANKED, "budget")
ANSWERED = (*PACKED, "generator")
JUDGED = (*ANSWERED, "judge")
