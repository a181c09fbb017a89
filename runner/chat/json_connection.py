"""One client of plain HTTP: JSON there, JSON back."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from eval.chat.messages import ChatRequest
from runner.chat.endpoint import Refused, Reply
from runner.chat.failures import failure, said
from runner.chat.sdk import guarded

_KIND = {"Content-Type": "application/json", "Accept": "application/json"}


class JsonConnection:
    """A connection without retries and time limits of its own. It takes no cookies: no call may know of another.

    Args:
        url: where requests are posted.
        headers: sent with each, the key's among them.
        key: the key itself, ``None`` without; it is taken out of all that comes back.
        body: makes the body of a request.
        read: finds the reply in a body.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        key: str | None,
        body: Callable[[ChatRequest], dict[str, Any]],
        read: Callable[[ChatRequest, Any], Reply],
    ) -> None:
        self._client = httpx2.AsyncClient(
            headers={**headers, **_KIND},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            timeout=None,
            follow_redirects=False,  # what is asked goes to the address that was given and to no other
            limits=httpx2.Limits(max_connections=None),
        )
        self._url, self._key, self._body, self._read = url, key, body, read

    async def send(self, request: ChatRequest) -> Reply:
        """Make one call; see ``runner.chat.endpoint.Connection``."""
        return await guarded(lambda: self._asked(request), (), self._key)

    async def close(self) -> None:
        """Close the client's connections."""
        await self._client.aclose()

    async def _asked(self, request: ChatRequest) -> Reply:
        content = json.dumps(self._body(request), ensure_ascii=False, allow_nan=False).encode()
        response = await self._client.post(self._url, content=content)
        if not response.is_success:
            raise failure(said(response.status_code, _json(response), response.text), response.headers)
        return self._read(request, json.loads(response.content, object_pairs_hook=_each_key_once))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a failure where nobody can tell which of two values counts."""
    if len(dict(pairs)) < len(pairs):
        numbers = Counter(key for key, _ in pairs)
        twice = next(key for key, number in numbers.items() if number > 1)
        raise Refused(f"malformed reply: the key {twice!r} stands twice in one object", str(pairs))
    return dict(pairs)


def _json(response: httpx2.Response) -> Any:
    """An error's body; ``None`` where it is no JSON."""
    try:
        return json.loads(response.content)
    except ValueError:
        return None
