"""The loop on the terminal: what a person sees and types, and what of it is in the file."""

import errno
import io
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from eval.errors import InputError
from eval.labels.file import read_labels, to_text
from eval.labels.items import Item, Labels, Opinion, make_item
from runner.labelling.review import Review
from tests.runner.commands import ROOT

# A process whose terminal this is, so that what is typed there can interrupt it; tests in the background ignore that.
ON_ITS_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three answers that wait for a label, with what a judge said of them."""
    items = tuple(make_item(f"q{n}", f"What is {n}?", f"The number {n}.", f"It is {n}. Truly.") for n in range(3))
    opinions = {item.answer_hash: Opinion(True, 0.25) for item in items}
    file = tmp_path / "eval" / "human-labels.json"
    file.parent.mkdir()
    file.write_text(to_text(Labels("d", items=items).with_opinions("lexical", opinions)), encoding="utf-8")
    return file


def typing(lines: Sequence[str | None]) -> Callable[[], str | None]:
    """A person who types lines, and ends with the end of input."""
    left: Iterator[str | None] = iter(lines)
    return lambda: next(left, None)


def review(path: Path, *lines: str | None, skipped: bool = False) -> str:
    """What is shown while lines are typed."""
    shown = io.StringIO()
    Review(path, typing(lines), Console(file=shown, width=200), skipped).run()
    return shown.getvalue()


def labels(path: Path) -> list[tuple[str | None, str]]:
    return [(item.label, item.note) for item in read_labels(path).items]


def test_labels_and_notes_are_in_the_file_with_the_judges_view_untouched(path: Path) -> None:
    before = read_labels(path)
    review(path, "y the 2 is new", " No ", "SKIP")
    assert labels(path) == [("yes", "the 2 is new"), ("no", ""), ("skip", "")]
    assert read_labels(path).judged == before.judged


def test_a_person_sees_question_material_numbered_answer_and_progress_and_nothing_of_the_judge(path: Path) -> None:
    shown = review(path, "y", "q")
    for part in ("1 of 3", "What is 0?", "The number 0.", "1. It is 0.", "2. Truly.", "2 of 3", "What is 1?"):
        assert part in shown
    assert "Does the answer hold anything that is not in the material?" in shown
    assert not re.search("lexical|0\\.25|unsupported|faithful|judge", shown)


def test_every_label_is_saved_before_the_next_answer_is_shown(path: Path) -> None:
    seen: list[int] = []

    def ask() -> str:
        seen.append(sum(label is not None for label, _ in labels(path)))
        return "y"

    Review(path, ask, Console(file=io.StringIO())).run()
    assert seen == [0, 1, 2]


def test_a_session_goes_on_where_the_last_one_ended(path: Path) -> None:
    review(path, "y", None)
    shown = review(path, "n")
    assert "2 of 3" in shown
    assert "What is 0?" not in shown
    assert labels(path) == [("yes", ""), ("no", ""), (None, "")]


def test_undo_takes_back_one_label_after_the_other(path: Path) -> None:
    shown = review(path, "u", "y", "n", "u", "u", "n oh", "q")
    assert "There is nothing to undo." in shown
    assert labels(path) == [("no", "oh"), (None, ""), (None, "")]
    assert re.findall(r"(\d) of 3", shown) == list("1123212")


def test_skipped_answers_are_asked_about_again_only_when_told_to(path: Path) -> None:
    review(path, "s", "s", "y")
    assert "What is" not in review(path, "n")
    review(path, "n", "q", skipped=True)
    assert [label for label, _ in labels(path)] == ["no", "skip", "yes"]


def test_other_keys_change_nothing_and_are_asked_again(path: Path) -> None:
    shown = review(path, "", "x", "yes!", "maybe", "q")
    assert labels(path) == [(None, "")] * 3
    assert shown.count("y(es) n(o)") == 5


def test_long_material_is_cut_and_shown_whole_on_demand(tmp_path: Path) -> None:
    material = "\n".join(f"line {number}" for number in range(100))
    file = tmp_path / "labels.json"
    file.write_text(to_text(Labels("d", items=(make_item("q", "?", material, "A."),))))
    cut = review(file, "q")
    assert "line 29" in cut
    assert "line 30" not in cut
    assert f"… {len(material) - len(material.partition('line 30')[0]) + 1} more characters; m shows them" in cut
    assert "line 99" in review(file, "m", "q")


def test_texts_that_would_steer_the_terminal_or_are_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    item = make_item("q", "What [red]is[/red] \x1b]0;owned\x07?", "\x1b[2J\x9b1m[/]", "\x1b[31mRed\r\u202e.")
    file = tmp_path / "labels.json"
    file.write_text(to_text(Labels("d", items=(item,))))
    shown = review(file, "m", "q")
    assert set(shown) & set("\x1b\x07\x9b\r\u202e") == set()
    for part in ("What [red]is[/red] \\x1b]0;owned\\x07?", "\\x1b[2J\\x9b1m[/]", "\\x1b[31mRed\\x0d\\u202e."):
        assert part in shown


def test_what_others_write_meanwhile_is_kept(path: Path) -> None:
    def ask() -> str | None:
        if labels(path)[0][0] is None:
            third: Item = read_labels(path).items[2]
            path.write_text(to_text(read_labels(path).with_item(third.labelled("no", "by hand"))))
            return "y"
        return None

    Review(path, ask, Console(file=io.StringIO())).run()
    assert labels(path) == [("yes", ""), (None, ""), ("no", "by hand")]


def test_a_file_that_was_broken_meanwhile_is_left_as_it_is(path: Path) -> None:
    def ask() -> str:
        path.write_text("{")
        return "y"

    with pytest.raises(InputError, match="is no JSON"):
        Review(path, ask, Console(file=io.StringIO())).run()
    assert path.read_text() == "{"


def command(folder: Path, typed: str | None, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "runner.labels", "review", *options],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        input=typed,
        stdin=None if typed is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_command_reads_a_pipe_and_ends_well_with_its_end(path: Path) -> None:
    done = command(path.parents[1], "y\nn a note\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "\neval/human-labels.json: 2 labelled now, 2 of 3 have a label, 1 wait: python -m runner.labels review\n"
    )
    assert labels(path) == [("yes", ""), ("no", "a note"), (None, "")]
    assert command(path.parents[1], None).returncode == 0
    done = command(path.parents[1], "s")
    assert done.stdout.endswith("1 labelled now, 3 of 3 have a label, none waits\n")


def test_without_a_file_or_with_several_the_command_says_what_to_do(path: Path) -> None:
    folder = path.parents[1]
    (path.parent / "human-labels.zh.json").write_text(path.read_text())
    several = command(folder, "q\n")
    assert several.returncode == 2
    assert several.stderr == (
        "error: there are labels of several datasets, name one with --file: "
        "eval/human-labels.json, eval/human-labels.zh.json\n"
    )
    assert command(folder, "q\n", "--file", "eval/human-labels.zh.json").returncode == 0
    for file in path.parent.iterdir():
        file.unlink()
    none = command(folder, "q\n")
    assert none.returncode == 2
    assert "eval/human-labels.json is not there: python -m runner.labels sample RUN writes" in none.stderr


class Terminal:
    """A process at the other end of a pseudo-terminal."""

    def __init__(self, folder: Path) -> None:
        self.ours, its = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_ITS_TERMINAL, "-m", "runner.labels", "review"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"},
            stdin=its,
            stdout=its,
            stderr=its,
        )
        os.close(its)
        self.shown = ""

    def until(self, text: str) -> None:
        """Read on until it is shown."""
        while text not in self.shown:
            self.shown += self._more() or pytest.fail(f"{text!r} was not shown, but: {self.shown}")

    def type(self, text: str) -> None:
        """Type, and forget what was shown before."""
        self.shown = ""
        os.write(self.ours, text.encode())

    def end(self) -> int:
        """The exit code, after all was read."""
        while more := self._more():
            self.shown += more
        return self.process.wait(60)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def _more(self) -> str:
        if not select.select([self.ours], [], [], 60)[0]:
            pytest.fail(f"nothing came for a minute after: {self.shown}")
        try:
            return os.read(self.ours, 4096).decode(errors="replace")
        except OSError as error:  # Linux's way to say that the other end is closed
            if error.errno != errno.EIO:
                raise
            return ""


def test_on_a_terminal_an_interruption_loses_nothing(path: Path) -> None:
    with Terminal(path.parents[1]) as terminal:
        terminal.until("q(uit)")
        terminal.type("y so it is\n")
        terminal.until("2 of 3")
        terminal.until("q(uit)")
        terminal.type("\x03")
        assert terminal.end() == 130
    assert "1 of 3 have a label, 2 wait" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert labels(path) == [("yes", "so it is"), (None, ""), (None, "")]


def test_on_a_terminal_the_end_of_input_ends_well(path: Path) -> None:
    with Terminal(path.parents[1]) as terminal:
        terminal.until("q(uit)")
        terminal.type("n\n")
        terminal.until("2 of 3")
        terminal.until("q(uit)")
        terminal.type("\x04")
        assert terminal.end() == 0
    assert labels(path) == [("no", ""), (None, ""), (None, "")]
