"""The commands beside ``python -m runner``: whatever goes wrong is one line and a code that says no more than it is."""

import subprocess
import sys
from pathlib import Path

import pytest

MAIN = """
import errno, os, signal, sys
from pathlib import Path
from typing import Annotated
import typer
from eval.errors import InputError
from eval.gate.rules import Gate
from runner.command.typed import checked, run_command, tracking_at

def main(run: str, tolerance: Annotated[float, typer.Option(help="How far.")] = 0.1) -> None:
    exec(run, globals())

sys.exit(run_command(main))
"""


def ended(*arguments: str) -> tuple[int, str, str]:
    """Code, output and complaint of a command that does what its argument says."""
    done = subprocess.run([sys.executable, "-c", MAIN, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("does", "code", "told"),
    [
        ("pass", 0, ""),
        ("raise typer.Exit(1)", 1, ""),
        ("raise RuntimeError('a\\n  b')", 3, "error: RuntimeError: a b\n"),
        ("raise KeyError('x')", 3, "error: KeyError: 'x'\n"),
        ("raise AssertionError", 3, "error: AssertionError\n"),
        ("raise EOFError('ended')", 3, "error: EOFError: ended\n"),
        ("raise InputError('a', 'b')", 2, "error: a\nerror: b\n"),
        ("raise OSError('no room')", 3, "error: no room\n"),
        ("raise OSError(errno.ENOSPC, 'No space left')", 3, "error: No space left\n"),
        ("raise BrokenPipeError(errno.EPIPE, 'Broken pipe')", 3, "error: Broken pipe\n"),
        (
            "Path('/nowhere/x').read_text()",
            3,
            "error: /nowhere/x: No such file or directory; make room or give access\n",
        ),
        ("raise KeyboardInterrupt", 130, "warning: interrupted\n"),
        ("signal.raise_signal(signal.SIGINT)", 130, "warning: interrupted\n"),
    ],
)
def test_an_end_of_any_kind_has_its_line_and_its_code(does: str, code: int, told: str) -> None:
    assert ended(does) == (code, "", told)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["pass", "--tolerence", "0.1"], "--tolerence"),
        (["pass", "--tolerance=x"], "Invalid value for '--tolerance': "),
        (["pass", "--tolerance"], "--tolerance"),
        (["pass", "more"], "more"),
        ([], "Missing argument"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(arguments: list[str], named: str) -> None:
    code, output, told = ended(*arguments)
    assert (code, output) == (2, "")
    assert told.startswith("error: ")
    assert named in told
    assert "Input should" not in told
    assert (told.count("\n"), told.endswith("\n")) == (1, True)


def test_help_is_printed_and_is_no_failure() -> None:
    code, output, told = ended("--help")
    assert (code, told) == (0, "")
    assert "How far." in output


@pytest.mark.parametrize("command", ["promote", "compare", "relog"])
def test_every_command_is_run_in_this_way(command: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"runner.{command}", "--nonsense"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "error: No such option: --nonsense (--help lists the options)\n"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("tracking_at('http://h:x')", "error: --uri: 'http://h:x' can't be read: Port could not be cast"),
        ("checked(lambda: Gate(tolerance=7.0))", "error: --tolerance: must be less than 1 (got 7.0)\n"),
        ("checked(lambda: Gate(mode='x', tolerance=-1.0))", "error: --mode: must be 'report', 'enforce' or 'off' (got"),
    ],
)
def test_an_option_out_of_range_is_told_as_a_setting_is(options: str, told: str) -> None:
    code, output, complaint = ended(options)
    assert (code, output) == (2, "")
    assert complaint.startswith(told)
