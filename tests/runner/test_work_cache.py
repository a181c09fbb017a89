"""Work kept on disk: checked, bounded, shared by processes, and of no consequence for what comes out."""

import io
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.chat.messages import Call
from eval.records import (
    Answer,
    Chunk,
    Context,
    Document,
    Judgement,
    PackedChunk,
    Ranking,
    Statement,
    Unscored,
)
from runner.memo import Keeping, Memo, Prepared
from runner.records import Query, Reranked
from runner.work_cache.forms import NUMBERS, RANKINGS, SCORES, Form, chunks_of, records
from runner.work_cache.store import WorkCache

ONE = {"numbers": np.arange(1000)}


def keeping(folder: Path, form: Form[object] = NUMBERS, code: str = "c0de") -> Keeping:
    return Keeping(WorkCache(folder), code, form)


def the_file(folder: Path) -> Path:
    (found,) = folder.glob("*/*.npz")
    return found


def test_what_was_saved_is_loaded_with_its_time(tmp_path: Path):
    WorkCache(tmp_path).save("rank", "k", ONE, (1.5, 2.5))
    entry = WorkCache(tmp_path).load("rank", "k")
    assert entry is not None
    assert entry.arrays["numbers"].tolist() == list(range(1000))
    assert entry.milliseconds == (1.5, 2.5)
    assert WorkCache(tmp_path).times("rank", "k") == (1.5, 2.5)
    assert WorkCache(tmp_path).load("rank", "other") is None


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_flipped_byte_is_noticed_and_the_entry_is_gone(tmp_path: Path, place: float):
    cache = WorkCache(tmp_path)
    cache.save("rank", "k", ONE, (1.0,))
    path = the_file(tmp_path)
    content = bytearray(path.read_bytes())
    content[int(len(content) * place)] ^= 0xFF
    path.write_bytes(content)
    assert cache.load("rank", "k") is None
    assert not path.exists()
    assert "damaged" in cache.notes[0]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_entry_is_no_entry(tmp_path: Path, content: bytes):
    cache = WorkCache(tmp_path)
    cache.save("rank", "k", ONE, (1.0,))
    the_file(tmp_path).write_bytes(content)
    assert cache.load("rank", "k") is None
    assert len(cache.notes) == 1


def written(content: dict[str, np.ndarray], how: str) -> bytes:
    file = io.BytesIO()
    {"zip": np.savez, "compressed": np.savez_compressed}[how](file, **content)
    return file.getvalue()


SOUND = {"numbers": np.arange(3), "milliseconds": np.array([1.0])}


@pytest.mark.parametrize(
    "content",
    [
        written({"numbers": np.arange(5), "milliseconds": np.array([1.0])}, "zip"),  # by something else, without a seal
        written(SOUND, "compressed")[:-40],
        written({"milliseconds": np.array([1.0])}, "zip"),
        b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999,), }".ljust(128)
        + b"\n",
    ],
    ids=["unsealed", "compressed and cut", "no arrays", "an array of another world"],
)
def test_whatever_lies_under_an_entry_s_name_the_work_is_done_again(tmp_path: Path, content: bytes):
    made = Memo().once("count", [], lambda: np.arange(3), keeping(tmp_path))
    the_file(tmp_path).write_bytes(content)
    kept = keeping(tmp_path)
    assert Memo().once("count", [], lambda: np.arange(3), kept).value.tolist() == made.value.tolist()
    assert "damaged" in kept.cache.notes[0]
    assert Memo().once("count", [], lambda: pytest.fail("done again"), keeping(tmp_path)).value.tolist() == [0, 1, 2]


def test_another_entry_under_an_entry_s_name_is_noticed(tmp_path: Path):
    for size in (3, 4):
        Memo().once("count", [size], lambda size=size: np.arange(size), keeping(tmp_path))
    first, second = sorted(tmp_path.glob("count/*.npz"))
    first.write_bytes(second.read_bytes())
    values = {
        size: Memo().once("count", [size], lambda size=size: np.arange(size), keeping(tmp_path)).value.tolist()
        for size in (3, 4)
    }
    assert values == {3: [0, 1, 2], 4: [0, 1, 2, 3]}


def test_results_that_are_too_few_are_none(tmp_path: Path):
    form = Form(lambda _: {"n": np.arange(1)}, lambda _: ["only one"])
    Memo().each("rank", [], str, [1, 2], keeping=keeping(tmp_path, form))
    assert Memo().each("rank", [], str, [1, 2], keeping=keeping(tmp_path, form)).value == ["1", "2"]


