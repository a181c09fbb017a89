"""Tables of questions: separators, headers, types, and every bad record with its line."""

from pathlib import Path

import pytest

from eval.errors import InputError
from eval.records import Question
from tests.eval import foreign_sets
from tests.eval.foreign_sets import lines, written
from tests.eval.imported_sets import changed, dropped, imported, questions, rules


def table(folder: Path, content: str, suffix: str = ".csv") -> tuple[Path, Path]:
    return written(folder / f"questions{suffix}", content), foreign_sets.corpus(folder)


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    path, corpus = table(tmp_path, "\ufeffid,question,docs\nc1,How long?,leave\n")
    assert questions(imported("csv", path, corpus=corpus)) == [Question("c1", "How long?", "single", ("leave",))]


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".csv", "id;question;docs\nc1;Long, or not?;leave|parking\n"),
        (".tsv", "id\tquestion\tdocs\nc1\tLong, or not?\tleave;parking\n"),
        (".csv", 'id,question,docs\nc1,"Long, or not?",leave；parking\n'),
    ],
)
def test_tables_of_other_separators_are_read_alike(suffix: str, content: str, tmp_path: Path) -> None:
    path, corpus = table(tmp_path, content, suffix)
    result = imported("csv", path, corpus=corpus)
    assert questions(result) == [Question("c1", "Long, or not?", "single", ("leave", "parking"))]
    assert list(changed(result)) == ["type concluded: of several listed documents any one will do"]


def test_a_table_from_a_spreadsheet_in_utf_16_is_read(tmp_path: Path) -> None:
    path, corpus = table(tmp_path, "", ".tsv")
    path.write_bytes("id\tquestion\tdocs\r\nc1\t年假几天？\tleave\r\n".encode("utf-16"))
    assert [question.text for question in questions(imported("csv", path, corpus=corpus))] == ["年假几天？"]


def test_headers_of_another_name_are_given_by_option(tmp_path: Path) -> None:
    path, corpus = table(tmp_path, "Frage,Quellen,Notiz\nWie lange?,leave,x\n")
    result = imported("csv", path, corpus=corpus, columns=["question=Frage", "docs=Quellen"])
    assert rules(result) == [("single", ("leave",))]
    assert "columns without a meaning here were left out: Notiz" in result.ledger.notes
    told = r"has no column question, docs \(or answerDocIds\); its columns are Frage, Quellen, Notiz: .* --column docs="
    with pytest.raises(InputError, match=told):
        imported("csv", path, corpus=corpus)


def test_every_bad_record_is_told_with_the_line_on_which_it_begins(tmp_path: Path) -> None:
    content = (
        "id,question,docs,type\n"
        'c1,"Two\nlines?",leave,single\n'
        "\n"
        "c2,Too few cells\n"
        "c3,Gone?,d9,single\n"
        "c4,No documents?,,multi\n"
        "c5,Yet listed?,leave,none\n"
        "c6,Which type?,leave,many\n"
        "c1,Taken?,leave,single\n"
        "c7,,leave,single\n"
    )
    path, corpus = table(tmp_path, content)
    result = imported("csv", path, corpus=corpus)
    assert [question.id for question in questions(result)] == ["c1"]
    assert {reason: examples[0].split(": ")[0] for reason, examples in dropped(result).items()} == {
        "cannot be read": f"{path}:5",
        "lists documents that are not in the corpus or were dropped": f"{path}:6",
        "lists no document, and nothing says that none answers it": f"{path}:7",
        "is said to have no answer, yet lists documents": f"{path}:8",
        "type is no type": f"{path}:9",
        "its id is taken by another question": f"{path}:10",
        "blank question": f"{path}:11",
    }
    assert dropped(result)["its id is taken by another question"] == [f"{path}:10: 'c1' is taken by {path}:2"]
    assert dropped(result)["lists documents that are not in the corpus or were dropped"] == [f"{path}:6: d9"]
    assert result.ledger.read["questions"] == 8


def test_an_id_that_holds_a_separator_is_not_taken_apart(tmp_path: Path) -> None:
    path = written(tmp_path / "q.csv", "question,docs,type\nWhere?,a|b; c,multi\nThere?,a|b,single\n")
    corpus = lines(tmp_path / "c.jsonl", [{"_id": name, "text": "x y"} for name in ("a|b", "c")])
    result = imported("csv", path, corpus=corpus)
    assert rules(result) == [("single", ("a|b",))]
    assert list(dropped(result)) == ["lists documents that are not in the corpus or were dropped"]


def test_a_header_that_names_a_column_twice_is_refused(tmp_path: Path) -> None:
    path, corpus = table(tmp_path, "id,id\n1,2\n")
    with pytest.raises(InputError, match="the header names columns twice: 'id'"):
        imported("csv", path, corpus=corpus)


def test_a_quote_left_open_is_an_error_where_it_begins_and_swallows_nothing(tmp_path: Path) -> None:
    path, corpus = table(tmp_path, 'question,docs\nKept?,leave\n"Open?,leave\nSwallowed?,leave\n')
    with pytest.raises(InputError, match=r"questions\.csv:3: cannot be read as a record \(unexpected end of data\)"):
        imported("csv", path, corpus=corpus)


def test_old_line_ends_and_cells_of_several_lines_keep_their_lines(tmp_path: Path) -> None:
    path, corpus = table(tmp_path, 'question,docs\r"One\rtwo?",leave\rGone?,d9\r')
    result = imported("csv", path, corpus=corpus)
    assert [question.text for question in questions(result)] == ["One\ntwo?"]
    assert list(dropped(result).values()) == [[f"{path}:4: d9"]]
