"""Settings that every kind of endpoint has, and what follows from them alike."""

from collections.abc import Collection, Mapping
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, model_validator

from eval.component import component
from eval.errors import MissingExtraError
from eval.fingerprints import canonical_json
from runner.chat.access import Address, KeyVariable, key_in
from runner.chat.prices import Price, price_of
from runner.chat.vendors import vendor_of

_DIRECTIONS = {"input", "output"}


def _both(prices: dict[str, float]) -> dict[str, float]:
    if set(prices) != _DIRECTIONS:
        raise ValueError(f"must hold input and output, in US dollars for a million tokens (got {sorted(prices)})")
    return prices


Prices = Annotated[dict[str, Annotated[float, Field(ge=0)]], AfterValidator(_both)]
"""US dollars for a million tokens, under ``input`` and ``output``."""


@component
class RemoteSettings:
    """Something behind HTTP: where it is, how it is let in, and how much patience there is with it.

    ``base_url`` is the server's, ``None`` the vendor's own. ``key_env`` is the NAME of the environment variable that
    holds the key, ``None`` for servers without keys. ``timeout_s`` is for a whole try.
    """

    # No reply follows from these: they are in no fingerprint, so that labels hold when somebody has more patience.
    INCIDENTAL: ClassVar = frozenset({"key_env", "concurrency", "timeout_s", "tries"})
    API: ClassVar[str]
    OWN_ADDRESS: ClassVar[str | None]  # None: there is no vendor whose address could be meant
    PACKAGE: ClassVar[str]  # the library that asks
    EXTRA: ClassVar[str]  # what installs it
    opaque: ClassVar[bool] = False

    name: Annotated[str, Field(pattern=r"\S")]
    base_url: Address | None = None
    key_env: KeyVariable | None = None
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    tries: Annotated[int, Field(ge=1, le=20)] = 5

    @model_validator(mode="after")
    def _check_reachable(self) -> Self:
        if not self.address:
            raise ValueError("base_url is not set: give the address of the server")
        if find_spec(self.PACKAGE) is None:
            raise MissingExtraError(type(self).__name__, self.PACKAGE, self.EXTRA)
        return self

    @property
    def vendor(self) -> str:
        """Who made the model."""
        return vendor_of(self.name, self.address)

    @property
    def address(self) -> str:
        """Base URL that calls go to. A library would let an environment variable choose another in silence."""
        return self.base_url or self.OWN_ADDRESS or ""

    def check(self) -> None:
        """Raise ``InputError`` where the key's variable is not set."""
        key_in(self.key_env)


@component
class HttpModel(RemoteSettings):
    """A chat model behind HTTP: what those of all vendors have in common.

    ``temperature`` ``None`` is not sent, as some models refuse it. ``structured`` says how a request's schema is sent.
    ``extra_body`` is sent as it is. ``usd_per_million`` takes the place of the price table. The other options are those
    of ``RemoteSettings``.
    """

    INCIDENTAL: ClassVar = RemoteSettings.INCIDENTAL | {"stream", "max_tokens_name", "usd_per_million"}
    SET_ELSEWHERE: ClassVar[frozenset[str]]  # keys of a request that extra_body must not hold

    temperature: float | None = 0.0
    structured: str = "schema"
    stream: bool = False
    extra_body: dict[str, Any] | None = None
    usd_per_million: Prices | None = None

    @model_validator(mode="after")
    def _check_body(self) -> Self:
        check_extra_body(self.extra_body or {}, self.SET_ELSEWHERE)
        return self

    def price(self) -> Price | None:
        """What its tokens cost, by its own prices or by the table."""
        return price_of(self.name, self.vendor, self.address, self.usd_per_million)

    def identity(self) -> Mapping[str, Any]:
        """What is sent besides a request's own texts, and where to."""
        return {"api": self.API, "address": self.address, "structured": self.structured, "options": self.options()}

    def options(self) -> dict[str, Any]:
        """What every request's body holds."""
        options: dict[str, Any] = {"model": self.name, **(self.extra_body or {})}
        return options if self.temperature is None else {**options, "temperature": self.temperature}


def check_extra_body(extra: Mapping[str, Any], ours: Collection[str]) -> None:
    """Refuse what is no JSON, and what has an option of its own or would change what a reply is.

    Raises:
        ValueError: names the keys, not their values.
    """
    if taken := sorted(set(extra) & set(ours)):
        raise ValueError(f"extra_body must not hold {', '.join(taken)}: an option or the request itself sets that")
    try:
        canonical_json(extra)
    except (TypeError, ValueError) as error:
        raise ValueError("extra_body must be plain JSON: texts, finite numbers, true, false, null, lists") from error
