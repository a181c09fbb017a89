"""Somebody else's code, as ``system=callable`` finds it."""

import asyncio
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

from eval.records import Question

RETRIEVER = object()


def texts(question: str) -> list[str]:
    return [f"about {question}", "more"]


def shaped(question: Question) -> Any:
    """Whatever the test put into the question's tags: a way to hand any result to the system."""
    return RESULTS[question.id]


RESULTS: dict[str, Any] = {}


def limited(question: str, k: int) -> list[str]:
    return texts(question)[:k]


async def patient(question: str) -> list[tuple[str, str]]:
    return [(question, "d1")]


async def one_by_one(question: str) -> AsyncIterator[str]:
    for text in texts(question):
        yield text


def endless(question: str) -> Iterator[str]:
    while True:
        yield question


async def endless_async(question: str) -> AsyncIterator[str]:
    while True:
        yield question


class AsyncClient:
    """A client that is at home in the event loop in which it was used first, as those of HTTP are."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, question: str) -> list[str]:
        self.loop = self.loop or asyncio.get_running_loop()
        if asyncio.get_running_loop() is not self.loop:
            raise RuntimeError("another event loop")
        await asyncio.sleep(0.01)
        return [question]


class Table:
    """A connection that only the thread that opened it may use."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")

    def __call__(self, question: str) -> list[str]:
        return list(self.connection.execute("SELECT ?", (question,)).fetchone())


RELEASED = threading.Event()
HANGING = threading.Semaphore(0)


def hanging(question: str) -> list[str]:
    if question == "hang":
        HANGING.release()
        RELEASED.wait(60)
    return [question]


async def hanging_async(question: str) -> list[str]:
    if question == "hang":
        HANGING.release()
        await asyncio.sleep(60)
    return [question]


def hanging_generator(question: str) -> Iterator[str]:
    yield from hanging(question)


def leaving(question: str) -> list[str]:
    if question == "base":
        raise BaseException("base")  # noqa: TRY002 – what is tested
    if question == "interrupt":
        raise KeyboardInterrupt
    return [question] if question == "parking" else sys.exit(int(question))


async def leaving_async(question: str) -> list[str]:
    return leaving(question)


class SpeechlessError(Exception):
    """Can't say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def raising(question: str) -> list[str]:
    raise KeyError if question == "wordless" else SpeechlessError


class Unshowable:
    """Can't be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Secretive:
    """Can't be built, and shows a password."""

    def __init__(self) -> None:
        raise OSError("no database at postgres://user:hunter2@host/db")


def telling(_question: str) -> list[str]:
    raise ValueError("wrong key sk-test-1234567890abc")


def failing(question: str) -> list[str]:
    if "bad" in question:
        raise ConnectionError("store\nis down")
    return texts(question)


@dataclass
class Counted:
    """Remembers how often it was built and called."""

    prefix: str
    calls: int = 0

    def __post_init__(self) -> None:
        BUILT.append(self.prefix)

    def __call__(self, question: str) -> list[str]:
        self.calls += 1
        return [f"{self.prefix} {question} {self.calls}"]


BUILT: list[str] = []


class Broken:
    """Can't be built."""

    def __init__(self) -> None:
        raise FileNotFoundError("no index")


class Mute:
    """Can't be called."""


@dataclass
class LangChainDocument:
    """The attributes of LangChain's."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class HaystackDocument:
    """The attributes of Haystack's."""

    content: str | None
    meta: dict[str, Any] = field(default_factory=dict)
    score: float | None = None
    id: str = "hash"


class TextNode:
    """The attributes of LlamaIndex's; its own document is named by an id that it made up."""

    id_ = "node-1"
    ref_doc_id = "made-up"

    def __init__(self, text: str, metadata: dict[str, Any]) -> None:
        self._text = text
        self.metadata = metadata

    def get_content(self) -> str:
        return self._text


@dataclass
class NodeWithScore:
    """LlamaIndex's pair of node and score."""

    node: TextNode
    score: float | None


@dataclass
class Reply:
    """What a chain may give: LlamaIndex's response has these attributes."""

    response: str | None
    source_nodes: list[Any]
