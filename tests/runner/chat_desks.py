"""Desks and endpoints for the tests of chat models."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from eval.chat.messages import ChatFailedError, ChatRequest
from runner.chat.anthropic_messages import AnthropicMessages
from runner.chat.cache import FILE, CacheMode, CallCache
from runner.chat.desk import Desk
from runner.chat.line import Line
from runner.chat.openai_compatible import OpenAICompatible
from runner.chat.purse import Purse
from tests.runner.chat_server import ChatServer

Endpoint = OpenAICompatible | AnthropicMessages
QUESTION = ChatRequest("You are brief.", "Is it open?", 50)


def endpoint_at(server: ChatServer, kind: type[Endpoint] = OpenAICompatible, **settings: Any) -> Endpoint:
    """An endpoint at this server that needs no key and is quick to give up."""
    address = server.openai if kind is OpenAICompatible else server.anthropic
    return kind(**{"name": "some-model", "base_url": address, "key_env": None, "tries": 2, "timeout_s": 20, **settings})


@contextmanager
def open_desk(folder: Path, mode: CacheMode = "on", max_usd: float | None = None, **settings: Any) -> Iterator[Desk]:
    """A desk whose cache is in this folder."""
    with Desk(CallCache(folder, mode), Purse(max_usd), **settings) as desk:
        yield desk


def failure_of(line: Line, request: ChatRequest = QUESTION) -> ChatFailedError:
    """How asking fails."""
    try:
        completion = line.complete(request)
    except ChatFailedError as error:
        return error
    raise AssertionError(f"there was a reply: {completion}")


def cached_texts(folder: Path) -> list[str]:
    """The replies that a cache holds."""
    with closing(sqlite3.connect(folder / FILE)) as table:
        return [text for (text,) in table.execute("SELECT text FROM calls ORDER BY text")]
