"""`python -m eval export` as tests run it, and the golden sets and reports that they give to it."""

import json
from collections.abc import Sequence
from pathlib import Path

from typer.testing import CliRunner

from eval.__main__ import app
from eval.errors import InputError
from eval.records import Question
from tests.eval.foreign_sets import written


def command(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["export", *map(str, arguments)])
    if result.exception:
        raise result.exception
    return result.stdout


def fails(*arguments: str | Path) -> tuple[str, ...]:
    result = CliRunner().invoke(app, ["export", *map(str, arguments)])
    assert isinstance(result.exception, InputError)
    return result.exception.problems


def golden_file(path: Path, questions: Sequence[Question]) -> Path:
    entries = [
        {"id": each.id, "question": each.text, "answerDocIds": list(each.answer_doc_ids), "type": each.type}
        for each in questions
    ]
    return written(path, json.dumps(entries))


def report_file(path: Path, ranked: dict[str, list[str]], questions: Sequence[Question], total: int = 0) -> Path:
    """A run's report as far as rankings go: documents of chunks, all with one score, so that all of them tie."""
    asked = {question.id: question for question in questions}
    rows = [
        {
            "id": name,
            "fingerprint": asked[name].fingerprint if name in asked else "0",
            "ranked": [{"doc_id": doc, "chunk_id": f"{doc}#1", "score": 1.0, "tokens": 9} for doc in documents],
            "ranked_total": max(total, len(documents)),
            "first_hit_rank": None,
        }
        for name, documents in ranked.items()
    ]
    return written(path, json.dumps({"run": {"id": "r", "name": "s200 bm25"}, "questions": rows}))
