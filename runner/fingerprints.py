"""What a run was made from, as fingerprints: two runs with an equal one had the same of it."""

from functools import cache
from pathlib import Path

import eval as scale
import runner
from eval.fingerprints import code_fingerprint, fingerprint
from eval.records import Dataset
from runner.config import Setup

# What the measured values follow from besides the data; where data lies and where runs are kept is not part of it.
MEASURED = ("chunker", "retriever", "budget", "generator", "judge", "tier")


def run_fingerprints(setup: Setup, dataset: Dataset) -> dict[str, str]:
    """Fingerprints of corpus, golden set, configuration, judge, its prompt if it has one, token counter and code."""
    prompt = getattr(setup.judge, "prompt_version", None)
    return {
        "corpus": dataset.corpus_fingerprint,
        "golden_set": dataset.golden_fingerprint,
        "config": fingerprint({group: setup.resolved[group] for group in MEASURED}),
        "judge": fingerprint(setup.resolved["judge"]),
        "counter": setup.budget.counter,
        "code": _code(),
        **({} if prompt is None else {"prompt": str(prompt)}),
    }


@cache
def _code() -> str:
    return code_fingerprint(Path(package.__path__[0]) for package in (scale, runner))