def test_what_a_dead_process_was_writing_goes_after_a_while_and_counts_until_then(tmp_path: Path):
    cache = WorkCache(tmp_path, most_bytes=20_000)
    cache.save("rank", "a", ONE, (1.0,))
    left = tmp_path / "rank" / ".b.npz.4711"
    left.write_bytes(b"x" * 5_000)
    os.utime(left, (1, 1))
    cache.save("rank", "c", ONE, (1.0,))
    assert not left.exists()


def test_a_finished_entry_is_read_while_somebody_holds_its_lock(tmp_path: Path):
    Memo().once("count", [], lambda: np.arange(3), keeping(tmp_path))
    (path,) = tmp_path.glob("count/*.npz")
    with WorkCache(tmp_path).working("count", path.stem):
        process = multiprocessing.get_context("fork").Process(target=reads, args=(tmp_path,))
        process.start()
        process.join(30)
        assert process.exitcode == 0


def reads(folder: Path) -> None:
    Memo().once("count", [], lambda: pytest.fail("done again"), keeping(folder))


def test_what_all_items_have_in_common_is_shared_and_what_is_got_ready_is_not_timed():
    def make() -> Callable[[int], int]:
        time.sleep(0.08)
        return lambda number: number

    made = Memo().each("rank", [], Prepared(make, before=lambda: time.sleep(0.5)), [1, 2, 3, 4])
    assert made.value == [1, 2, 3, 4]
    assert min(made.times.milliseconds) >= 20
    assert sum(made.times.milliseconds) < 500


def test_an_object_that_would_be_run_is_not_read(tmp_path: Path):
    cache = WorkCache(tmp_path)
    (tmp_path / "rank").mkdir()
    with (tmp_path / "rank" / "k.npz").open("wb") as file:
        np.savez(file, numbers=np.array([{"a": 1}], dtype=object), milliseconds=np.array([1.0]))
    assert cache.load("rank", "k") is None


def test_those_used_longest_ago_go_first(tmp_path: Path):
    cache = WorkCache(tmp_path, most_bytes=20_000)  # two entries of 8 kB
    for number, name in enumerate(["a", "b"]):
        cache.save("rank", name, ONE, (1.0,))
        os.utime(tmp_path / "rank" / f"{name}.npz", (number, number))
    assert cache.load("rank", "a") is not None  # used just now
    cache.save("rank", "c", ONE, (1.0,))
    assert cache.load("rank", "b") is None
    assert cache.load("rank", "a") is not None
    assert cache.load("rank", "c") is not None
    assert not cache.notes


def test_an_entry_larger_than_all_room_is_not_kept_and_breaks_nothing(tmp_path: Path):
    cache = WorkCache(tmp_path, most_bytes=100)
    cache.save("rank", "k", ONE, (1.0,))
    assert cache.load("rank", "k") is None


def test_a_folder_that_cannot_be_written_costs_only_the_keeping(tmp_path: Path):
    (tmp_path / "work").write_text("a file where the folder would be")
    kept = keeping(tmp_path / "work")
    made = Memo().once("count", [1], lambda: np.arange(3), kept)
    assert made.value.tolist() == [0, 1, 2]
    (note,) = kept.cache.notes
    assert "can't be kept" in note


def test_another_process_finds_what_was_done_and_code_settings_and_stage_tell_it_apart(tmp_path: Path):
    calls: list[str] = []

    def make(name: str) -> np.ndarray:
        calls.append(name)
        return np.array([len(calls)])

    first = Memo().once("count", [{"size": 1}], lambda: make("first"), keeping(tmp_path))
    again = Memo().once("count", [{"size": 1}], lambda: make("again"), keeping(tmp_path))
    assert again.value.tolist() == first.value.tolist() == [1]
    assert (first.times.reused, again.times.reused) == (False, True)
    assert again.times.milliseconds == first.times.milliseconds
    Memo().once("count", [{"size": 1}], lambda: make("other code"), keeping(tmp_path, code="other"))
    Memo().once("count", [{"size": 2}], lambda: make("other settings"), keeping(tmp_path))
    Memo().once("index", [{"size": 1}], lambda: make("other stage"), keeping(tmp_path))
    assert calls == ["first", "other code", "other settings", "other stage"]


def test_what_failed_is_not_kept(tmp_path: Path):
    form = Form(lambda _: {"numbers": np.array([1])}, lambda _: ["kept"])
    for _ in range(2):
        made = Memo().each("rank", [], lambda _: Unscored("timeout"), [1], keeping=keeping(tmp_path, form))
        assert made.value == [Unscored("timeout")]


