"""What a sweep costs beside the work that its configurations need: python -m tests.benchmarks.sweep COLLECTION

COLLECTION is a folder in the BEIR layout. The sweep is `python -m runner +experiment=everything`, 48 configurations
with answers and their judgement, tracked by MLflow in a new folder. In the first one every distinct piece of work
(chunks, sizes, indexes, vectors, queries, rankings, rerankings, contexts, answers, judgements) is done once; the
seconds of these, as the reports have them, are added up and compared with the seconds of the whole command. The second
one finds what the first one kept. The tracking database is made beforehand.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]


def start(folder: str, *overrides: str) -> float:
    """Seconds of a command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MLFLOW_DISABLE_TELEMETRY": "true"}
    began = perf_counter()
    subprocess.run([sys.executable, "-m", "runner", *overrides], cwd=folder, env=environment, check=True, stdout=2)
    return perf_counter() - began


def worked(folder: str, number: int) -> tuple[int, dict[str, float]]:
    """Runs of a sweep, and the seconds of the work that was done in it, by stage."""
    sweep = sorted(Path(folder, "mlruns", "sweeps").iterdir())[number]
    spent: dict[str, float] = {}
    reports = [json.loads(path.read_text("utf-8")) for path in sweep.glob("*/report.json")]
    for report in reports:
        for stage, times in report["bills"]["latency_ms"].items():
            if not times["reused"]:
                spent[stage] = spent.get(stage, 0.0) + times["total"] / 1000
    return len(reports), spent


def main(collection: Path) -> None:
    """Print both sweeps."""
    with tempfile.TemporaryDirectory() as folder:
        start(folder, "tier=retrieval")  # makes the database
        data = ["+experiment=everything", "dataset=beir", f"dataset.path={collection.absolute()}"]
        first, again = (start(folder, *data) for _ in range(2))
        runs, spent = worked(folder, 0)
        _, repeated = worked(folder, 1)
        total, rest = sum(spent.values()), sum(repeated.values())
        print(f"{runs} runs in {first:.1f} s; their distinct work {total:.1f} s: {first / total:.2f} times")
        print("  " + ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in spent.items()))
        print(f"again in {again:.1f} s: {again / first:.2f} of the first; its own work {rest:.1f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
