"""Somebody else's code, as ``system=callable`` finds it."""

from collections.abc import AsyncIterator
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


async def endless(_question: str) -> AsyncIterator[str]:
    yield "never asked for"


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
