"""Settings that every kind of endpoint has."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from eval.fingerprints import canonical_json

# Settings that no reply follows from: they are in no fingerprint, so that labels hold when somebody has more patience.
INCIDENTAL = frozenset({"key_env", "stream", "concurrency", "timeout_s", "tries", "max_tokens_key", "usd_per_million"})
_DIRECTIONS = {"input", "output"}


def _both(prices: dict[str, float]) -> dict[str, float]:
    if set(prices) != _DIRECTIONS:
        raise ValueError(f"must hold input and output, in US dollars for a million tokens (got {sorted(prices)})")
    return prices


Prices = Annotated[dict[str, Annotated[float, Field(ge=0)]], AfterValidator(_both)]
"""US dollars for a million tokens, under ``input`` and ``output``."""


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
