"""`python -m eval import`: every format in its published structure, as a person runs it, and the kinds of each."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from eval.__main__ import app
from eval.errors import InputError
from eval.golden.check import check
from eval.golden.read import read_golden
from eval.importing.registry import FORMATS as READERS
from eval.sources.jsonl import read_corpus
from tests.eval import foreign_sets
from tests.eval.foreign_sets import FORMATS, LEAVE, hotpot_row, lines, squad_article, written
from tests.eval.imported_sets import changed, dropped, imported, questions, rules


def test_every_format_has_a_sample_here() -> None:
    assert list(FORMATS) == list(READERS)


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_imported_passes_the_check_and_is_the_same_bytes_again(name: str, tmp_path: Path) -> None:
    arguments = FORMATS[name](tmp_path / "in")
    for folder in ("first", "second"):
        result = CliRunner().invoke(app, ["import", name, *arguments, "--to", str(tmp_path / folder)])
        assert (result.exit_code, result.exception) == (0, None)
    golden = read_golden(tmp_path / "first" / "golden-set.json")
    findings = check(golden, read_corpus(tmp_path / "first" / "corpus.jsonl"))
    assert [finding for finding in findings if finding.level == "error"] == []
    assert golden.questions
    contents = [
        {path.name: path.read_bytes() for path in sorted((tmp_path / folder).iterdir())}
        for folder in ("first", "second")
    ]
    assert list(contents[0]) == ["corpus.jsonl", "golden-set.json", "import-report.md"]
    assert contents[0] == contents[1]


def test_squad_merges_a_paragraph_that_stands_twice_and_drops_a_blank_one(tmp_path: Path) -> None:
    asked = {"id": "a", "question": "How long?", "answers": [{"text": "25 days", "answer_start": 16}]}
    again = {**asked, "id": "b", "question": "How many days?"}
    lost = {**asked, "id": "c", "question": "What is blank?"}
    article = squad_article("A_Title", (LEAVE, [asked]), (" \n", [lost]), (LEAVE, [again]))
    path = written(tmp_path / "dev.json", json.dumps({"version": "1.1", "data": [article]}))
    result = imported("squad", path)
    assert rules(result) == [("single", ("A Title/001",)), ("single", ("A Title/001",))]
    assert questions(result)[0].answer == "25 days"
    where = f"{path}: data[0].paragraphs"
    assert dropped(result) == {
        "blank passage": [f"{where}[1]"],
        "the same document again, merged with the first": [f"{where}[2]: see {where}[0]"],
        "its passage is blank": [f"{where}[1].qas[0]"],
    }


def test_a_squad_file_of_another_shape_is_told_by_place(tmp_path: Path) -> None:
    data: list[Any] = [{"title": "T"}, squad_article("U", (LEAVE, [{"id": "x", "question": "Q?"}, "no object"]))]
    data[1]["paragraphs"][0]["qas"].append({"id": "y", "question": "Y?", "is_impossible": True})
    path = written(tmp_path / "dev.json", json.dumps({"data": data}))
    result = imported("squad", path)
    assert [question.id for question in questions(result)] == ["y"]
    assert result.ledger.dropped("questions") == 3
    assert "has no context" in dropped(result)


def test_hotpotqa_reads_columns_as_data_set_hubs_write_them(tmp_path: Path) -> None:
    row = hotpot_row()
    row["id"] = row.pop("_id")
    row["supporting_facts"] = {"title": ["Parking", "Canteen"], "sent_id": [0, 1]}
    row["context"] = {
        "title": [title for title, _ in row["context"]],
        "sentences": [sentences for _, sentences in row["context"]],
    }
    published = imported("hotpotqa", written(tmp_path / "a.json", json.dumps([hotpot_row()])))
    columns = imported("hotpotqa", lines(tmp_path / "b.jsonl", [row]))
    assert questions(columns) == questions(published)
    assert columns.documents == published.documents
    assert rules(published) == [("multi", ("Parking", "Canteen"))]


def test_hotpotqa_gives_two_paragraphs_of_one_title_two_ids_and_shares_equal_ones(tmp_path: Path) -> None:
    other = hotpot_row(_id="h2", question="And otherwise?")
    other["context"] = [*other["context"][1:], ["Leave", ["Another text on leave."]]]
    path = written(tmp_path / "dev.json", json.dumps([hotpot_row(), other]))
    result = imported("hotpotqa", path)
    assert [document.id for document in result.documents] == ["Leave", "Parking", "Canteen", "Leave (2)"]
    assert [example.split(": ", 1)[1] for example in next(iter(changed(result).values()))] == [
        "'Leave' is now 'Leave (2)'"
    ]
    assert result.ledger.dropped("documents") == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"supporting_facts": [["Elsewhere", 0]]}, "a supporting fact is in none of its paragraphs"),
        ({"supporting_facts": None}, "supporting_facts is no list of pairs; a test split has none"),
        ({"question": " "}, "blank question"),
        ({"question": None}, "has no question"),
        ({"context": [["Leave", "no list"]]}, "context is no list of titles with sentences"),
    ],
)
def test_a_hotpotqa_row_that_cannot_be_used_is_told(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    rows = [hotpot_row(), hotpot_row(_id="h2") | change]
    result = imported("hotpotqa", lines(tmp_path / "dev.jsonl", rows))
    assert [question.id for question in questions(result)] == ["h1"]
    assert list(dropped(result))[-1] == reason or reason in dropped(result)


def test_hotpotqa_with_facts_from_one_paragraph_is_single_and_says_so(tmp_path: Path) -> None:
    path = lines(tmp_path / "dev.jsonl", [hotpot_row(supporting_facts=[["Parking", 0], ["Parking", 1]])])
    result = imported("hotpotqa", path)
    assert rules(result) == [("single", ("Parking",))]
    assert "multi with one document is now single, as there is no second hop" in changed(result)


def test_multihop_rag_finds_evidence_by_url_or_title_and_null_queries_are_none(tmp_path: Path) -> None:
    foreign_sets.multihop_rag(tmp_path)
    rows = json.loads((tmp_path / "MultiHopRAG.json").read_text())
    del rows[0]["evidence_list"][0]["url"]
    rows.append({**rows[0], "query": "Another?", "evidence_list": [{"url": "https://gone.example", "title": "Gone"}]})
    rows.append({**rows[0], "query": "Both?", "question_type": "null_query"})
    path = written(tmp_path / "MultiHopRAG.json", json.dumps(rows))
    result = imported("multihop-rag", path)
    assert rules(result) == [("multi", ("https://news.example/parking", "https://news.example/canteen")), ("none", ())]
    assert questions(result)[1].answer is None
    assert list(dropped(result)) == [
        "its evidence is from an article that the corpus does not hold",
        "is said to have no answer, yet lists documents",
    ]


def test_multihop_rag_without_its_corpus_says_which_file_is_missing(tmp_path: Path) -> None:
    foreign_sets.multihop_rag(tmp_path)
    (tmp_path / "corpus.json").unlink()
    with pytest.raises(InputError, match=r"corpus\.json: is no file; name the file of the documents with --corpus"):
        imported("multihop-rag", tmp_path)


def test_nothing_usable_is_an_error_with_every_reason(tmp_path: Path) -> None:
    path = lines(tmp_path / "dev.jsonl", [hotpot_row(question=" "), {"no": "question"}])
    result = CliRunner().invoke(app, ["import", "hotpotqa", str(path), "--to", str(tmp_path / "out")])
    assert isinstance(result.exception, InputError)
    assert len(result.exception.problems) == 3
    assert result.exception.problems[0].startswith("no question can be used; is this the right format")
    assert not (tmp_path / "out").exists()


def test_passages_become_documents_once(tmp_path: Path) -> None:
    rows = [{"user_input": f"Question {number}?", "reference_contexts": [LEAVE], "reference": ""} for number in (1, 2)]
    result = imported("ragas", lines(tmp_path / "set.jsonl", rows))
    assert [document.text for document in result.documents] == [LEAVE]
    assert result.ledger.read["documents"] == 2
