"""A process is called gone only where that is sure."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from runner.tracking.process import Process, _start_of, parse_process, this_process

needs_proc = pytest.mark.skipif(not this_process().started, reason="no /proc folder on this system")


def test_the_process_that_asks_is_not_gone() -> None:
    assert not this_process().is_gone()


def test_a_process_survives_being_written_into_a_tag() -> None:
    assert parse_process(str(this_process())) == this_process()


@pytest.mark.parametrize("tag", [None, "", "worker-3", "{}", "[1]", '{"host": "a"}'])
def test_a_tag_that_something_else_wrote_names_no_process(tag: str | None) -> None:
    assert parse_process(tag) is None


def test_a_process_that_ended_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "from runner.tracking.process import *; print(this_process())"],
                             stdout=subprocess.PIPE, text=True)  # fmt: skip
    told, _ = child.communicate()
    process = parse_process(told)
    assert process is not None
    assert process.is_gone()


@needs_proc
def test_a_process_that_was_killed_but_not_yet_waited_for_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        process = _process(child.pid)
        assert not process.is_gone()
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and its number is still taken
        assert process.is_gone()


@needs_proc
def test_another_process_under_the_same_number_does_not_keep_it_alive() -> None:
    assert replace(this_process(), started="1").is_gone()


@needs_proc
def test_a_process_of_an_earlier_boot_of_this_machine_is_gone() -> None:
    assert replace(this_process(), boot="an earlier one").is_gone()


def test_a_process_of_another_machine_or_container_is_never_called_gone() -> None:
    ended = replace(this_process(), pid=2**30, started="1", boot="an earlier one")
    assert not replace(ended, host="another").is_gone()
    assert not replace(ended, namespace="another").is_gone()


def _process(number: int) -> Process:
    return replace(this_process(), pid=number, started=_start_of(number))
