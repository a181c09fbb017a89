"""One file to text: encodings, byte-order marks, line ends, and what is no text."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.sources.text_file import is_blank, read_text, stated_form


def written(folder: Path, content: bytes) -> Path:
    path = folder / "page.md"
    path.write_bytes(content)
    return path


def problem(path: Path) -> str:
    with pytest.raises(InputError) as raised:
        read_text(path)
    assert len(raised.value.problems) == 1
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_byte_order_mark_does_not_hide_the_first_heading(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, b"\xef\xbb\xbf# Title\nbody")) == "# Title\nbody"


def test_line_ends_of_every_system_give_the_same_text(tmp_path: Path) -> None:
    assert read_text(written(tmp_path, b"# A\r\nx\r## B\ny")) == "# A\nx\n## B\ny"


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_utf_16_is_read_by_its_mark(tmp_path: Path, mark: bytes, encoding: str) -> None:
    assert read_text(written(tmp_path, mark + "年假每年十天\r\n".encode(encoding))) == "年假每年十天\n"


def test_another_encoding_is_told_with_line_and_remedy(tmp_path: Path) -> None:
    path = written(tmp_path, b"# Leave\r\n\r\n" + "年假每年十天".encode("gb18030"))
    assert problem(path).startswith(f"{path}:3: not UTF-8 (byte 0xc4)")
    assert "iconv -f GB18030 -t UTF-8" in problem(path)


def test_half_a_character_in_utf_16_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xff\xfe" + "a\nb".encode("utf-16-le") + b"\x00\xd8")
    assert problem(path).startswith(f"{path}:2: not UTF-16-LE")


def test_an_encoded_lone_surrogate_is_not_utf_8(tmp_path: Path) -> None:
    path = written(tmp_path, b"ok\n\xed\xa0\x80")
    assert problem(path).startswith(f"{path}:2: ")


def test_a_nul_character_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, b"one\ntwo\0")
    assert problem(path).startswith(f"{path}:2: holds a NUL character")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    assert problem(tmp_path / "nowhere.md").startswith(f"{tmp_path / 'nowhere.md'}: cannot be read")


def test_a_link_to_itself_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop.md").symlink_to("loop.md")
    assert "cannot be read" in problem(tmp_path / "loop.md")


@pytest.mark.parametrize("text", ["", "   \n", "\ufeff", "\u200b\u200d\u2060", "\u3000\xa0\t\x0b"])
def test_what_shows_nothing_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["One.", "年", "👍🏽", "\u200b-"])
def test_what_shows_something_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@given(st.text(st.sampled_from("a\r\n\ufeff年 "), max_size=30))
@settings(max_examples=100)
def test_the_stated_form_is_stable_and_holds_no_carriage_return(text: str) -> None:
    form = stated_form(text)
    assert "\r" not in form
    assert not form.startswith("\ufeff")
    assert stated_form(form) == form
