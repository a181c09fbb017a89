"""A tiny handbook that is measured in this process, part by part, without the command around it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from eval.component import component
from eval.metrics.measures import measure as means_of
from eval.records import Judgement, QuestionRecord, RunRecord, Statement
from runner.config.setup import Resources, prepare
from runner.memo import Memo
from runner.stages.measure import measure

Measured = Callable[..., RunRecord]

DOCUMENTS = {
    "a_2": "Parking is free.",
    "a": "Parking costs five euro.",
    "b": "Leave is thirty days.",
    "blank": " \n\u200b",
}


@component
class CountingJudge:
    """A judge that says how it was set up."""

    relevancy: float = 0.5

    def judge(self, question: str, context: str, answer: str) -> Judgement:  # noqa: ARG002 – the Protocol's
        """One supported statement."""
        return Judgement(refused=False, statements=(Statement(answer, "supported"),), relevancy=self.relevancy)


def tiny_runs(tmp_path: Path, resources: Resources | None = None) -> Measured:
    """Measures the handbook; settings are changed by dotted key (``__`` for the dot), runs share a memo."""
    docs = tmp_path / "docs"
    docs.mkdir(exist_ok=True)
    for name, text in DOCUMENTS.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    questions: list[dict[str, Any]] = [
        {"id": "q1", "question": "parking", "answerDocIds": ["a"], "type": "single"},
        {"id": "q2", "question": "zebra", "answerDocIds": ["b"], "type": "single"},
        {"id": "q3", "question": "cinema parking", "answerDocIds": [], "type": "none"},
    ]
    (tmp_path / "golden.json").write_text(json.dumps(questions), encoding="utf-8")
    base = {
        "dataset": {
            "_target_": "runner.datasets.folder.FolderDataset",
            "name": "tiny",
            "path": str(docs),
            "golden": str(tmp_path / "golden.json"),
        },
        "chunker": {"_target_": "runner.chunkers.sentence.SentenceChunker", "size": 50},
        "retriever": {"_target_": "runner.retrievers.bm25.Bm25Retriever"},
        "query": {"_target_": "runner.queries.none.AsAsked"},
        "reranker": {"_target_": "runner.rerankers.none.NoReranker"},
        "system": {"_target_": "runner.systems.pipeline.Pipeline"},
        "budget": {"_target_": "runner.packing.budget.TokenBudget", "tokens": 100, "policy": "stop"},
        "generator": {"_target_": "runner.generators.extractive.ExtractiveGenerator"},
        "judge": {"_target_": f"{__name__}.CountingJudge"},
        "gate": {"_target_": "eval.gate.rules.Gate"},
        "tracking": {"_target_": "runner.tracking.nothing.NoTracking"},
        "tier": {"name": "full"},
        "name": None,
        "max_unscored": 0.0,
    }
    memo = Memo()

    def measured(**changes: object) -> RunRecord:
        config = OmegaConf.create(base)
        for key, value in changes.items():
            OmegaConf.update(config, key.replace("__", "."), value, merge=False, force_add=True)
        return measure(prepare(config, "a-run", resources=resources), memo)

    return measured


def by_id(record: RunRecord, question: str) -> QuestionRecord:
    return next(item for item in record.records if item.question.id == question)


def values(record: RunRecord, metric: str) -> float | None:
    return means_of(record.records)[metric].value
