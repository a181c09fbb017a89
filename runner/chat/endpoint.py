"""One model at one place: its settings, a live connection to it, and the ways in which one call of it fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from eval.chat.messages import ChatRequest, Finish
from runner.chat.prices import Price


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call gave: the text without thinking, why it ended, and the tokens that are billed.

    Some servers don't count: then the tokens are ``None``.
    """

    text: str
    finish: Finish
    input_tokens: int | None
    output_tokens: int | None


class CallFailedError(Exception):
    """One call gave no reply; ``reason`` is short and alike for like failures."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Overloaded(CallFailedError):  # noqa: N818  # it names a state of the server, as its siblings do
    """Worth another try: a rate limit, a server's failure, a lost connection, no reply in time.

    ``retry_after_s`` is the least wait that the server asked for. ``slow_down``: it wants fewer calls at a time.
    ``maybe_billed``: the model may have worked on it, so it may be billed although no bill came.
    """

    def __init__(
        self, reason: str, retry_after_s: float | None = None, *, slow_down: bool = False, maybe_billed: bool = False
    ) -> None:
        super().__init__(reason)
        self.retry_after_s, self.slow_down, self.maybe_billed = retry_after_s, slow_down, maybe_billed


class Unreachable(Overloaded):
    """Nobody answers at the address. A server that starts again is worth a few tries; then all others fail, too."""


class Refused(CallFailedError):  # noqa: N818  # as above
    """This request can't be served, others may: a content filter, too long a prompt. ``raw`` is what was said."""

    def __init__(self, reason: str, raw: str = "") -> None:
        super().__init__(reason)
        self.raw = raw


class Exhausted(CallFailedError):  # noqa: N818  # as above
    """No further call makes sense: the key is refused, the model unknown, the quota used up."""


class Connection(Protocol):
    """A live connection to an endpoint. It belongs to the event loop that it was made on."""

    async def send(self, request: ChatRequest) -> Reply:
        """Make exactly one call, without any time limit of its own.

        Raises:
            Overloaded: worth another try.
            Refused: this request is lost.
            Exhausted: every further request is lost, too.
        """
        ...

    async def close(self) -> None:
        """Let go of its sockets."""
        ...


@runtime_checkable
class Endpoint(Protocol):
    """Settings of one model at one place.

    ``concurrency`` is the most calls at a time, ``timeout_s`` the time of one whole try in seconds, ``tries`` how
    often a call is tried.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def vendor(self) -> str:
        """Who made the model; "" where that is not known."""
        ...

    @property
    def address(self) -> str:
        """Base URL that calls go to."""
        ...

    @property
    def concurrency(self) -> int:
        """Most calls at a time."""
        ...

    @property
    def timeout_s(self) -> float:
        """Seconds that one whole try may take."""
        ...

    @property
    def tries(self) -> int:
        """How often a call is tried."""
        ...

    @property
    def opaque(self) -> bool:
        """Whether nobody here knows what stands behind the address.

        It may change from call to call, so that no reply is kept, and what it spends can't be told beforehand.
        """
        ...

    def price(self) -> Price | None:
        """What calls cost; ``None`` where nobody knows."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Everything besides the request that a reply follows from, as JSON; never the key."""
        ...

    def check(self) -> None:
        """Make sure that a call could be made.

        Raises:
            InputError: what is missing, as the key's environment variable.
        """
        ...

    def connect(self) -> Connection:
        """A connection for the running event loop."""
        ...
