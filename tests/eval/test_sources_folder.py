"""A folder as a corpus: ids, order, and every file that cannot be a document."""

import os
import unicodedata
from pathlib import Path

import pytest

from eval.errors import InputError
from eval.records import Document
from eval.sources.corpus import read_documents
from eval.sources.folder import read_folder


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def problems(folder: Path) -> tuple[str, ...]:
    with pytest.raises(InputError) as raised:
        read_folder(folder)
    return raised.value.problems


def test_ids_are_relative_paths_without_suffix_in_path_order(tmp_path: Path) -> None:
    write(tmp_path, b_md="B", hr__leave_md="L", a_txt="A", hr__deep__x_1_TXT="X")
    found = read_folder(tmp_path)
    assert found == [
        Document("a", "A"),
        Document("b", "B"),
        Document("hr/deep/x.1", "X"),
        Document("hr/leave", "L"),
    ]


def test_only_markdown_and_text_files_that_are_not_hidden_are_documents(tmp_path: Path) -> None:
    write(tmp_path, a_md="A", b_pdf="B", _hidden_md="H", _git__c_md="C")
    assert [document.id for document in read_folder(tmp_path)] == ["a"]


def test_blank_files_are_documents_and_do_not_end_the_reading(tmp_path: Path) -> None:
    write(tmp_path, a_md="", b_md="   \n", c_md="One.")
    assert [document.text for document in read_folder(tmp_path)] == ["", "   \n", "One."]


def test_two_files_of_one_id_are_refused_by_name(tmp_path: Path) -> None:
    write(tmp_path, a_md="A", a_txt="B")
    assert problems(tmp_path) == (
        f"{tmp_path / 'a.txt'}: gives the id 'a', and so does {tmp_path / 'a.md'}; rename one of them",
    )


def test_an_accent_typed_in_two_ways_is_one_id(tmp_path: Path) -> None:
    for form in ("NFC", "NFD"):
        (tmp_path / unicodedata.normalize(form, "café.md")).write_text("x", encoding="utf-8")
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system takes both names for one")
    assert "gives the id 'café'" in problems(tmp_path)[0]


def test_a_decomposed_file_name_gives_a_composed_id(tmp_path: Path) -> None:
    (tmp_path / unicodedata.normalize("NFD", "café.md")).write_text("x", encoding="utf-8")
    assert read_folder(tmp_path)[0].id == unicodedata.normalize("NFC", "café")


def test_every_bad_file_is_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, a_md="fine")
    (tmp_path / "b.md").write_bytes(b"\xff")
    (tmp_path / "c.md").write_bytes(b"\0")
    (tmp_path / "d.md").symlink_to("nowhere")
    os.mkfifo(tmp_path / "e.md")
    told = problems(tmp_path)
    assert [line.split(":")[0][-4:] for line in told] == ["b.md", "c.md", "d.md", "e.md"]


def test_a_file_name_of_broken_characters_is_told(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system holds no such names")
    assert "rename it" in problems(tmp_path)[0]


def test_a_folder_that_links_back_to_itself_is_told(tmp_path: Path) -> None:
    write(tmp_path, a_md="A", sub__b_md="B")
    (tmp_path / "sub" / "up").symlink_to("..")
    assert problems(tmp_path) == (f"{tmp_path / 'sub' / 'up'}: links back to a folder that holds it; remove the link",)


def test_a_linked_folder_is_read(tmp_path: Path) -> None:
    write(tmp_path, elsewhere__b_md="B", corpus__a_md="A")
    (tmp_path / "corpus" / "more").symlink_to(tmp_path / "elsewhere")
    assert [document.id for document in read_folder(tmp_path / "corpus")] == ["a", "more/b"]


def test_no_folder_and_no_documents_are_told(tmp_path: Path) -> None:
    assert "cannot be read" in problems(tmp_path / "nowhere")[0]
    assert "holds no document" in problems(tmp_path)[0]
    write(tmp_path, a_md="A")
    assert "is a file; a corpus is a folder" in problems(tmp_path / "a.md")[0]


def test_a_corpus_path_is_a_folder_or_json_lines(tmp_path: Path) -> None:
    write(tmp_path, a_md="A")
    lines = tmp_path / "corpus.jsonl"
    lines.write_text('{"_id": "a", "text": "A"}', encoding="utf-8")
    assert read_documents(tmp_path) == read_documents(lines) == [Document("a", "A")]
    with pytest.raises(InputError, match="a corpus is a folder"):
        read_documents(tmp_path / "a.md")
