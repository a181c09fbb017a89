"""A process that has loaded the libraries and becomes a command whenever it is asked, so that tests need not wait.

It knows nothing of this project before it is a command: only libraries are loaded beforehand. ``python -m
tests.runner.warm ADDRESS`` serves on a Unix socket: a request is a line of JSON, the reply the exit code.
"""

import importlib
import json
import os
import runpy
import signal
import socket
import sys
import traceback
from contextlib import suppress
from typing import Any

LIBRARIES = (
    "alembic.command",
    "genai_prices",
    "hydra",
    "mlflow",
    "mlflow.store.tracking.sqlalchemy_store",
    "numpy",
    "omegaconf",
    "openai",
    "pydantic",
    "rich.markdown",
    "scipy.stats",
    "typer",
)


def serve(address: str) -> None:
    """Fork for each connection, until the other end of standard input is gone."""
    for library in LIBRARIES:
        with suppress(ImportError):  # an extra that is not installed
            importlib.import_module(library)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                become(connection)
            connection.close()


def become(connection: socket.socket) -> None:
    """Read which command to be, be it, tell its exit code, and end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request: dict[str, Any] = json.loads(connection.makefile(encoding="utf-8").readline())
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    for number, name in ((0, os.devnull), (1, request["out"]), (2, request["err"])):
        opened = os.open(name, os.O_RDWR)
        os.dup2(opened, number)
        os.close(opened)
    code = run(request["module"], request["arguments"])
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    connection.sendall(f"{code}\n".encode())
    os._exit(code)


def run(module: str, arguments: list[str]) -> int:
    """As ``python -m module arguments`` would, up to the exit code."""
    sys.path.insert(0, os.getcwd())  # noqa: PTH109  # Python puts it there as a text, too
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as leaving:
        if isinstance(leaving.code, str):
            sys.stderr.write(f"{leaving.code}\n")
            return 1
        return leaving.code or 0
    except BaseException:  # noqa: BLE001  # Python's own end
        traceback.print_exc()
        return 1
    finally:
        for hook in (sys.stdout.flush, sys.stderr.flush):
            with suppress(OSError):
                hook()
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])
