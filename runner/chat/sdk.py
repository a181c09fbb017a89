"""What the clients of both vendors' libraries share: their exceptions mean the same, and none may carry the key."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2

from runner.chat.access import without
from runner.chat.endpoint import CallFailedError, Exhausted, Overloaded, Refused, Reply, Unreachable
from runner.chat.failures import failure, said
from runner.chat.thinking import without_thinking

MALFORMED = "malformed reply"


async def guarded(ask: Callable[[], Awaitable[Reply]], errors: type[Exception], key: str | None) -> Reply:
    """A call's reply, clean of thinking and of the key; or its failure, clean of the key and of any other exception.

    Args:
        ask: makes the call.
        errors: the library's exception of which all others are kinds.
        key: the key that is used, ``None`` without.
    """
    failed: CallFailedError
    try:
        reply = await ask()
        text = _whole_characters(without_thinking(without(key, reply.text)))
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
    except (ValueError, TypeError, LookupError, AttributeError):  # of JSON, or of its shape
        failed = Overloaded(MALFORMED, maybe_billed=True)
    raise _clean(failed, key)


def read_json(content: bytes) -> Any:
    """A whole body; ``ValueError`` if it is no JSON."""
    return json.loads(content)


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
    return tokens if isinstance(tokens, int) and tokens >= 0 else None


def _whole_characters(text: str) -> str:
    """JSON may hold halves of characters, which no file can; pairs are joined, single ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
