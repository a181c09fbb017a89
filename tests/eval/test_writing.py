"""Files of a folder, written all or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from eval.errors import InputError
from eval.writing import write_files

CONTENTS = {"a.txt": "one\n", "sub/b.txt": "x" * 100_000}
LIMITED = """
import resource, signal, sys
from pathlib import Path
from eval.errors import InputError
from eval.writing import write_files
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    write_files({"a.txt": "one\\n", "sub/b.txt": "x" * 100_000}, Path(sys.argv[1]))
except InputError as error:
    print(error)
"""


def limited(folder: Path) -> str:
    """What is told where a file may not grow as long as it should, as on a full disk."""
    command = [sys.executable, "-c", LIMITED, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]).stdout


def test_a_full_disk_leaves_nothing_new_behind_and_is_told_as_one(tmp_path: Path) -> None:
    assert limited(tmp_path / "new") == (
        f"{tmp_path}/new: cannot be written (File too large); make room there, or name another folder\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_all_of_the_old_files_as_they_were(tmp_path: Path) -> None:
    write_files(dict.fromkeys(CONTENTS, "old"), tmp_path)
    limited(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.rglob("*") if path.is_file()} == {
        "a.txt": "old",
        "b.txt": "old",
    }


def test_a_folder_in_the_place_of_a_file_is_told_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "sub" / "b.txt").mkdir(parents=True)
    with pytest.raises(InputError, match=r"sub/b\.txt: is a folder where a file is to be written"):
        write_files(CONTENTS, tmp_path)
    assert not (tmp_path / "a.txt").exists()


def test_outdated_files_go_and_others_stay(tmp_path: Path) -> None:
    for name in ("run.txt", "notes.txt"):
        (tmp_path / name).write_text("old")
    assert write_files(CONTENTS, tmp_path, ("run.txt", "gone.txt")) == ["run.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "notes.txt", "sub"]
