"""How time and memory grow with documents and questions: python -m tests.benchmarks.growth [DOCUMENTS QUESTIONS]

Each point is a command of its own, `python -m runner dataset=jsonl … tier=retrieval tracking=none`, as people run it,
on made-up documents of 200 words that follow Zipf's law; nothing is kept from one to the next. The stages' times are
those of the report (of the wall), "process" is what the processor worked for the whole command, memory is its peak.
Exponents are fitted in doubled logarithms: 1 is linear. Start-up, measured with one document, is taken off "process"
and memory before the fit. To rank costs questions times chunks in nature, so growth is taken in each of both alone.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

WORDS, VOCABULARY = 200, 50_000
POINTS_DOCUMENTS = [(1_000, 200), (10_000, 200), (100_000, 200)]
POINTS_QUESTIONS = [(10_000, 20), (10_000, 450), (10_000, 10_000)]
STAGES = ("load", "chunk", "count", "index", "rank", "pack")


@dataclass(frozen=True)
class Measured:
    """One command: seconds by stage, and megabytes at the peak under ``memory``."""

    documents: int
    questions: int
    values: Mapping[str, float]


def write(folder: Path, documents: int, questions: int) -> None:
    """A corpus whose words follow Zipf's law, and questions that quote a document each."""
    random = np.random.default_rng(0)
    ranks = 1 / np.arange(1, VOCABULARY + 1)
    below = np.cumsum(ranks / ranks.sum())
    words = np.array([f"w{number}" for number in range(VOCABULARY)], dtype=object)
    asked: dict[int, str] = {}
    picked = {int(n) for n in np.linspace(0, documents - 1, min(questions, documents))}
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
        for number in range(documents):
            text = words[np.searchsorted(below, random.random(WORDS)).clip(max=VOCABULARY - 1)]
            lines = [" ".join(text[start : start + 20]) + "." for start in range(0, WORDS, 20)]
            file.write(json.dumps({"_id": f"d{number}", "text": "\n\n".join(lines)}) + "\n")
            if number in picked:
                asked[number] = " ".join(text[:8])
    with (folder / "golden.jsonl").open("w", encoding="utf-8") as file:
        for number in range(questions):
            document = list(asked)[number % len(asked)]
            row = {"id": f"q{number}", "question": f"{asked[document]} {number}?", "type": "single"}
            file.write(json.dumps({**row, "answerDocIds": [f"d{document}"]}) + "\n")


def run(documents: int, questions: int) -> Measured:
    """Start one command and read its report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, documents, questions)
        typed = ["dataset=jsonl", "dataset.corpus=corpus.jsonl", "dataset.golden=golden.jsonl"]
        command = [sys.executable, "-m", "runner", *typed, "tier=retrieval", "tracking=none"]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = child.stdout.read() if child.stdout else b""
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 3):
            raise SystemExit(f"the command failed:\n{said.decode()[-2000:]}")
        report = json.loads((folder / "mlruns" / "reports" / "latest.json").read_text("utf-8"))
    return Measured(documents, questions, {**_stages(report), **_process(used)})


def _stages(report: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]) -> dict[str, float]:
    stages = report["bills"]["latency_ms"]
    return {name: stages[name]["total"] / 1000 for name in STAGES if name in stages and "total" in stages[name]}


def _process(used: resource.struct_rusage) -> dict[str, float]:
    return {"process": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024}


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The slope of the line through the points in doubled logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(values, 1e-4)), 1)[0])


def show(points: Sequence[tuple[int, int]], start_up: Measured, *, of: str) -> None:
    """Run the points, print each, then the exponents."""
    found = []
    for documents, questions in points:
        found.append(run(documents, questions))
        parts = "; ".join(f"{name} {value:.2f}" for name, value in found[-1].values.items())
        print(f"{documents:>7} documents, {questions:>6} questions: {parts}", flush=True)
    sizes = [getattr(item, of) for item in found]
    slopes = {}
    for name in found[-1].values:
        base = start_up.values[name] if name in ("process", "memory") else 0.0
        slopes[name] = exponent(sizes, [item.values[name] - base for item in found])
    print(f"  exponents in {of}: " + ", ".join(f"{name} {slope:.2f}" for name, slope in slopes.items()))


def main(arguments: Sequence[str]) -> None:
    """Print growth in documents, then in questions; or a single point."""
    if arguments:
        print(run(int(arguments[0]), int(arguments[1])))
        return
    start_up = run(1, 1)
    print("start-up: " + "; ".join(f"{name} {value:.2f}" for name, value in start_up.values.items()))
    show(POINTS_DOCUMENTS, start_up, of="documents")
    show(POINTS_QUESTIONS, start_up, of="questions")


if __name__ == "__main__":
    main(sys.argv[1:])
