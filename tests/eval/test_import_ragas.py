"""RAGAS test sets: columns of several versions, passages, and what is no reference."""

import json
from pathlib import Path

import pytest

from eval.importing.ledger import UnusableError
from eval.importing.reading.printed_lists import parse_list
from tests.eval import foreign_sets
from tests.eval.foreign_sets import CANTEEN, LEAVE, PARKING, lines, written
from tests.eval.imported_sets import changed, dropped, imported, questions, rules


def test_ragas_columns_of_several_versions_mean_the_same(tmp_path: Path) -> None:
    today = [{"user_input": "Same?", "reference_contexts": [PARKING, CANTEEN], "reference": "No."}]
    before = [{"question": "Same?", "contexts": [PARKING, CANTEEN], "ground_truth": "No.", "episode_done": True}]
    oldest = [{"question": "Same?", "contexts": [PARKING, CANTEEN], "ground_truths": ["No.", "Not."]}]
    results = [
        imported("ragas", written(tmp_path / f"{number}.json", json.dumps(rows)))
        for number, rows in enumerate((today, before, oldest))
    ]
    assert questions(results[0]) == questions(results[1]) == questions(results[2])
    assert [question.type for question in questions(results[0])] == ["multi"]
    assert list(changed(results[0])) == ["type concluded: a reference made from several passages needs all of them"]


def test_ragas_contexts_beside_a_systems_answer_are_no_reference(tmp_path: Path) -> None:
    kept = {"question": "Kept?", "contexts": [LEAVE], "ground_truth": "25"}
    rows = [kept, {**kept, "question": "Dropped?", "answer": "25 days"}]
    result = imported("ragas", lines(tmp_path / "set.jsonl", rows))
    assert [question.text for question in questions(result)] == ["Kept?"]
    assert list(dropped(result)) == [
        "contexts stand beside a system's answer: they were retrieved, and are no reference"
    ]


def test_single_hop_passages_are_any_of_and_multi_hop_ones_all_of(tmp_path: Path) -> None:
    both = {"reference_contexts": [PARKING, CANTEEN], "reference": "x"}
    makers = ["single_hop_specifc_query_synthesizer", "NewMultiHopQuery", "multi_context", "SingleHopSpecificQuery"]
    rows = [{"user_input": f"Q {maker}?", "synthesizer_name": maker, **both} for maker in makers]
    result = imported("ragas", lines(tmp_path / "set.jsonl", rows))
    assert [question.type for question in questions(result)] == ["single", "multi", "multi", "single"]
    assert changed(result) == {}


def test_passages_are_found_in_a_corpus_whatever_its_blanks_and_punctuation(tmp_path: Path) -> None:
    rows = [
        {
            "user_input": "Found?",
            "reference_contexts": ["<1-hop>\n\nannual leave is 25  days unused days"],
            "reference": "x",
        },
        {"user_input": "Same document?", "reference_contexts": ["Annual leave", "in March"], "reference": "x"},
        {"user_input": "Two places?", "reference_contexts": ["is "], "reference": "x"},
        {"user_input": "Gone?", "reference_contexts": [LEAVE, "Nowhere to be found"], "reference": "x"},
        {"user_input": "Only marks?", "reference_contexts": ["***"], "reference": "x"},
    ]
    result = imported("ragas", lines(tmp_path / "set.jsonl", rows), corpus=foreign_sets.corpus(tmp_path))
    assert rules(result) == [
        ("single", ("leave",)),
        ("single", ("leave",)),
        ("single", ("leave", "canteen")),
    ]
    assert len(dropped(result)["a passage of it is in no document of the corpus"]) == 2
    assert "passage found in several documents of the corpus; any of them counts" in changed(result)
    assert [document.id for document in result.documents] == ["leave", "parking", "canteen"]


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("['it''s', \"it's\"]", None),
        ("['a', \"it's\"]", ["a", "it's"]),
        ('["a\\nb"]', ["a\nb"]),
        ("['a' 'b']", None),
        ("['a'\n 'b']", None),
        ("plain text", ["plain text"]),
        ("[broken", ["[broken"]),
        ("[1, 2]", None),
        ("[a, b]", None),
        ("", []),
    ],
)
def test_lists_that_a_table_holds_as_text_are_read_or_told(cell: str, texts: list[str] | None) -> None:
    if texts is None:
        with pytest.raises(UnusableError):
            parse_list(cell, "contexts")
    else:
        assert parse_list(cell, "contexts") == texts


def test_a_ragas_table_holds_its_passages_as_printed_lists(tmp_path: Path) -> None:
    rows = [f"Long?,\"['{LEAVE}']\",25 days", f"Same?,\"['{PARKING}' '{CANTEEN}']\",no"]
    path = written(tmp_path / "set.csv", "user_input,reference_contexts,reference\n" + "\n".join(rows))
    result = imported("ragas", path)
    assert [(question.text, question.answer) for question in questions(result)] == [("Long?", "25 days")]
    assert list(dropped(result)) == ["reference_contexts is a printed array without commas; save the set as JSON lines"]
