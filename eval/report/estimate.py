"""What a run would cost, before anything is paid."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

from eval.records import RunRecord
from eval.report.bills import bills, month_line
from eval.report.tables import table


@dataclass(frozen=True, slots=True)
class Estimate:
    """The calls of a run as they would be billed now: expected and, with every reply as long as allowed, at most.

    ``usd`` and ``most_usd`` leave out the calls of models without a known price, of which there are ``unpriced``.
    """

    page: str
    calls: int
    tokens: int
    usd: float
    most_usd: float
    unpriced: int

    @property
    def total(self) -> str:
        """In one line."""
        unknown = f", without {self.unpriced} calls whose price is not known" if self.unpriced else ""
        money = f"{self.usd:.4f} USD expected, {self.most_usd:.4f} at most{unknown}"
        return f"{self.calls} calls to pay for, {self.tokens} tokens, {money}"


def total(estimates: Sequence[Estimate]) -> str:
    """Several runs' cost in one line."""
    return Estimate(
        "",
        calls=sum(each.calls for each in estimates),
        tokens=sum(each.tokens for each in estimates),
        usd=fsum(each.usd for each in estimates),
        most_usd=fsum(each.most_usd for each in estimates),
        unpriced=sum(each.unpriced for each in estimates),
    ).total


def estimate(run: RunRecord, most_usd: float) -> Estimate:
    """From a run whose replies were made up where the cache had none.

    Args:
        run: its calls carry expected tokens and prices; those that are cached cost nothing.
        most_usd: what its calls could cost at most.
    """
    found = bills(run)
    rows = [
        [
            f"{each['stage']}: {each['model']}",
            each["calls"],
            each["cached_calls"],
            each["input_tokens"],
            each["output_tokens"],
            "unknown" if each["unpriced"] else f"{each['usd_paid']:.4f}",
        ]
        for each in found["models"]
    ]
    calls = sum(each["calls"] - each["cached_calls"] for each in found["models"])
    made = Estimate("", calls, found["tokens"]["paid"], found["usd"]["paid"], most_usd, found["usd"]["unpriced_calls"])
    blocks = [
        f"# Estimate for {run.name} on {run.dataset.name}",
        "Nothing was asked and nothing paid; what is free was done.",
        table(["model", "calls", "cached", "tokens in", "out", "USD"], rows) if rows else "No model is asked.",
        f"{made.total[0].upper()}{made.total[1:]}.",
        month_line(found["usd"]["month"], run) if rows else "",
        "Tokens in are counted with o200k_base, which other vendors' models cut differently; tokens out are a guess.",
    ]
    return replace(made, page="\n\n".join(block for block in blocks if block) + "\n")
