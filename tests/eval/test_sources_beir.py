"""The BEIR layout: types, judgements, and what does not fit together."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.errors import InputError
from eval.golden.check import refusals
from eval.golden.entry import GoldenSet
from eval.records import Question
from eval.sources.beir import read_beir

HEADER = "query-id\tcorpus-id\tscore"


def query(name: str, kind: str | None = None, **more: Any) -> dict[str, Any]:
    metadata = {} if kind is None else {"type": kind}
    return {"_id": name, "text": f"question {name}", "metadata": {**metadata, **more}}


def beir(folder: Path, queries: list[dict[str, Any]], judgements: list[str], split: str = "test") -> Path:
    """A collection with the documents d1, d2 and d3."""
    rows = [{"_id": f"d{number}", "text": f"text {number}"} for number in (1, 2, 3)]
    (folder / "qrels").mkdir()
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (folder / "qrels" / f"{split}.tsv").write_text("\n".join([HEADER, *judgements, ""]), encoding="utf-8")
    return folder


def golden(folder: Path, split: str = "test") -> GoldenSet:
    return read_beir(folder, split)[1]


def errors(folder: Path) -> list[str]:
    """What a run would refuse, each from its file name on."""
    documents, questions = read_beir(folder)
    return [str(found).removeprefix(f"{folder}/") for found in refusals(questions, documents)]


def test_types_and_answers_come_from_the_metadata(tmp_path: Path) -> None:
    queries = [query("q1", "multi", answer="both"), query("q2", "single", answer=""), query("q3", "none")]
    folder = beir(tmp_path, queries, ["q1\td1\t1", "q1\td3\t2", "q2\td2\t1"])
    assert golden(folder).questions == (
        Question("q1", "question q1", "multi", ("d1", "d3"), "both"),
        Question("q2", "question q2", "single", ("d2",)),
        Question("q3", "question q3", "none"),
    )
    assert errors(folder) == []


def test_without_a_type_any_judged_document_answers_and_the_unjudged_are_counted(tmp_path: Path) -> None:
    queries = [query("q1"), {"_id": "q2", "text": "t"}, query("q3"), {"id": "q4", "text": "t", "metadata": None}]
    folder = beir(tmp_path, queries, ["q1\td1\t1", "q1\td2\t1", "q2\td3\t0", "q4\td3\t1"])
    read = golden(folder)
    assert [(entry.id, entry.type, entry.answer_doc_ids) for entry in read.questions] == [
        ("q1", "single", ("d1", "d2")),
        ("q4", "single", ("d3",)),
    ]
    assert read.notes == ("2 queries without a type and without an answer document are left out",)


def test_a_score_of_zero_or_less_is_no_answer(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1", "single")], ["q1\td1\t0", "q1\td2\t-1", "q1\td3\t0.5"])
    assert golden(folder).questions[0].answer_doc_ids == ("d3",)


def test_types_that_contradict_the_judgements_are_refused(tmp_path: Path) -> None:
    queries = [query("q1", "none"), query("q2", "single"), query("q3", "multi")]
    told = errors(beir(tmp_path, queries, ["q1\td1\t1", "q2\td1\t0"]))
    assert [line.split("; ")[0] for line in told] == [
        "queries.jsonl:1: q1 is none, yet lists d1",
        "queries.jsonl:2: q2 is single and lists no document",
        "queries.jsonl:3: q3 is multi and lists no document",
    ]


def test_the_same_judgement_twice_counts_once_and_is_noted(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1", "single")], ["q1\td1\t1", "q1\td1\t1", "q1\td1\t1.0"])
    assert golden(folder).questions[0].answer_doc_ids == ("d1",)
    assert golden(folder).notes == ("2 judgements repeat an earlier one and count once",)


def test_one_pair_with_two_scores_is_refused_with_both_lines(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1", "single")], ["q1\td1\t1", "q1\td2\t1", "q1\td1\t2"])
    first = folder / "qrels" / "test.tsv"
    assert errors(folder) == [
        f"qrels/test.tsv:4: query 'q1' with document 'd1' has another score at {first}:2; keep one"
    ]


def test_judgements_of_unknown_queries_and_documents_are_refused_with_their_ids(tmp_path: Path) -> None:
    rows = ["q1\td1\t1", "qx\td1\t1", *(f"q1\td{number}\t1" for number in range(4, 16))]
    assert errors(beir(tmp_path, [query("q1", "multi")], rows)) == [
        "qrels/test.tsv:3: judges queries that are not there: qx; correct the ids or add them",
        "qrels/test.tsv:4: judges documents that are not there: "
        "d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, … (12 in all); correct the ids or add them",
    ]


def test_bad_rows_of_the_table_are_each_told(tmp_path: Path) -> None:
    folder = beir(
        tmp_path, [query("q1", "single")], ["q1\td1\t1", "q1 d2 1", "", "q1\td2\thigh", "q1\t\t1", "q1\td3\tnan"]
    )
    assert [line.split(": ")[0] for line in errors(folder)] == [f"qrels/test.tsv:{line}" for line in (3, 5, 6, 7)]


def test_a_table_without_its_header_is_refused(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1", "single")], [])
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\nq1\td2\t1\n", encoding="utf-8")
    assert errors(folder)[0].startswith("qrels/test.tsv:1: the header must be")


def test_a_byte_order_mark_and_carriage_returns_do_not_hide_the_header(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1", "single")], [])
    (folder / "qrels" / "test.tsv").write_bytes(f"\ufeff{HEADER}\r\nq1\td1\t1\r\n".encode())
    assert golden(folder).questions[0].answer_doc_ids == ("d1",)
    assert errors(folder) == []


def test_bad_queries_are_each_told(tmp_path: Path) -> None:
    queries = [query("q1", "double"), {"_id": "q2"}, {**query("q3"), "metadata": 5}, query("q4", "none", answer=4)]
    told = errors(beir(tmp_path, queries, []))
    assert [line.split(": ")[0] for line in told[:4]] == [f"queries.jsonl:{line}" for line in (1, 2, 3, 4)]
    assert "metadata.type must be one of single, multi, none (got 'double'), or be left out" in told[0]


def test_repeated_queries_are_refused_with_both_lines(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1", "none"), query("q1", "none")], [])
    assert errors(folder) == [f"queries.jsonl:2: id 'q1' is taken by {folder / 'queries.jsonl'}:1; give each its own"]


def test_another_split_is_another_table(tmp_path: Path) -> None:
    folder = beir(tmp_path, [query("q1")], ["q1\td2\t1"], split="dev")
    assert golden(folder, "dev").questions[0].answer_doc_ids == ("d2",)
    with pytest.raises(InputError, match=r"test\.tsv: cannot be read"):
        read_beir(folder)


def test_all_missing_files_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_beir(tmp_path)
    assert [problem.split(": ")[0] for problem in raised.value.problems] == [
        str(tmp_path / name) for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
    ]
    with pytest.raises(InputError, match="is no folder"):
        read_beir(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "documents", "single", "multi", "none", "answers"),
    [
        ("anthropic_docs", 232, 17, 83, 0, 192),
        ("cmrc2018_zh", 848, 3219, 0, 0, 3219),
        ("cranfield", 1400, 0, 225, 0, 1837),
        ("hotpotqa200", 1971, 0, 200, 0, 400),
        ("mtrag", 1488, 107, 404, 175, 1306),
        ("squad2_dev", 1216, 2910, 0, 3168, 2910),
    ],
)
def test_public_collections_load_whole(
    shared_data: Path, name: str, documents: int, single: int, multi: int, none: int, answers: int
) -> None:
    corpus, questions = read_beir(shared_data / "retrieval" / name)
    kinds = [question.type for question in questions.questions]
    assert len(corpus) == documents
    assert [kinds.count("single"), kinds.count("multi"), kinds.count("none")] == [single, multi, none]
    assert sum(len(question.answer_doc_ids) for question in questions.questions) == answers
    assert refusals(questions, corpus) == []
