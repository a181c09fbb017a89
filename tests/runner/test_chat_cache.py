"""The cache of calls: what its keys tell apart, and what happens to its file."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.chat.messages import ChatRequest
from eval.errors import EvalfirstError
from runner.chat.anthropic_messages import AnthropicMessages
from runner.chat.cache import FILE, CallCache, Kept, call_key
from runner.chat.openai_compatible import OpenAICompatible
from tests.runner.chat_desks import QUESTION, endpoint_at, open_desk
from tests.runner.chat_server import serving
from tests.runner.commands import ROOT

KEPT = Kept("some-model", "Yes.", 11, 7, 12.5, 0.25)
MODEL = OpenAICompatible(name="some-model", key_env=None)
REQUEST = ChatRequest("You judge.", "Is it so?", 100, {"type": "object"})


def key(model: OpenAICompatible | AnthropicMessages = MODEL, request: ChatRequest = REQUEST) -> str:
    return call_key(model.identity(), request)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "other-model"},
        {"base_url": "https://other.example.com/v1"},
        {"temperature": 0.7},
        {"temperature": None},
        {"structured": "json"},
        {"extra_body": {"seed": 0}},
        {"extra_body": {"seed": None}},
        {"extra_body": {"seed": "0"}},
        {"extra_body": {"api": "openai-chat"}},
    ],
)
def test_another_model_another_place_or_another_setting_is_another_call(changes: dict[str, Any]):
    others = [MODEL, AnthropicMessages(name="some-model", key_env=None), replace(MODEL, extra_body={"top_p": 1})]
    assert key(replace(MODEL, **changes)) not in {key(other) for other in others}


@pytest.mark.parametrize(
    "changes",
    [
        {"system": "You judge!"},
        {"system": ""},
        {"user": "Is it so? "},
        {"max_tokens": 101},
        {"schema": {"type": "array"}},
        {"schema": {}},
        {"schema": None},
    ],
)
def test_another_text_length_or_schema_is_another_call(changes: dict[str, Any]):
    assert key(request=replace(REQUEST, **changes)) != key()


def test_what_a_reply_does_not_follow_from_is_no_part_of_its_key():
    same = replace(MODEL, concurrency=2, timeout_s=5, tries=1, stream=True, usd_per_million={"input": 1, "output": 1})
    assert key(same) == key()
    assert key(replace(MODEL, base_url="https://api.openai.com/v1/")) == key()
    assert key(request=replace(REQUEST, expected_tokens=7)) == key()
    assert len(key(request=replace(REQUEST, user="\ud83d"))) == 64


def test_the_order_of_a_schema_s_keys_makes_no_other_call():
    one, other = {"type": "object", "title": "x"}, {"title": "x", "type": "object"}
    assert key(request=replace(REQUEST, schema=one)) == key(request=replace(REQUEST, schema=other))


@given(st.tuples(*[st.text(max_size=4)] * 2), st.tuples(*[st.text(max_size=4)] * 2))
def test_texts_that_differ_in_how_they_are_divided_have_different_keys(one: tuple[str, str], other: tuple[str, str]):
    keys = {key(request=ChatRequest(system, user, 5)) for system, user in (one, other)}
    assert len(keys) == len({one, other})


def test_what_is_kept_comes_back_also_to_another_process(tmp_path: Path):
    odd = replace(KEPT, text="是的 \0 🙂\r\n", usd=None)
    with closing(CallCache(tmp_path / "new" / "folder").open()) as cache:
        cache.put("a", KEPT)
        cache.put("b", odd)
        cache.put("a", replace(KEPT, text="No."))
    with closing(CallCache(tmp_path / "new" / "folder").open()) as cache:
        assert (cache.get("a"), cache.get("b"), cache.get("c")) == (KEPT, odd, None)
        assert cache.notes == []


def test_a_desk_without_models_leaves_no_file(tmp_path: Path):
    with open_desk(tmp_path):
        assert list(tmp_path.iterdir()) == []


def test_without_a_cache_nothing_is_found_kept_or_made(tmp_path: Path):
    with closing(CallCache(tmp_path, "off").open()) as cache:
        cache.put("a", KEPT)
        assert cache.get("a") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "requests"),
    [({}, 1), ({"temperature": 0.5}, 2), ({"name": "other"}, 2), ({"concurrency": 1, "stream": True}, 1)],
)
def test_a_repeat_makes_no_call_and_a_changed_setting_makes_one(tmp_path: Path, changes: dict[str, Any], requests: int):
    with serving() as server:
        for settings in ({}, changes):
            with open_desk(tmp_path) as desk:
                desk.line(endpoint_at(server, **settings)).complete(QUESTION)
        assert server.count == requests


WRITER = """
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from runner.chat.cache import CallCache, Kept

