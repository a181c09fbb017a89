"""The table of vectors: what its keys tell apart, and what happens to its file."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from runner.vector_store import FILE, VectorStore
from tests.runner.commands import ROOT

MODEL = "some-model 1"
ASIDE = "vectors.sqlite.damaged"


def vector(number: float, dimensions: int = 4) -> NDArray[np.float32]:
    return np.full(dimensions, number, dtype=np.float32)


def numbers(store: VectorStore, *texts: str) -> dict[str, float]:
    return {text: float(found[0]) for text, found in store.get(MODEL, "document", texts).items()}


def fill(folder: Path, count: int, dimensions: int = 4) -> None:
    with closing(VectorStore(folder)) as store:
        store.put(MODEL, "document", {f"text {number}": vector(number, dimensions) for number in range(count)})


def test_a_vector_comes_back_bit_by_bit(tmp_path: Path):
    kept = np.array([1 / 3, -0.0, 1e-40, np.pi], dtype=np.float32)
    with closing(VectorStore(tmp_path)) as store:
        store.put(MODEL, "query", {"fee": kept})
    with closing(VectorStore(tmp_path)) as store:
        found = store.get(MODEL, "query", ["fee", "leave"])
        assert list(found) == ["fee"]
        assert found["fee"].tobytes() == kept.tobytes()
        assert found["fee"].dtype == np.float32
        assert store.notes == []


def test_another_model_another_role_or_another_text_is_another_vector(tmp_path: Path):
    with closing(VectorStore(tmp_path)) as store:
        store.put(MODEL, "document", {"fee": vector(1)})
        assert store.get("some-model 2", "document", ["fee"]) == {}
        assert store.get(MODEL, "query", ["fee"]) == {}
        assert numbers(store, "Fee", "fee ", "\ud83d", "") == {}
        store.put(MODEL, "query", {"fee": vector(2)})
        assert numbers(store, "fee") == {"fee": 1}


def test_without_a_folder_nothing_is_kept():
    store = VectorStore(None)
    store.put(MODEL, "document", {"fee": vector(1)})
    assert (numbers(store, "fee"), store.notes) == ({}, [])


def test_after_closing_nothing_is_found_or_kept(tmp_path: Path):
    store = VectorStore(tmp_path)
    store.put(MODEL, "document", {"fee": vector(1)})
    store.close()
    store.put(MODEL, "document", {"leave": vector(1)})
    assert numbers(store, "fee", "leave") == {}
    store.close()


def test_many_are_found_at_once(tmp_path: Path):
    fill(tmp_path, 1203)
    with closing(VectorStore(tmp_path)) as store:
        wanted = [f"text {number}" for number in range(1300)]
        assert numbers(store, *wanted) == {f"text {number}": number for number in range(1203)}


def test_what_was_longest_unused_is_thrown_away_first(tmp_path: Path):
    fill(tmp_path, 200, 1000)
    with closing(VectorStore(tmp_path, max_bytes=1_000_000)) as store:
        assert numbers(store, "text 3") == {"text 3": 3}
        store.put(MODEL, "document", {f"new {number}": vector(number, 1000) for number in range(100)})
        assert numbers(store, "text 3", "new 99") == {"text 3": 3, "new 99": 99}
        left = numbers(store, *(f"text {number}" for number in range(200)), *(f"new {number}" for number in range(100)))
        assert 170 < len(left) < 250
        assert sum(text.startswith("new") for text in left) == 100


@pytest.mark.parametrize("bound", [400_000, 1_000_000])
@pytest.mark.parametrize("at_once", [1, 20, 800])
def test_the_file_stays_within_a_tenth_of_its_bound_however_much_is_put(tmp_path: Path, bound: int, at_once: int):
    with closing(VectorStore(tmp_path, max_bytes=bound)) as store:
        for batch in range(800 // at_once):
            store.put(MODEL, "document", {f"{batch} {number}": vector(number, 1000) for number in range(at_once)})
            assert (tmp_path / FILE).stat().st_size <= 1.1 * bound
        assert (tmp_path / f"{FILE}-wal").stat().st_size <= 4_400_000
        assert len(numbers(store, *(f"{800 // at_once - 1} {number}" for number in range(at_once)))) > 0
        assert store.notes == []
    assert 0.7 * bound < (tmp_path / FILE).stat().st_size <= 1.1 * bound
    assert not (tmp_path / f"{FILE}-wal").exists()


def test_a_file_that_was_allowed_to_be_larger_shrinks(tmp_path: Path):
    fill(tmp_path, 300, 1000)
    assert (tmp_path / FILE).stat().st_size > 1_200_000
    with closing(VectorStore(tmp_path, max_bytes=400_000)) as store:
        store.put(MODEL, "document", {"fee": vector(1)})
        assert numbers(store, "fee") == {"fee": 1}
    assert (tmp_path / FILE).stat().st_size <= 440_000


def test_a_bound_smaller_than_one_batch_keeps_little_and_breaks_nothing(tmp_path: Path):
    with closing(VectorStore(tmp_path, max_bytes=1)) as store:
        for number in range(3):
            store.put(MODEL, "document", {f"text {number}": vector(number)})
        assert store.notes == []


@given(
    steps=st.lists(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 9), max_size=5), max_size=5),
    bound=st.sampled_from([1, 30_000, 10**9]),
)
def test_what_is_found_is_what_was_put_last(steps: list[dict[str, int]], bound: int):
    with tempfile.TemporaryDirectory() as folder, closing(VectorStore(Path(folder), bound)) as store:
        last: dict[str, int] = {}
        for step in steps:
            store.put(MODEL, "document", {text: vector(number) for text, number in step.items()})
            last |= step
            found = numbers(store, *"abcdefgh")
            assert found.items() <= last.items()
            assert bound < 10**9 or found == last


WRITER = """
import sys
from pathlib import Path
import numpy as np
from runner.vector_store import VectorStore

