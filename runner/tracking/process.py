"""Who logs a run: enough about a process to tell later, on the same machine, that it is gone."""

import dataclasses
import getpass
import json
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """A process of one boot of one machine; what the system does not tell is an empty text."""

    host: str
    namespace: str  # containers count their processes apart, even under one host name
    boot: str
    pid: int
    started: str  # a number is given again after a while, a number with its start is not

    def __str__(self) -> str:
        """The text that a run is tagged with."""
        return json.dumps(dataclasses.asdict(self))

    def is_gone(self) -> bool:
        """Whether it surely runs no more; False for another machine, or where that cannot be known."""
        here = this_process()
        if (self.host, self.namespace) != (here.host, here.namespace):
            return False
        if self.boot and here.boot and self.boot != here.boot:
            return True
        if not here.started:
            return _is_gone_by_signal(self.pid)
        return _start_of(self.pid) != self.started


def account() -> str:
    """Name of the account that runs the process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number without a name
        return "unknown"


def this_process() -> Process:
    """The process that asks."""
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        namespace = boot = ""
    return Process(socket.gethostname(), namespace, boot, os.getpid(), _start_of(os.getpid()))


def parse_process(text: str | None) -> Process | None:
    """The process of a tag; None for a missing tag, or one that was written by something else."""
    try:
        return Process(**json.loads(text or ""))
    except (TypeError, ValueError):
        return None


def _start_of(pid: int) -> str:
    """Clock ticks from boot to the start of the process; empty if it ended, or without a /proc folder."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    # The name in parentheses may hold blanks. After it come the state and, 19 fields on, the start.
    fields = status.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def _is_gone_by_signal(pid: int) -> bool:
    if sys.platform == "win32":  # there, signal 0 would end the process instead of asking after it
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
