"""A server on this machine that takes JSON by POST, gives JSON, and fails as it is told to.

``with posting(script) as server``: a callable makes the reply's body, or a ``Given``, from what was ``Posted``; a list
of ``Given`` is gone through request by request, its last one over and over.
"""

import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal


@dataclass(frozen=True)
class Posted:
    """A request as it came; names of ``headers`` are in small letters."""

    path: str
    body: Any
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Given:
    """What is done with one request; ``raw`` takes the place of ``body``."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: Literal["hang", "reset", "cut"] | None = None
    raw: bytes | None = None

    @property
    def content(self) -> bytes:
        """The body as it is sent."""
        return json.dumps(self.body).encode() if self.raw is None else self.raw


Script = Callable[[Posted], Any] | Sequence[Given]


class JsonServer:
    """Counts what it is asked: ``asked`` in the order of arrival and ``at`` when. ``over`` is set when it ends."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Posted] = []
        self.at: list[float] = []
        self.mistakes: list[Exception] = []
        self.over = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def count(self) -> int:
        """Requests so far."""
        return len(self.asked)

    def start(self) -> None:
        """Take requests."""
        self._thread.start()

    def stop(self) -> None:
        """Take no more, and let go of those that hang."""
        self.over.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def given(self, posted: Posted) -> Given:
        """What is to be done with a request, which is counted."""
        with self._lock:
            number = len(self.asked)
            self.asked.append(posted)
            self.at.append(time.monotonic())
        made = self._script(posted) if callable(self._script) else self._script[min(number, len(self._script) - 1)]
        return made if isinstance(made, Given) else Given(made)


@contextmanager
def posting(script: Script) -> Iterator[JsonServer]:
    """A server for as long as the block lasts; what a script raised is raised at its end."""
    server = JsonServer(script)
    server.start()
    try:
        yield server
    finally:
        server.stop()
    for mistake in server.mistakes:
        raise mistake


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: JsonServer

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002  # the base class's
        """A client that goes away is no news here; a script that fails is."""
        if isinstance(mistake := sys.exc_info()[1], Exception) and not isinstance(mistake, OSError):
            self.owner.mistakes.append(mistake)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is the base class's
        """Say nothing."""

    def do_POST(self) -> None:  # the name is the base class's
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        posted = Posted(self.path, body, {name.lower(): value for name, value in self.headers.items()})
        with suppress(OSError):
            self._do(self.server.owner.given(posted))

    def _do(self, given: Given) -> None:
        if given.fault == "hang":
            self.server.owner.over.wait()
        elif given.fault == "reset":  # as a crashed server's machine does
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
        else:
            self._send(given)

    def _send(self, given: Given) -> None:
        self.send_response(given.status)
        usual = {"Content-Type": "application/json", "Content-Length": str(len(given.content))}
        for name, value in {**usual, **given.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        cut = given.fault == "cut"
        self.wfile.write(given.content[: len(given.content) // 2] if cut else given.content)
        self.close_connection = cut
