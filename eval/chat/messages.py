"""What a chat model is asked, what it gives back, what that cost, and how it fails."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from eval.errors import EvalfirstError

Finish = Literal["stop", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a chat model. With the model's own settings it is everything that the reply follows from.

    ``schema`` is the JSON schema that a structured reply must meet, ``None`` for plain text. ``expected_tokens`` is
    the usual length of a reply, for an estimate alone; it is no part of the request.
    """

    system: str
    user: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    expected_tokens: int = field(default=200, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model, as it is billed.

    ``cached``: it was paid for earlier and taken from the cache. ``usd`` is what it cost, or did when it was paid
    for; ``None`` where no price is known. ``milliseconds`` is how long the model took, also when that was earlier.
    """

    model: str
    input_tokens: int
    output_tokens: int
    usd: float | None
    milliseconds: float
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply: its text without any thinking, why it ended, and its bill; retries that failed are billed, too."""

    text: str
    finish: Finish
    calls: tuple[Call, ...] = ()


class ChatFailedError(EvalfirstError):
    """There is no reply to use. ``reason`` is short and alike for like failures, so that they can be counted.

    ``raw`` is the text that came, if any did. ``calls`` are billed all the same.
    """

    def __init__(self, reason: str, raw: str = "", calls: tuple[Call, ...] = ()) -> None:
        super().__init__(reason)
        self.reason, self.raw, self.calls = reason, raw, calls


@runtime_checkable
class ChatModel(Protocol):
    """A model that can be asked, from several threads at a time.

    ``name`` is the model's own name, ``vendor`` who made it ("" where that is not known), ``concurrency`` how many
    questions it takes at a time.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def vendor(self) -> str:
        """Who made the model."""
        ...

    @property
    def concurrency(self) -> int:
        """Questions that may wait for a reply at the same time."""
        ...

    def complete(self, request: ChatRequest) -> Completion:
        """Ask and wait for the reply.

        A reply that was cut off has the finish ``length``; what it means is the caller's to say.

        Raises:
            ChatFailedError: no reply came, or none that may be used: after retries, by a filter, blank.
        """
        ...

    def forget(self, request: ChatRequest) -> None:
        """The reply to this was of no use: it is not kept, so that whoever asks again gets another chance."""
        ...
