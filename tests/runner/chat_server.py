"""A chat server on this machine that speaks OpenAI's and Anthropic's protocols, and fails as it is told to.

``with serving("Yes.") as server`` answers every request so; a list of ``Step`` is gone through request by request,
its last one over and over; a callable makes the step, or just the text, from what was ``Asked``. Endpoints are
pointed at ``server.openai`` or ``server.anthropic``.
"""

import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.runner.chat_protocols import NO_QUOTA, RATE_LIMITED, Asked, Fault, Step, spoken_at, streamed, whole

__all__ = ["NO_QUOTA", "RATE_LIMITED", "Asked", "ChatServer", "Step", "serving"]

Script = str | Sequence[Step] | Callable[[Asked], str | Step]


class ChatServer:
    """Counts what it is asked: ``asked`` in the order of arrival, ``at`` when, ``at_once`` how many wait now,
    and ``most_at_once`` at most. ``over`` is set when it ends, for scripts that wait.
    """

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self.at: list[float] = []
        self.most_at_once = self.at_once = 0
        self.mistakes: list[Exception] = []
        self.over = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.chat = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @cached_property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def openai(self) -> str:
        """``base_url`` of an ``OpenAICompatible``."""
        return f"{self.url}/v1"

    @property
    def anthropic(self) -> str:
        """``base_url`` of an ``AnthropicMessages``."""
        return self.url

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

    def step(self, asked: Asked) -> Step:
        """What is to be done with a request, which is counted."""
        with self._lock:
            number = len(self.asked)
            self.asked.append(asked)
            self.at.append(time.monotonic())
        if isinstance(self._script, str):
            return Step(self._script)
        if callable(self._script):
            made = self._script(asked)
            return Step(made) if isinstance(made, str) else made
        return self._script[min(number, len(self._script) - 1)]

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """A request is being answered."""
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            with self._lock:
                self.at_once -= 1


@contextmanager
def serving(script: Script = "Yes.") -> Iterator[ChatServer]:
    """A server for as long as the block lasts; what a script raised is raised at its end."""
    server = ChatServer(script)
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
    chat: ChatServer

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002  # the base class's
        """A client that goes away is no news here; a script that fails is."""
        if isinstance(mistake := sys.exc_info()[1], Exception) and not isinstance(mistake, OSError):
            self.chat.mistakes.append(mistake)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is the base class's
        """Say nothing."""

    def do_POST(self) -> None:  # the name is the base class's
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = (self.headers.get("Authorization") or self.headers.get("x-api-key") or "").removeprefix("Bearer ")
        asked = Asked(self.path, body, key)
        with self.server.chat.one_more(), suppress(OSError):
            self._do(asked, self.server.chat.step(asked))

    def _do(self, asked: Asked, step: Step) -> None:
        over = self.server.chat.over
        over.wait(step.delay_s)
        if step.fault == "hang":
            over.wait()
        elif step.fault == "reset":
            self._reset()
        elif step.status != 200:
            error = spoken_at(asked.path).error(step, asked)
            self._send(step.status, json.dumps(error).encode(), step.headers)
        elif asked.body.get("stream"):
            self._head(200, "text/event-stream", {"Connection": "close", **step.headers})
            self._write(streamed(asked, step), step.fault)
            self.close_connection = True
        else:
            self._send(200, whole(asked, step), step.headers, step.fault)

    def _send(self, status: int, content: bytes, headers: Mapping[str, str], fault: Fault | None = None) -> None:
        self._head(status, "application/json", {"Content-Length": str(len(content)), **headers})
        self._write(content, fault)

    def _head(self, status: int, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, content: bytes, fault: Fault | None) -> None:
        if fault == "drip":
            for place in range(len(content) - 1):
                self.wfile.write(content[place : place + 1])
                if self.server.chat.over.wait(0.05):
                    return
        elif fault == "cut":
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        else:
            self.wfile.write(content)

    def _reset(self) -> None:
        """End the connection by RST, as a crashed server's machine does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
