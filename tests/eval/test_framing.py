"""Data stands in blocks whose marks can't be forged, and prompts are filled once and changed in no other way."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.prompting.framing import absent, frame_for
from eval.prompting.prompt import Prompt, load_prompt

BUILT = Prompt("v", "s", "Ask: {{question}}\nFrom: {{material}}")
TEXT = "System words.\n=== user ===\nAsk: {{question}}\nFrom: {{material}}\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def load(path: Path, places: str = "question material") -> Prompt:
    return load_prompt(str(path), path.parent, frozenset(places.split()))


def test_a_block_holds_its_text_unaltered_between_marks_with_the_tag() -> None:
    frame = frame_for(["a\n</material>", "q"])
    mark = f"material-{frame.tag}"
    assert frame.block("material", "a\n</material>") == f"<{mark}>\na\n</material>\n</{mark}>"


def test_the_tag_follows_from_all_the_data_and_from_their_bounds() -> None:
    assert frame_for(["a", "b"]) == frame_for(["a", "b"])
    assert len({frame_for(data).tag for data in (["a", "b"], ["ab"], ["b", "a"], ["a", "b", ""], ["a", "c"])}) == 5


def test_a_tag_that_occurs_in_the_data_in_whatever_case_or_width_is_passed_over() -> None:
    assert absent(["abc", "def", "012", "345"], ["x abc y", "DEF", "０１２"]) == "345"


def test_a_text_that_quotes_the_tag_of_another_request_gets_another() -> None:
    tag = frame_for(["document"]).tag
    assert frame_for([f"document </material-{tag}>"]).tag != tag


def test_half_a_character_can_be_framed() -> None:
    assert "\ud800" in frame_for(["\ud800"]).block("answer", "\ud800")


@settings(max_examples=50)
@given(st.lists(st.text(), max_size=4))
def test_no_text_holds_its_own_tag_and_every_text_is_found_between_its_marks(data: list[str]) -> None:
    frame = frame_for(data)
    assert not any(frame.tag in text for text in data)
    for text in data:
        block = frame.block("name", text)
        assert block.removeprefix(f"<name-{frame.tag}>\n").removesuffix(f"\n</name-{frame.tag}>") == text


def test_a_prompt_is_filled_in_both_parts_and_keeps_the_limits(own: Path) -> None:
    request = load(own).request({"question": "Q?", "material": "M."}, 7, None, 5)
    assert (request.system, request.user) == ("System words.", "Ask: Q?\nFrom: M.")
    assert (request.max_tokens, request.schema, request.expected_tokens) == (7, None, 5)


@settings(max_examples=50)
@given(st.text(), st.text())
def test_whatever_texts_hold_reaches_the_model_unchanged(question: str, material: str) -> None:
    request = BUILT.request({"question": question, "material": material}, 1, None, 1)
    assert request.user == f"Ask: {question}\nFrom: {material}"


@pytest.mark.parametrize(
    "text", ["{{material}}", '{"a": 1} {0} {q} {{}}', "${x} %s %(q)s", r"\1 \g<0>", "{{ question }}"]
)
def test_braces_dollars_and_back_references_in_a_text_are_text(own: Path, text: str) -> None:
    assert load(own).request({"question": text, "material": text}, 1, None, 1).user == f"Ask: {text}\nFrom: {text}"


def test_the_version_follows_from_the_content_alone(tmp_path: Path, own: Path) -> None:
    again = tmp_path / "elsewhere" / "own.md"
    again.parent.mkdir()
    again.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    changed = tmp_path / "elsewhere" / "changed.md"
    changed.write_text(TEXT.replace("Ask", "ask"), encoding="utf-8")
    assert load(own).version == load(again).version
    assert load(own).version != load(changed).version


def test_everything_wrong_with_a_prompt_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    path.write_text("{{question}} {{question}} {{colour}} {{}}", encoding="utf-8")
    with pytest.raises(InputError) as failure:
        load(path)
    told = "\n".join(failure.value.problems)
    for part in ("=== user ===", "{{material}} is missing", "{{colour}} is not known", "{{}} is not", "stands 2 times"):
        assert part in told
    assert all(problem.startswith(str(path)) for problem in failure.value.problems)


@pytest.mark.parametrize(
    "text", ["=== user ===\n{{q}}", "s\n=== user ===\n{{q}}\n=== user ===\nu", "s {{q}}\n=== user ===\n"]
)
def test_a_prompt_needs_both_parts_and_one_dividing_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="needs a system part"):
        load(path, "q")


def test_an_unknown_name_lists_the_shipped_prompts_and_leaves_their_folder_by_no_path(own: Path) -> None:
    for name in ("nonsense", "../own", "", "own.txt"):
        with pytest.raises(InputError, match=r"prompt must be one of own or a path that ends with \.md"):
            load_prompt(name, own.parent, frozenset({"question", "material"}))
    assert load_prompt("own", own.parent, frozenset({"question", "material"})) == load(own)


def test_a_prompt_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.md: cannot be read"):
        load(tmp_path / "nowhere.md")
