"""What the clients of all libraries share: their exceptions mean the same, and none may carry the key."""

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import httpx2

from eval.chat.messages import ChatRequest
from runner.chat.access import without
from runner.chat.endpoint import CallFailedError, Exhausted, Overloaded, Refused, Reply, Unreachable
from runner.chat.failures import failure, said

MALFORMED = "malformed reply"
# Documents go to the address that was given and to no other.
HERE_ONLY = {"follow_redirects": False}
_MOST_TOKENS = 10**9


class SdkConnection(ABC):
    """A connection by a vendor's client, without the client's own retries and time limits.

    Args:
        client: asynchronous; its errors are of the class ``ERRORS``.
        key: the key that it uses, ``None`` without.
        stream: whether replies are streamed.
        body: makes the body of a request.
    """

    PATH: ClassVar[str]
    ERRORS: ClassVar[type[Exception]]

    def __init__(
        self, client: Any, key: str | None, stream: bool, body: Callable[[ChatRequest], dict[str, Any]]
    ) -> None:
        self._client, self._key, self._stream, self._body = client, key, stream, body

    async def send(self, request: ChatRequest) -> Reply:
        """Make one call; see ``runner.chat.endpoint.Connection``."""
        body = self._body(request)
        return await guarded(lambda: self.streamed(body) if self._stream else self._whole(body), self.ERRORS, self._key)

    async def close(self) -> None:
        """Close the client's connections."""
        await self._client.close()

    async def _whole(self, body: dict[str, Any]) -> Reply:
        response = await self._client.post(self.PATH, cast_to=httpx2.Response, body=body, options=HERE_ONLY)
        return self.read(json.loads(response.content))

    @abstractmethod
    async def streamed(self, body: dict[str, Any]) -> Reply:
        """A reply that comes in pieces."""

    @abstractmethod
    def read(self, body: Any) -> Reply:
        """The reply in a body; an error may come under the status 200. What is missing raises as Python does."""


async def guarded(ask: Callable[[], Awaitable[Reply]], errors: type[Exception] | tuple[()], key: str | None) -> Reply:
    """A call's reply, clean of the key; or its failure, clean of the key and of any other exception.

    Args:
        ask: makes the call.
        errors: the exception of a vendor's library of which all its others are kinds; ``()`` without such a library.
        key: the key that is used, ``None`` without.
    """
    failed: CallFailedError
    try:
        reply = await ask()
        text = _whole_characters(without(key, reply.text))
        return Reply(text, reply.finish, _count(reply.input_tokens), _count(reply.output_tokens))
    except CallFailedError as error:
        failed = error
    except errors as error:
        failed = _failure(error)
    except httpx2.ConnectError:
        failed = Unreachable("no connection to the server")
    except (httpx2.HTTPError, httpx2.StreamError):
        failed = Overloaded("connection lost", maybe_billed=True)
    except UnicodeEncodeError:
        failed = Refused("the request holds half characters, which can't be sent")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):  # of JSON, or of its shape
        failed = Overloaded(MALFORMED, maybe_billed=True)
    raise _clean(failed, key)


def _failure(error: Exception) -> CallFailedError:
    """What one of the libraries' exceptions means; all carry ``body`` and ``message``, most a ``response``."""
    response, body = getattr(error, "response", None), getattr(error, "body", None)
    if response is None and body is None:
        if isinstance(error.__cause__, httpx2.ConnectError):
            return Unreachable("no connection to the server")
        return Overloaded("connection lost", maybe_billed=True)
    status = 200 if response is None else int(response.status_code)
    return failure(said(status, body, str(error)), None if response is None else response.headers)


def _clean(failed: CallFailedError, key: str | None) -> CallFailedError:
    """The same failure without the key, and without the exception that it came from, which may hold it."""
    reason = without(key, failed.reason)
    if isinstance(failed, Refused):
        return Refused(reason, without(key, failed.raw))
    if isinstance(failed, Exhausted):
        return Exhausted(reason)
    failed.__cause__ = failed.__context__ = None
    return failed


def _count(tokens: object) -> int | None:
    """What a server counted; ``None`` for what is no count, so that it is estimated instead."""
    return tokens if type(tokens) is int and 0 <= tokens <= _MOST_TOKENS else None


def _whole_characters(text: str) -> str:
    """JSON may hold halves of characters, which no file can; pairs are joined, single ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
