"""Whatever takes JSON by POST and gives JSON: what endpoints that are no chat models have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field, model_validator

from eval.chat.messages import ChatRequest
from eval.component import component
from runner.chat.access import HeaderName, PlainHeaders, key_in
from runner.chat.endpoint import Connection, Reply
from runner.chat.prices import Price, price_of
from runner.chat.settings import Prices, RemoteSettings, check_extra_body


@component
class JsonEndpoint(RemoteSettings, ABC):
    """A plain endpoint, asked through the package ``httpx2``. A request's ``user`` is JSON, and so is a reply's text.

    The key is sent as ``Authorization: Bearer``, or as it is in the header ``key_header``. ``headers`` are sent with
    every request and must hold no secret. ``usd_per_call`` is what a call costs besides its tokens. The other options
    are those of ``RemoteSettings``.
    """

    INCIDENTAL: ClassVar = RemoteSettings.INCIDENTAL | {"key_header", "usd_per_call"}
    PACKAGE: ClassVar = "httpx2"
    EXTRA: ClassVar = "http"
    PATH: ClassVar[str] = ""  # below base_url

    key_header: HeaderName | None = None
    headers: PlainHeaders | None = None
    usd_per_call: Annotated[float, Field(ge=0)] | None = None

    @property
    def url(self) -> str:
        """The whole address; ``base_url`` may hold the path already, and a query."""
        parts = urlsplit(self.address)
        path = parts.path.rstrip("/").removesuffix(self.PATH) + self.PATH
        return urlunsplit(parts._replace(path=path))

    def identity(self) -> Mapping[str, Any]:
        """What is sent besides a request's own JSON, and where to."""
        return {"api": self.API, "address": self.url, "headers": self.headers or {}, "options": self.options()}

    def connect(self) -> Connection:
        """A client of its own for the running loop."""
        from runner.chat.json_connection import JsonConnection  # its library takes a tenth of a second to load

        key = key_in(self.key_env)
        return JsonConnection(self.url, {**(self.headers or {}), **self._key_header(key)}, key, self.body, self.read)

    def _key_header(self, key: str | None) -> dict[str, str]:
        if key is None:
            return {}
        return {"Authorization": f"Bearer {key}"} if self.key_header is None else {self.key_header: key}

    @abstractmethod
    def price(self) -> Price | None:
        """What calls cost; ``None`` where nobody knows."""

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """What every request's body holds."""

    @abstractmethod
    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body."""

    @abstractmethod
    def read(self, request: ChatRequest, body: Any) -> Reply:
        """The reply in a body; what is missing or makes no sense raises as Python does, and is asked for again."""


@component
class JsonModel(JsonEndpoint, ABC):
    """A model that is no chat model and that a vendor may bill by tokens.

    ``extra_body`` is sent as it is. ``usd_per_million`` takes the place of the price table. The other options are those
    of ``JsonEndpoint``.
    """

    INCIDENTAL: ClassVar = JsonEndpoint.INCIDENTAL | {"usd_per_million"}
    SET_ELSEWHERE: ClassVar[frozenset[str]]  # keys of a request that extra_body must not hold

    extra_body: dict[str, Any] | None = None
    usd_per_million: Prices | None = None

    @model_validator(mode="after")
    def _check_body(self) -> Self:
        check_extra_body(self.extra_body or {}, self.SET_ELSEWHERE)
        return self

    def price(self) -> Price | None:
        """What tokens and calls cost, by its own prices or by the table."""
        if self.usd_per_call is None:
            return price_of(self.name, self.vendor, self.address, self.usd_per_million, writes=False)
        tokens = self.usd_per_million or {"input": 0.0, "output": 0.0}
        return Price(tokens["input"], tokens["output"], self.usd_per_call)

    def options(self) -> dict[str, Any]:
        """What every request's body holds."""
        return {"model": self.name, **(self.extra_body or {})}