store = VectorStore(Path(sys.argv[1]))
for number in range(100):
    store.put("m", "document", {str(number): np.full(4, number, dtype=np.float32)})
    assert store.get("m", "document", [str(number)])[str(number)][0] == number
print(store.notes)
"""


def test_several_processes_may_make_and_fill_it_at_the_same_time(tmp_path: Path):
    command = [sys.executable, "-W", "error", "-c", WRITER, str(tmp_path)]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=100)[0] for process in started] == ["[]\n"] * 3
    with closing(VectorStore(tmp_path)) as store:
        found = store.get("m", "document", [str(number) for number in range(100)])
    assert {text: int(kept[0]) for text, kept in found.items()} == {str(number): number for number in range(100)}


def test_several_threads_may_use_one(tmp_path: Path):
    def work(number: int) -> bool:
        store.put(MODEL, "document", {str(number % 20): vector(number % 20)})
        return numbers(store, str(number % 20)) == {str(number % 20): number % 20}

    with closing(VectorStore(tmp_path)) as store, ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))


NO_STORES = [b"this is no database, only text of some length", b"SQLite format 3\0" + b"x" * 4096]


@pytest.mark.parametrize("damage", NO_STORES)
def test_a_file_that_is_no_store_is_moved_aside_and_another_begun(tmp_path: Path, damage: bytes):
    (tmp_path / FILE).write_bytes(damage)
    (tmp_path / ASIDE).write_bytes(b"of an earlier time")
    with closing(VectorStore(tmp_path)) as store:
        assert numbers(store, "fee") == {}
        store.put(MODEL, "document", {"fee": vector(1)})
        (note,) = store.notes
        assert "moved to vectors.sqlite.damaged and a new one begun" in note
        assert "\n" not in note
    assert (tmp_path / ASIDE).read_bytes() == damage
    with closing(VectorStore(tmp_path)) as store:
        assert (numbers(store, "fee"), store.notes) == ({"fee": 1}, [])


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE vectors (name TEXT, used INTEGER)",
        "CREATE TABLE vectors (key BLOB, vector BLOB)",
        "CREATE TABLE vectors (key, vector, checksum, used, owner TEXT NOT NULL)",
        "CREATE VIEW vectors AS SELECT 1 AS key, 2 AS vector, 3 AS checksum, 4 AS used",
        "PRAGMA user_version=99",
    ],
)
def test_somebody_elses_table_is_moved_aside_with_one_note(tmp_path: Path, made: str):
    with closing(sqlite3.connect(tmp_path / FILE)) as table:
        table.execute("CREATE TABLE precious (thing TEXT)")
        table.execute(made)
    with closing(VectorStore(tmp_path)) as store:
        store.put(MODEL, "document", {"fee": vector(1)})
        assert numbers(store, "fee") == {"fee": 1}
        assert len(store.notes) == 1
    with closing(sqlite3.connect(tmp_path / ASIDE)) as table:
        assert table.execute("SELECT count(*) FROM precious").fetchone() == (0,)


def test_damage_that_shows_while_it_is_used_heals_too(tmp_path: Path):
    fill(tmp_path, 300, 300)
    whole = bytearray((tmp_path / FILE).read_bytes())
    whole[3 * 4096 :] = b"\xff" * (len(whole) - 3 * 4096)
    (tmp_path / FILE).write_bytes(whole)
    every = {f"text {number}": vector(number, 300) for number in range(300)}
    with closing(VectorStore(tmp_path)) as store:
        store.get(MODEL, "document", list(every))
        store.put(MODEL, "document", every)
        assert len(numbers(store, *every)) == 300
        assert len(store.notes) == 1
    with closing(VectorStore(tmp_path)) as store:
        assert len(numbers(store, *every)) == 300
        assert store.notes == []


def test_a_store_that_another_has_renewed_is_not_moved_again(tmp_path: Path):
    fill(tmp_path, 300, 300)
    with closing(VectorStore(tmp_path)) as store:
        assert len(numbers(store, "text 1")) == 1
        (tmp_path / FILE).replace(tmp_path / ASIDE)  # as another process does, which then begins a new one
        (tmp_path / f"{FILE}-wal").unlink()
        (tmp_path / f"{FILE}-shm").unlink()
        fill(tmp_path, 5)
        with (tmp_path / ASIDE).open("r+b") as old:
            old.seek(4096)
            old.write(b"\xff" * 400_000)
        wanted = [f"text {number}" for number in range(300)]
        assert numbers(store, *wanted) == {f"text {number}": number for number in range(5)}
        assert not [note for note in store.notes if "moved" in note]
    with closing(VectorStore(tmp_path)) as store:
        assert len(numbers(store, *wanted)) == 5


def test_several_processes_that_find_it_damaged_begin_one_new_store(tmp_path: Path):
    (tmp_path / FILE).write_bytes(NO_STORES[1])
    command = [sys.executable, "-W", "error", "-c", WRITER, str(tmp_path)]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = [process.communicate(timeout=100)[0] for process in started]
    assert sum("moved to" in notes for notes in printed) == 1
    assert sum(notes == "[]\n" for notes in printed) == 2
    assert (tmp_path / ASIDE).read_bytes() == NO_STORES[1]
    with closing(VectorStore(tmp_path)) as store:
        assert len(store.get("m", "document", [str(number) for number in range(100)])) == 100


def test_a_damaged_file_where_nothing_can_be_written_stays_as_it_is():
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / FILE).write_bytes(NO_STORES[0])
        folder.chmod(0o555)
        with as_somebody_else(), closing(VectorStore(folder)) as store:
            store.put(MODEL, "document", {"new": vector(1)})
            assert numbers(store, "new") == {}
            assert store.notes
        assert [path.name for path in folder.iterdir()] == [FILE]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_damaged_pages_give_no_wrong_vector(tmp_path: Path):
    fill(tmp_path, 300, 300)
    whole = (tmp_path / FILE).read_bytes()
    wanted = [f"text {number}" for number in range(300)]
    for start in range(4096, len(whole), len(whole) // 12):
        for damage in (b"\xff" * 4096, b"\0" * 4096, b"\x3f" * 40):
            (tmp_path / FILE).write_bytes(whole[:start] + damage + whole[start + len(damage) :])
            with closing(VectorStore(tmp_path)) as store:
                found = store.get(MODEL, "document", wanted)
                assert all(kept.tolist() == [int(text.split()[1])] * 300 for text, kept in found.items())
                assert store.notes or len(found) == 300


@pytest.mark.parametrize(
    "change",
    ["vector = x'0000803f'", "vector = 'text'", "checksum = x'00'", "vector = (SELECT vector FROM vectors LIMIT 1)"],
)
def test_a_row_that_is_not_what_was_put_there_is_noted_and_not_found(tmp_path: Path, change: str):
    with closing(VectorStore(tmp_path)) as store:
        store.put(MODEL, "document", {"fee": vector(1)})
        store.put(MODEL, "document", {"leave": vector(2)})
        with closing(sqlite3.connect(tmp_path / FILE)) as table:
            table.execute(f"UPDATE vectors SET {change} WHERE rowid = 2")  # noqa: S608 – the test's own text
            table.commit()
        assert numbers(store, "fee", "leave") == {"fee": 1}
        assert [note.partition(": ")[2] for note in store.notes] == [
            "damaged vectors were found, so they were made again"
        ]
        store.put(MODEL, "document", {"leave": vector(2)})
        assert numbers(store, "leave") == {"leave": 2}


@pytest.mark.parametrize("used", ["'many'", "9223372036854775807", "-5", "1.5", "x'00'"])
def test_damage_to_the_order_of_use_breaks_nothing(tmp_path: Path, used: str):
    fill(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / FILE)) as table:
        table.execute(f"UPDATE vectors SET used = {used} WHERE rowid = 1")  # noqa: S608 – the test's own text
        table.commit()
    with closing(VectorStore(tmp_path)) as store:
        assert numbers(store, "text 1") == {"text 1": 1}
        store.put(MODEL, "document", {"text 0": vector(0)})
        assert numbers(store, "text 0", "text 1") == {"text 0": 0, "text 1": 1}


def test_a_folder_that_can_not_be_made_costs_only_the_keeping(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with closing(VectorStore(tmp_path / "file")) as store:
        store.put(MODEL, "document", {"fee": vector(1)})
        assert numbers(store, "fee") == {}
        assert "no new vectors are kept" in store.notes[0]


FULL = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from runner.vector_store import VectorStore

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = VectorStore(Path(sys.argv[1]))
store.put("m", "document", {"a": np.ones(4, dtype=np.float32)})
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
for number in range(3):
    store.put("m", "document", {str(number): np.ones(40_000, dtype=np.float32)})
print(sorted(store.get("m", "document", ["a", "0", "1", "2"])))
print(len(store.notes), "could not be kept" in store.notes[0])
"""


def test_a_full_disk_costs_only_the_keeping(tmp_path: Path):
    """A limit on the size of files stands for the full disk: writing past it fails as on one."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FULL, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("['a']\n1 True\n", "")


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


def test_a_store_that_can_not_be_written_is_still_read():
    folder = Path(tempfile.mkdtemp())
    try:
        fill(folder, 3)
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        with as_somebody_else(), closing(VectorStore(folder)) as store:
            store.put(MODEL, "document", {"new": vector(1)})
            assert numbers(store, "text 2", "new") == {"text 2": 2}
            (note,) = store.notes
            assert "can't be written, so no new vectors are kept" in note
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