def test_of_what_cannot_be_kept_only_the_time_is(tmp_path: Path):
    form = Form(lambda _: None, lambda _: "never read")
    Memo().later("index", [], lambda: "built", keeping(tmp_path, form)).get()
    later = Memo().later("index", [], lambda: "built again", keeping(tmp_path, form))
    assert later.times is not None
    assert later.times.reused
    assert later.get() == "built again"


def test_what_nobody_asks_for_is_not_made_and_its_time_is_not_known():
    later = Memo().later("index", [], lambda: pytest.fail("made"))
    assert later.times is None


def slowly(folder: Path, log: Path) -> None:
    def make() -> np.ndarray:
        with log.open("a") as file:
            file.write("made\n")
        time.sleep(0.3)
        return np.arange(5)

    assert Memo().once("count", [], make, keeping(folder)).value.tolist() == [0, 1, 2, 3, 4]


def test_of_four_processes_that_need_the_same_one_does_it(tmp_path: Path):
    log = tmp_path / "log"
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=slowly, args=(tmp_path / "work", log)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * 4
    assert log.read_text() == "made\n"


def forever(folder: Path) -> None:
    Memo().once("count", [], lambda: time.sleep(60) or np.arange(1), keeping(folder))


def test_a_process_that_dies_at_work_leaves_it_to_others(tmp_path: Path):
    process = multiprocessing.get_context("fork").Process(target=forever, args=(tmp_path,))
    process.start()
    while not list(tmp_path.glob("count/*.lock")):
        time.sleep(0.01)
    process.kill()
    process.join(30)
    assert Memo().once("count", [], lambda: np.arange(2), keeping(tmp_path)).value.tolist() == [0, 1]


TEXTS = st.text(max_size=20)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_chunks_come_back_as_they_were(texts: list[str], data: st.DataObject):
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    chunks = []
    for document in documents:
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(document.text))] * 2)))
        piece = document.text[start:end]
        chunks.append(Chunk(data.draw(TEXTS), document.id, start, end, piece, data.draw(TEXTS), data.draw(TEXTS)))
    form = chunks_of(documents)
    arrays = form.arrays(chunks)
    assert arrays is not None
    assert form.value(arrays) == chunks


def test_chunks_that_are_no_slices_are_not_kept():
    form = chunks_of([Document("d", "Parking is free.")])
    assert form.arrays([Chunk("d#0", "d", 0, 7, "PARKING")]) is None


def test_rankings_come_back_bit_by_bit():
    rankings = [
        Ranking(np.array([3, 1], np.int32), np.array([0.1 + 0.2, 0.1])),
        Ranking(np.array([], np.int32), np.array([])),
        Ranking(np.array([7], np.int32), np.array([1e-300])),
    ]
    back = RANKINGS.value(RANKINGS.arrays(rankings) or {})
    assert [ranking.positions.tolist() for ranking in back] == [[3, 1], [], [7]]
    assert [ranking.scores.tolist() for ranking in back] == [[0.1 + 0.2, 0.1], [], [1e-300]]


def test_no_rankings_come_back_as_none():
    assert RANKINGS.value(RANKINGS.arrays([]) or {}) == []


def test_records_come_back_as_they_were_unless_a_model_was_asked():
    contexts = [Context((PackedChunk(Chunk("d#0", "d", 0, 3, "年假", "t"), 1, 3, cut=True),), "年假", 3, ("x",))]
    judgements = [Judgement(False, (Statement("Yes.", "supported", "why"),), 0.1 + 0.2)]
    for kind, values in ((Context, contexts), (Judgement, judgements), (Answer, [Answer("a", cited=("d#0",))])):
        form = records(kind)
        assert form.value(form.arrays(values) or {}) == values
    assert records(Answer).arrays([Answer("a", (Call("m", 1, 1, None, 1.0),))]) is None
    assert records(Query).arrays([Query("\ud800")]) is None  # half a character has no JSON


def test_scores_that_were_paid_for_are_left_to_the_cache_of_calls():
    free = [Reranked(np.array([0.5, 0.25])), Reranked(np.array([]))]
    back = SCORES.value(SCORES.arrays(free) or {})
    assert [each.scores.tolist() for each in back] == [[0.5, 0.25], []]
    assert SCORES.arrays([Reranked(np.array([0.5]), (Call("m", 1, 1, 0.1, 1.0),))]) is None
