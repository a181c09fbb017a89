"""What starting costs beside importing what it stands on: python -m tests.benchmarks.startup [REPEATS]

`python -m runner` on the shipped handbook, whole, with a database and kept work of an earlier run, against a process
that only imports the modules of other packages that such a run loads, in the same order. Seconds of work (user and
system time of the process), the least of several, taken in turn; then what the run spends them on.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWN = {"eval", "runner"}
REPEATS, SHOWN = 5, 8
_LOADED = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+([\w.]+)")
_IMPORTS = """
import importlib, sys
for name in open(sys.argv[1]).read().split():
    try:
        importlib.import_module(name)
    except Exception:
        pass  # some modules load only as a part of others
"""


def seconds(arguments: list[str], folder: str) -> float:
    """Work of one process."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], cwd=folder, env=environment(), check=True, capture_output=True)
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system)


def environment() -> dict[str, str]:
    """This one's, with the checkout's modules."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "MLFLOW_DISABLE_TELEMETRY": "true"}


def loaded(folder: str) -> list[tuple[str, int]]:
    """The modules that a run loads, in order, and the microseconds of each without what it loads in turn."""
    command = [sys.executable, "-X", "importtime", "-m", "runner"]
    done = subprocess.run(command, cwd=folder, env=environment(), check=True, capture_output=True, text=True)
    return [(module, int(own)) for own, module in _LOADED.findall(done.stderr)]


def main(repeats: int) -> None:
    """Print the ratio, and what dominates."""
    with tempfile.TemporaryDirectory() as folder:
        seconds(["-m", "runner"], folder)  # makes the database, keeps its work, compiles the sources
        modules = loaded(folder)
        others = [name for name, _ in modules if name.partition(".")[0] not in OWN]
        names = Path(folder, "modules.txt")
        names.write_text("\n".join(others))
        importing = ["-c", _IMPORTS, str(names)]
        pairs = [(seconds(importing, folder), seconds(["-m", "runner"], folder)) for _ in range(repeats)]
        imports, runs = (min(values) for values in zip(*pairs, strict=True))
        print(f"importing {imports:.2f} s, python -m runner {runs:.2f} s of work: {runs / imports:.2f} times")
        spent: dict[str, int] = {}
        for name, took in modules:
            spent[name.partition(".")[0]] = spent.get(name.partition(".")[0], 0) + took
        for package in sorted(spent, key=lambda name: -spent[name])[:SHOWN]:
            print(f"  {spent[package] / 1000:7.0f} ms to import {package}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS)
