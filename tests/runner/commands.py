"""The commands as a person starts them, for the tests that need a process."""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 300
QUIET = {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_LOGGING_LEVEL": "CRITICAL"}  # read when MLflow is loaded


def python(folder: Path, module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """``python -m module`` with this checkout, in a folder; bounded in time, and what it prints is kept.

    It is a process of its own, made of one that has the libraries loaded, unless Python itself is to be set up
    otherwise.
    """
    settings = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    if hasattr(os, "fork") and not any(name.startswith("PYTHON") for name in environment):
        return _warm(folder, module, arguments, settings)
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )


def _warm(
    folder: Path, module: str, arguments: tuple[str, ...], settings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as kept, socket.socket(socket.AF_UNIX) as connection:
        out, err = Path(kept) / "out", Path(kept) / "err"
        out.touch()
        err.touch()
        request = {"folder": str(folder), "module": module, "arguments": arguments, "environment": settings}
        connection.settimeout(TIMEOUT_S)
        connection.connect(_server())
        connection.sendall(json.dumps({**request, "out": str(out), "err": str(err)}).encode() + b"\n")
        told = connection.makefile().readline()
        code = int(told) if told else -9
        texts = [path.read_bytes().decode("utf-8", "replace") for path in (out, err)]
    return subprocess.CompletedProcess([module, *arguments], code, *texts)


@cache
def _server() -> str:
    """The address of this test process's server, which ends with it."""
    folder = tempfile.mkdtemp()
    address = str(Path(folder) / "commands")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.runner.warm", address],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | QUIET,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.kill)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return address