cache = CallCache(Path(sys.argv[1])).open()
for number in range(200):
    cache.put(str(number), Kept("m", f"reply {number}", 1, 2, 3.0, None))
    assert cache.get(str(number)).text == f"reply {number}"
print(cache.notes)
"""


def test_several_processes_may_make_and_fill_it_at_the_same_time(tmp_path: Path):
    command = [sys.executable, "-W", "error", "-c", WRITER, str(tmp_path)]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate(timeout=100)[0] for process in started] == ["[]\n"] * 4
    with closing(CallCache(tmp_path).open()) as cache:
        texts = {str(number): f"reply {number}" for number in range(200)}
        assert {number: cache.get(number).text for number in texts} == texts  # type: ignore[union-attr]  # all are kept


def test_opening_twice_is_opening_once_and_after_closing_nothing_is_found(tmp_path: Path):
    cache = CallCache(tmp_path).open().open()
    cache.put("a", KEPT)
    cache.close()
    cache.put("b", KEPT)
    assert cache.get("a") is None


def test_several_threads_may_use_one(tmp_path: Path):
    def work(number: int) -> bool:
        cache.put(str(number % 50), replace(KEPT, text=str(number % 50)))
        kept = cache.get(str(number % 50))
        return kept is not None and kept.text == str(number % 50)

    with closing(CallCache(tmp_path).open()) as cache, ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(400)))


@pytest.mark.parametrize(
    "damage", [b"this is no database, only text of some length", b"SQLite format 3\0" + b"x" * 4096]
)
def test_a_file_that_is_no_cache_is_told_in_one_line_with_a_remedy(tmp_path: Path, damage: bytes):
    (tmp_path / FILE).write_bytes(damage)
    with pytest.raises(EvalfirstError, match=r"^[^\n]*calls\.sqlite is no sound cache [^\n]*: delete it[^\n]*$"):
        CallCache(tmp_path).open()


def test_a_damaged_page_is_found_when_the_cache_is_opened(tmp_path: Path):
    with closing(CallCache(tmp_path).open()) as cache:
        for number in range(500):
            cache.put(str(number), replace(KEPT, text="word " * 50))
    content = bytearray((tmp_path / FILE).read_bytes())
    content[8192:12288] = b"\xff" * 4096
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(EvalfirstError, match="delete it"):
        CallCache(tmp_path).open()


def test_a_cache_of_another_format_is_refused(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / FILE)) as table:
        table.execute("PRAGMA user_version=99")
    with pytest.raises(EvalfirstError, match="its format is 99, not 1"):
        CallCache(tmp_path).open()


def test_a_folder_that_can_not_be_made_is_told_in_one_line_with_a_remedy(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EvalfirstError, match=r"^[^\n]*can't be opened [^\n]*run with cache=off$"):
        CallCache(tmp_path / "file").open()


FULL = """
import resource, signal, sys
from pathlib import Path
from runner.chat.cache import CallCache, Kept
from tests.runner.chat_desks import QUESTION, endpoint_at, open_desk
from tests.runner.chat_server import Step, serving

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
long = "word " * 40_000
with serving(long) as server, open_desk(Path(sys.argv[1])) as desk:
    line = desk.line(endpoint_at(server))
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
    print([line.complete(QUESTION).text == long for _ in range(3)], server.count)
    print(len(desk.notes), "could not be kept" in desk.notes[0])
"""


def test_a_full_disk_costs_the_entry_and_a_note_but_no_reply(tmp_path: Path):
    """A limit on the size of files stands for the full disk: writing past it fails as on one."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FULL, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[True, True, True] 3\n1 True\n", "")


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Without the rights of the administrator, whom no file stops."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_cache_that_can_not_be_written_is_read_where_nobody_is_asked():
    folder = Path(tempfile.mkdtemp())
    try:
        with closing(CallCache(folder).open()) as cache:
            cache.put("a key", KEPT)
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        with as_somebody_else():
            with closing(CallCache(folder, "only").open()) as cache:
                assert cache.get("a key") == KEPT
                assert cache.get("another") is None
            with pytest.raises(EvalfirstError, match="make it writable"):
                CallCache(folder).open()
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_row_that_is_no_reply_is_not_found_and_noted(tmp_path: Path):
    with closing(CallCache(tmp_path).open()) as cache:
        cache.put("a key", KEPT)
        with closing(sqlite3.connect(tmp_path / FILE)) as table:
            table.execute("UPDATE calls SET text = x'00ff', input_tokens = 'many'")
            table.commit()
        assert cache.get("a key") is None
        (note,) = cache.notes
    assert "could not be read" in note
