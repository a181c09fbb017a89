"""What tokens cost: the table of the package genai-prices as it was shipped, or a price that somebody gives."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from runner.chat.vendors import bare_name

_MILLION = 1_000_000
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".lan")
_SOLD_ONLY = re.compile(
    r"gpt-(?!oss|2|j|neo)|chatgpt|o[134](?:$|-)|claude|gemini|text-embedding-(?:3|ada)"
    r"|(?:embed|rerank)-(?:v\d|english|multilingual)",
    re.IGNORECASE,
)
_SAMPLE = 1000  # tokens; prices that rise with the length of a prompt begin to do so far above
# Where the table calls a vendor by another name.
_PROVIDERS = {"xai": "x-ai", "zhipu": "zhipuai", "moonshot": "moonshotai"}


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens that go in, and that come out, and for each call besides."""

    input: float
    output: float
    call: float = 0.0

    @property
    def is_free(self) -> bool:
        """Whether nothing is paid at all."""
        return self.input == self.output == self.call == 0

    def usd(self, input_tokens: float, output_tokens: float) -> float:
        """What a call of so many tokens costs."""
        return self.call + (self.input * input_tokens + self.output * output_tokens) / _MILLION


def price_of(
    model: str, vendor: str, base_url: str, override: Mapping[str, float] | None, *, writes: bool = True
) -> Price | None:
    """The price of a model at an address, ``None`` where nobody knows it.

    A given price goes first. A model on this machine or in a private network costs nothing, unless it is one that is
    only sold: then a gateway there passes the calls on, and they cost what they do at the vendor's. The service at the
    address decides, as one model has several prices; an address that the table does not know has the vendor's own.
    A model that writes no text, as one that embeds, costs what goes in.
    """
    if override is not None:
        return Price(override["input"], override["output"])
    if is_private(base_url) and not _is_sold_only(model):
        return Price(0.0, 0.0)
    names = dict.fromkeys((model, bare_name(model)))  # a gateway's table has the whole name, a vendor's the bare one
    service = [_listed(name, writes, provider_api_url=base_url) for name in names]
    makers = [_listed(name, writes, provider_id=_PROVIDERS.get(vendor, vendor)) for name in names]
    return next((price for price in (*service, *makers) if price is not None), None)


def is_private(base_url: str) -> bool:
    """Whether an address is of this machine or a private network; names are told by how they end, never looked up."""
    host = urlsplit(base_url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_NAMES)
    return not address.is_global


def _is_sold_only(model: str) -> bool:
    """Whether a model's weights are nobody's to run, so that it must be a gateway which offers it."""
    return _SOLD_ONLY.match(bare_name(model)) is not None


def _listed(
    model: str, writes: bool, *, provider_api_url: str | None = None, provider_id: str | None = None
) -> Price | None:
    """The table's price. It is part of the package, which asks the network only where a program starts that."""
    from genai_prices import Usage, calc_price  # a table of megabytes, of use only where calls are paid for

    usage = Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE)
    try:
        if provider_id is None:
            found = calc_price(usage, model, provider_api_url=provider_api_url)
        else:
            found = calc_price(usage, model, provider_id=provider_id)
    except LookupError:
        return None
    if found.model_price.input_mtok is None or (writes and found.model_price.output_mtok is None):
        return None  # it is paid for by something else
    scale = _MILLION / _SAMPLE
    return Price(float(found.input_price) * scale, float(found.output_price) * scale if writes else 0.0)
