"""Measured runs for the tests of baseline and gate: whole ones, as the experiment loop writes and logs them."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from eval.gate.decide import Baseline, NoBaseline
from eval.gate.rules import Gate
from eval.records import (
    Dataset,
    Document,
    Judgement,
    Question,
    QuestionRecord,
    RunRecord,
    StageTimes,
    Statement,
    Unscored,
)
from eval.report.build import NOTHING_PROMOTED, build_report
from runner.run_folder import Job, write_run
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import Logged

SINGLE, NONE = 16, 4
SUPPORTED = Judgement(refused=False, statements=(Statement("Yes.", "supported"),), relevancy=0.5)
REFUSED = Judgement(refused=True, statements=(), relevancy=0.0)


def a_record(number: int, *, hit: bool, judged: Judgement | Unscored | None) -> QuestionRecord:
    """A question that one document answers, found at rank 1 or lost at rank 4."""
    question = Question(f"q{number:02}", f"What is {number}?", "single", (f"d{number}",))
    rank = 1 if hit else 4
    return QuestionRecord(
        question,
        ranked=(),
        ranked_total=10,
        context=(),
        context_tokens=100,
        hit=hit,
        first_hit_rank=rank,
        reciprocal_rank=1 / rank,
        ndcg_at_10=1.0 if hit else 0.5,
        doc_ndcg_at_10=1.0 if hit else 0.5,
        tokens_to_hit=100,
        budget_hits={100: hit},
        answer=None if judged is None else "Yes.",
        judgement=judged,
    )


def a_run(
    lost: Collection[int] = (),
    *,
    name: str = "a-run",
    dataset: str = "tiny",
    tier: Literal["retrieval", "full"] = "full",
    unscored: Collection[int] = (),
    gate: dict[str, Any] | None = None,
) -> RunRecord:
    """A run over 16 answerable questions, of which those in ``lost`` are misses, and four that are refused."""
    judges = tier == "full"

    def judged(number: int) -> Judgement | Unscored | None:
        return (Unscored("timeout") if number in unscored else SUPPORTED) if judges else None

    records = [a_record(number, hit=number not in lost, judged=judged(number)) for number in range(SINGLE)]
    for number in range(NONE):
        question = Question(f"n{number}", f"Is {number} odd?", "none")
        refused = REFUSED if judges else None
        records.append(replace(a_record(99, hit=False, judged=refused), question=question, hit=None))
        records[-1] = replace(records[-1], first_hit_rank=None, reciprocal_rank=None, ndcg_at_10=None)
        records[-1] = replace(records[-1], doc_ndcg_at_10=None, tokens_to_hit=None, budget_hits={})
    documents = tuple(Document(f"d{number}", f"It is {number}.") for number in range(SINGLE))
    data = Dataset(dataset, documents, tuple(record.question for record in records))
    return RunRecord(
        name=name,
        dataset=data,
        records=records,
        tier=tier,
        config={
            "dataset": {"_target_": "x.Y", "name": dataset},
            "chunker": {"_target_": "x.Chunker", "size": 200},
            "budget": {"tokens": 600, "policy": "stop"},
            "gate": gate or {},
            "tracking": {},
        },
        budget_tokens=600,
        fingerprints={
            "corpus": data.corpus_fingerprint,
            "golden_set": data.golden_fingerprint,
            "config": "c" * 16,
            "judge": "j" * 16,
            "counter": "o200k_base",
            "code": "e" * 16,
        },
        times=(StageTimes("rank", (1.0,)),),
        counts={"documents": SINGLE, "chunks": SINGLE, "chunk_tokens": 1600, "context_tokens": 2000},
    )


def log_measured(
    tracking: MlflowTracking,
    run: RunRecord,
    folder: Path,
    baseline: Baseline | NoBaseline = NOTHING_PROMOTED,
    sweep: str | None = None,
    started: int = 1_700_000_000_000,
) -> Logged:
    """Write a run's folder and log it; returns where it is."""
    folder.mkdir(parents=True)
    job = Job(
        folder,
        choices={"dataset": "folder", "chunker": "sentence"},
        overrides=(),
        sweep=sweep,
        reports=folder.parent.parent / "reports",
        experiment=run.dataset.name,
        started=started,
    )
    report = build_report(run, job.run_id, Gate(), baseline)
    write_run(job, run, report, "# Report\n", 3 if report.incomplete else 0, started + 1000)
    return tracking.log_run(folder)
