"""Kinds of files: lists in one line, rows of data-set hubs, Parquet, folders, and what is no text."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.errors import InputError
from eval.importing.lookup import Holders
from eval.importing.reading.source import require_files
from eval.sources.json_array import read_list
from tests.eval import foreign_sets
from tests.eval.foreign_sets import CANTEEN, LEAVE, PARKING, hotpot_row, lines, parquet, written
from tests.eval.imported_sets import dropped, imported, questions, rules


def test_a_list_on_one_line_names_each_element_by_its_number(tmp_path: Path) -> None:
    rows = [hotpot_row(), hotpot_row(_id="h2", question=" "), "no object", hotpot_row(_id="h3", question="Other?")]
    path = written(tmp_path / "hotpot.json", json.dumps(rows))
    result = imported("hotpotqa", path)
    assert [sourced.source for sourced in result.questions] == ["hotpot.json:1[0]", "hotpot.json:1[3]"]
    assert dropped(result)["blank question"] == [f"{path}:1[1]"]
    assert dropped(result)["cannot be read"] == [f"{path}:1[2]: must be an object in {{}} (got text)"]


def test_a_list_over_many_lines_keeps_its_lines_beside_the_numbers() -> None:
    rows = read_list(Path("a.json"), '\n[\n {"a": "x\\n"},\n\n {"a":\n 2}, {}\n]\n')
    assert [row.where for row in rows.rows] == ["a.json:3[0]", "a.json:5[1]", "a.json:6[2]"]
    assert rows.errors == ()


@pytest.mark.parametrize("text", ["", "7", "[", "[{}", "[{},]", "[{} {}]", "[{}] x", "[{}]]", "[,{}]"])
def test_a_slip_in_a_list_is_one_error_and_what_stood_before_it_is_kept(text: str) -> None:
    rows = read_list(Path("a.json"), text)
    assert len(rows.errors) == 1
    assert len(rows.rows) == (1 if text.startswith("[{}") else 0)


@given(st.lists(st.dictionaries(st.text(), st.integers() | st.text())), st.sampled_from([None, 1]))
def test_a_list_is_read_as_the_standard_reader_reads_it(values: list[dict[str, Any]], indent: int | None) -> None:
    values = [{name.replace("\0", ""): value for name, value in each.items()} for each in values]
    text = json.dumps(values, indent=indent, ensure_ascii=False).replace("\\u0000", "")
    rows = read_list(Path("a.json"), text)
    assert [row.value for row in rows.rows] == json.loads(text)


def flat(**changes: Any) -> dict[str, Any]:
    answers = {"text": ["25 days", "25"], "answer_start": [16, 16]}
    return {
        "id": "s1", "title": "Staff_Handbook", "context": LEAVE, "question": "How long?", "answers": answers
    } | changes  # fmt: skip


FLAT = [
    flat(),
    flat(id="s2", question="How ill?", answers={"text": [], "answer_start": []}),
    flat(id="s3", context=PARKING, question="How much?", answers={"text": ["five euro"], "answer_start": [14]}),
    flat(id="s4", answers=None),
]


@pytest.mark.parametrize("name", ["set.jsonl", "set.json", "list.json", "set.parquet"])
def test_squad_in_rows_of_data_set_hubs_is_read_like_the_published_form(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "set.parquet":
        parquet(path, FLAT)
    elif name == "list.json":
        written(path, json.dumps(FLAT))
    else:
        lines(path, FLAT)
    result = imported("squad", path)
    assert rules(result) == [("single", ("Staff Handbook/001",)), ("none", ()), ("single", ("Staff Handbook/002",))]
    assert [question.answer for question in questions(result)] == ["25 days", None, "five euro"]
    assert [(document.id, document.text) for document in result.documents] == [
        ("Staff Handbook/001", LEAVE), ("Staff Handbook/002", PARKING)
    ]  # fmt: skip
    assert result.ledger.dropped("questions") == 1


def test_json_lines_under_the_name_of_json_are_read_as_lines(tmp_path: Path) -> None:
    rows = [hotpot_row(), hotpot_row(_id="h2", question="And otherwise?")]
    assert questions(imported("hotpotqa", lines(tmp_path / "a.json", rows))) == questions(
        imported("hotpotqa", lines(tmp_path / "a.jsonl", rows))
    )


def test_parquet_is_read_where_rows_are_read_whatever_its_name(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"user_input": "Long?", "reference_contexts": [LEAVE], "reference": "25", "score": float("nan")},
        {"user_input": "Same?", "reference_contexts": [PARKING, CANTEEN], "reference": None, "score": 1.0},
    ]
    found = imported("ragas", parquet(tmp_path / "a.parquet", rows))
    assert questions(found) == questions(imported("ragas", parquet(tmp_path / "set.json", rows)))
    assert [sourced.source for sourced in found.questions] == ["a.parquet: row 1", "a.parquet: row 2"]
    columns = hotpot_row(supporting_facts={"title": ["Parking", "Canteen"], "sent_id": [0, 1]})
    columns["context"] = {"title": ["Parking", "Canteen"], "sentences": [["A."], ["B."]]}
    assert len(imported("hotpotqa", parquet(tmp_path / "h.parquet", [columns])).questions) == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (gzip.compress(b"{}", mtime=0), "is packed with gzip; unpack it first"),
        (b"PK\x03\x04 and more", "is a zip archive or a spreadsheet"),
        (b"SQLite format 3\x00", "is an SQLite database"),
    ],
    ids=["gzip", "zip", "sqlite"],
)
@pytest.mark.parametrize("name", ["squad", "hotpotqa", "ragas", "promptfoo"])
def test_a_file_that_is_no_text_is_told_by_its_kind_with_the_remedy(
    name: str, content: bytes, told: str, tmp_path: Path
) -> None:
    for suffix in (".json", ".jsonl", ".csv", ".yaml"):
        path = tmp_path / f"set{suffix}"
        path.write_bytes(content)
        with pytest.raises(InputError) as caught:
            imported(name, path)
        assert f"{path}: {told}" in str(caught.value)


def test_a_table_that_is_parquet_is_told_so(tmp_path: Path) -> None:
    path = parquet(tmp_path / "q.csv", [{"question": "Q?"}])
    with pytest.raises(InputError, match="is a Parquet file, and this format is read from text; save it as CSV"):
        imported("csv", path, corpus=foreign_sets.corpus(tmp_path))


@pytest.mark.parametrize("name", ["squad", "hotpotqa", "ragas", "promptfoo", "csv"])
def test_a_folder_where_files_are_read_is_told_as_one_with_what_it_holds(name: str, tmp_path: Path) -> None:
    written(tmp_path / "in" / "dev.json", "[]")
    corpus = foreign_sets.corpus(tmp_path) if name == "csv" else None
    with pytest.raises(InputError, match=r"in: is a folder, and this is read from files; name them \(it holds dev"):
        imported(name, tmp_path / "in", corpus=corpus)


@pytest.mark.parametrize("name", ["autorag", "multihop-rag"])
def test_two_files_given_side_by_side_are_answered_with_the_option_for_the_second(name: str, tmp_path: Path) -> None:
    first, second = written(tmp_path / "qa", ""), written(tmp_path / "corpus", "")
    with pytest.raises(InputError) as caught:
        imported(name, first, second)
    assert f"write {first} --corpus {second}" in str(caught.value)


def test_an_empty_folder_is_said_to_hold_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds nothing$"):
        require_files([tmp_path / "corpus.jsonl"])


def test_yaml_with_question_marks_in_flow_style_is_read(tmp_path: Path) -> None:
    content = (
        "tests:\n"
        "  - vars: {question: What?, context: Is it? It is.}\n"
        "  - vars: {question: 'Why?', context: [One?, \"Two?\"]}\n"
        "  - vars:\n"
        "      ? question\n"
        "      : Block?\n"
        "      context: |\n"
        "        Long? Yes.\n"
    )
    result = imported("promptfoo", written(tmp_path / "t.yaml", content))
    assert [question.text for question in questions(result)] == ["What?", "Why?", "Block?"]
    assert [document.text for document in result.documents] == ["Is it? It is.", "One?", "Two?", "Long? Yes.\n"]
    with pytest.raises(InputError) as caught:
        imported("promptfoo", written(tmp_path / "b.yaml", "tests: [a?, 'b?\n"))
    assert "\ufdd0" not in str(caught.value)


LETTERS = st.text("abé年\U0001f600", max_size=80)


@given(st.lists(LETTERS, max_size=5), LETTERS, st.integers(0, 60), st.integers(1, 60))
def test_a_passage_is_found_in_just_the_texts_that_hold_it(texts: list[str], other: str, start: int, size: int) -> None:
    holders = Holders(texts)
    for passage in [other, *(text[start : start + size] for text in texts)]:
        assert holders.find(passage) == [place for place, text in enumerate(texts) if passage in text]
