"""Which column of a table is which, and several ids in one cell."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.errors import InputError
from eval.importing.formats.cells import listed
from eval.importing.formats.columns import named
from eval.records import Question
from tests.eval import foreign_sets
from tests.eval.foreign_sets import written
from tests.eval.imported_sets import dropped, imported, questions


def test_a_table_with_the_columns_of_a_golden_set_is_read_as_one(tmp_path: Path) -> None:
    content = "id,question,answerDocIds,type,answer,tags\nc1,How long?,leave,single,25 days,time; staff\n"
    result = imported("csv", written(tmp_path / "q.csv", content), corpus=foreign_sets.corpus(tmp_path))
    assert questions(result) == [Question("c1", "How long?", "single", ("leave",), "25 days", ("time", "staff"))]
    assert result.ledger.notes == []


def test_documents_of_a_none_question_are_seen_under_any_name_of_the_column(tmp_path: Path) -> None:
    content = "question,{},type\nKept?,leave,single\nNone with docs?,parking,none\n"
    for place, name in enumerate(("docs", "answerDocIds", "Answer Doc IDs", "answer_doc_ids")):
        path = written(tmp_path / f"{place}.csv", content.format(name))
        result = imported("csv", path, corpus=foreign_sets.corpus(tmp_path))
        assert [question.text for question in questions(result)] == ["Kept?"]
        assert list(dropped(result)) == ["is said to have no answer, yet lists documents"]


def test_a_table_without_a_column_of_documents_is_refused_before_it_mislabels(tmp_path: Path) -> None:
    path = written(tmp_path / "q.csv", "question,sources,type\nNone?,leave,none\n")
    with pytest.raises(InputError, match=r"has no column docs \(or answerDocIds\); .* --column docs=NAME"):
        imported("csv", path, corpus=foreign_sets.corpus(tmp_path))


def test_two_columns_that_say_the_same_are_refused_unless_one_is_chosen() -> None:
    header = ["question", "docs", "answerDocIds"]
    with pytest.raises(InputError, match=r"two columns for docs: 'docs' and 'answerDocIds'; say which with --column"):
        named(Path("q.csv"), header, {})
    assert named(Path("q.csv"), header, {"docs": "answerDocIds"})["docs"] == "answerDocIds"


def test_a_text_that_is_no_table_is_not_printed_as_the_names_of_its_columns(tmp_path: Path) -> None:
    corpus = foreign_sets.corpus(tmp_path)
    with pytest.raises(InputError, match="begins like JSON; a table begins with a line of column names"):
        imported("csv", written(tmp_path / "q.jsonl", json.dumps({"question": "Q" * 500})), corpus=corpus)
    with pytest.raises(InputError) as caught:
        imported("csv", written(tmp_path / "q.csv", "x" * 500 + "\n1\n"), corpus=corpus)
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("pay;people", ["pay", "people"]),
        ("pay | people", ["pay", "people"]),
        ("pay\npeople", ["pay", "people"]),
        ("pay,people", ["pay", "people"]),
        ("pay、people", ["pay", "people"]),
        ('["pay","people"]', ["pay", "people"]),
        ("['pay', 'people']", ["pay", "people"]),
        ("a, b", ["a, b"]),
        ("a, b; pay", ["a, b", "pay"]),
        ("pay,gone", ["pay,gone"]),
        ("", []),
    ],
)
def test_several_ids_in_a_cell_are_told_apart_by_every_mark_that_is_sure(cell: str, names: list[str]) -> None:
    assert listed(cell, {"pay", "people", "a, b"}) == names


def test_a_cell_that_is_not_understood_says_how_several_ids_are_written(tmp_path: Path) -> None:
    path = written(tmp_path / "q.csv", "question,docs\nKept?,leave\nTwo?,leave parking\n")
    result = imported("csv", path, corpus=foreign_sets.corpus(tmp_path))
    assert dropped(result) == {
        "lists documents that are not in the corpus or were dropped": [f"{path}:3: leave parking"]
    }
    assert any(note.startswith("docs: between several ids stands ; or |") for note in result.ledger.notes)


@given(st.lists(st.sampled_from(["a", "b,c", "d e", "f-g"]), min_size=1, max_size=4))
def test_ids_with_a_sure_mark_between_them_are_always_had_back(names: list[str]) -> None:
    assert listed(";".join(names), {"a", "b,c", "d e", "f-g"}) == names
