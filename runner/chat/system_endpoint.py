"""A deployed system behind HTTP, which takes questions and changes when somebody deploys the next version."""

import json
from typing import Any, ClassVar

from eval.chat.messages import ChatRequest
from eval.component import component
from runner.chat.endpoint import Reply
from runner.chat.json_endpoint import JsonEndpoint
from runner.chat.prices import Price


@component
class SystemEndpoint(JsonEndpoint):
    """Takes a request's JSON as it is and gives the JSON that comes back. Only POST: no question goes into an address.

    ``base_url`` is the whole address. ``name`` is what reports call the system. Its replies are never kept. What it
    spends is only known to itself, so a call costs ``usd_per_call``, and nobody knows what without that. The other
    options are those of ``JsonEndpoint``.
    """

    API: ClassVar = "system"
    OWN_ADDRESS: ClassVar = None
    opaque: ClassVar = True

    def price(self) -> Price | None:
        """What a call costs, if somebody said so."""
        return None if self.usd_per_call is None else Price(0.0, 0.0, self.usd_per_call)

    def options(self) -> dict[str, Any]:
        """Nothing but the request itself."""
        return {}

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body."""
        body: dict[str, Any] = json.loads(request.user)
        return body

    def read(self, request: ChatRequest, body: Any) -> Reply:  # noqa: ARG002  # what was asked tells nothing here
        """All that came; tokens are for those to find who know where in it they stand."""
        return Reply(json.dumps(body, ensure_ascii=False, allow_nan=False), "stop", 0, 0)
