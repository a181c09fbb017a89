"""The BEIR layout, imported."""

from pathlib import Path

import pytest

from eval.errors import InputError
from eval.records import Question
from tests.eval import foreign_sets
from tests.eval.foreign_sets import lines, written
from tests.eval.imported_sets import changed, dropped, imported, questions


def test_beir_keeps_types_answers_and_ids(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path)
    result = imported("beir", tmp_path)
    assert questions(result) == [
        Question("q1", "How long is annual leave?", "single", ("leave",), "25 days"),
        Question("q2", "What do parking and lunch have in common?", "multi", ("parking", "canteen")),
        Question("q3", "Is parking free on annual leave?", "none"),
    ]
    assert [document.id for document in result.documents] == ["leave", "parking", "canteen"]


def test_beir_without_types_reads_any_of_and_tells_grades_and_zeros(tmp_path: Path) -> None:
    foreign_sets.corpus(tmp_path).rename(tmp_path / "corpus.jsonl")
    lines(tmp_path / "queries.jsonl", [{"_id": 1, "text": "Leave?"}, {"_id": "2", "text": "Unjudged?"}])
    rows = "1\tleave\t2\n1\tparking\t1\n1\tcanteen\t0\n9\tleave\t1\n"
    written(tmp_path / "qrels" / "dev.tsv", "query-id\tcorpus-id\tscore\n" + rows)
    result = imported("beir", tmp_path, split="dev")
    assert questions(result) == [Question("1", "Leave?", "single", ("leave", "parking"))]
    assert dropped(result) == {
        "judges a query that is not there": [f"{tmp_path}/qrels/dev.tsv:5: 9"],
        "0 or less says that the document is no answer": [f"{tmp_path}/qrels/dev.tsv:4"],
        "lists no document, and nothing says that none answers it": [f"{tmp_path}/queries.jsonl:2"],
    }
    assert "a grade became a yes" in changed(result)
    assert changed(result)["type concluded: of several judged documents any one will do"]


def test_files_of_a_beir_folder_that_are_missing_are_told_together(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path)
    (tmp_path / "queries.jsonl").unlink()
    with pytest.raises(InputError) as caught:
        imported("beir", tmp_path, split="dev")
    assert caught.value.problems == (
        f"{tmp_path}/queries.jsonl: is no file; {tmp_path} holds corpus.jsonl, qrels",
        f"{tmp_path}/qrels/dev.tsv: is no file; {tmp_path}/qrels holds test.tsv",
    )


def test_wrong_lines_of_judgements_are_told_with_their_line(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path)
    with (tmp_path / "qrels" / "test.tsv").open("a") as judged:
        judged.write("q1 leave 1\nq1\tleave\t1\nq1\tleave\t0\n")
    result = imported("beir", tmp_path)
    path = tmp_path / "qrels" / "test.tsv"
    told = dropped(result)["wrong line"]
    assert [example.split(": ")[0] for example in told] == [f"{path}:5", f"{path}:7"]
    assert len(result.questions) == 3
