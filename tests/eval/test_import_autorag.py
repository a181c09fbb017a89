"""AutoRAG's Parquet files: groups of documents, ids and texts."""

from pathlib import Path
from typing import Any

import pytest

from eval.errors import InputError
from eval.records import Question
from tests.eval import foreign_sets
from tests.eval.foreign_sets import parquet, written
from tests.eval.imported_sets import changed, dropped, imported, questions, rules


@pytest.mark.parametrize(
    ("found", "rule"),
    [
        ([["leave", "parking"]], ("single", ("leave", "parking"))),
        (["leave", "parking"], ("single", ("leave", "parking"))),
        ("leave", ("single", ("leave",))),
        ([["leave"], ["parking"]], ("multi", ("leave", "parking"))),
        # whoever has leave has one of leave and parking
        ([["leave", "parking"], ["leave"]], ("single", ("leave",))),
        ([["leave"], ["leave"]], ("single", ("leave",))),
    ],
)
def test_autorag_groups_become_any_of_or_all_of(found: Any, rule: tuple[str, tuple[str, ...]], tmp_path: Path) -> None:
    foreign_sets.autorag(tmp_path)
    parquet(tmp_path / "qa.parquet", [{"qid": "a", "query": "Q?", "retrieval_gt": found, "generation_gt": ["A"]}])
    assert rules(imported("autorag", tmp_path)) == [rule]


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ([["leave", "parking"], ["canteen"]], "needs several documents, one of them from alternatives"),
        ([[]], "lists no document, and nothing says that none answers it"),
        ([[""]], "lists no document, and nothing says that none answers it"),
        ([["gone"]], "lists documents that are not in the corpus or were dropped"),
    ],
)
def test_autorag_groups_that_no_rule_of_ours_says_are_dropped_with_the_reason(
    found: Any, reason: str, tmp_path: Path
) -> None:
    foreign_sets.autorag(tmp_path)
    kept = {"qid": "k", "query": "Kept?", "retrieval_gt": [["leave"]], "generation_gt": ["A"]}
    parquet(tmp_path / "qa.parquet", [kept, {**kept, "qid": "a", "query": "Q?", "retrieval_gt": found}])
    result = imported("autorag", tmp_path)
    assert [question.id for question in questions(result)] == ["k"]
    (told,) = dropped(result)
    assert told.startswith(reason)
    assert dropped(result)[told][0].startswith(f"{tmp_path}/qa.parquet: row 2")


@pytest.mark.parametrize(
    ("found", "reason"),
    [([[7]], "retrieval_gt is no list of texts"), (7, "retrieval_gt is neither a list nor an id")],
)
def test_autorag_ids_that_are_no_texts_are_told(found: Any, reason: str, tmp_path: Path) -> None:
    foreign_sets.autorag(tmp_path)
    parquet(tmp_path / "qa.parquet", [{"qid": "a", "query": "Q?", "retrieval_gt": found, "generation_gt": ["A"]}])
    with pytest.raises(InputError, match=reason):
        imported("autorag", tmp_path)


def test_a_parquet_file_of_another_kind_is_told_in_one_line(tmp_path: Path) -> None:
    foreign_sets.autorag(tmp_path)
    parquet(tmp_path / "qa.parquet", [{"question": "Q?"}])
    with pytest.raises(
        InputError, match="has no column qid, query, retrieval_gt, generation_gt; its columns are question"
    ):
        imported("autorag", tmp_path)
    written(tmp_path / "qa.parquet", "no parquet")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        imported("autorag", tmp_path)


def test_a_text_with_nul_is_mended_so_that_it_can_be_read_again(tmp_path: Path) -> None:
    foreign_sets.autorag(tmp_path)
    parquet(tmp_path / "corpus.parquet", [{"doc_id": "le\0ave", "contents": "25\0days"}])
    row = {"qid": "a", "query": "Q\0?", "retrieval_gt": [["le\0ave"]], "generation_gt": ["A"]}
    parquet(tmp_path / "qa.parquet", [row])
    result = imported("autorag", tmp_path)
    assert (result.documents[0].id, result.documents[0].text) == ("le ave", "25\ufffddays")
    assert questions(result) == [Question("a", "Q\ufffd?", "single", ("le ave",), "A")]
    assert "NUL or half a character replaced by U+FFFD" in changed(result)
