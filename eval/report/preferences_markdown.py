"""Which of two runs answers better, for people."""

from collections.abc import Sequence

from eval.judges.preferences import Comparison, Counts
from eval.report.bills import Bill
from eval.report.tables import plain, table


def preferences_page(comparison: Comparison, name_a: str, name_b: str) -> str:
    """A section of a page; ends with a line end."""
    blocks = ["## Which answers are better", *preferences_markdown(comparison, name_a, name_b), _bill(comparison)]
    return "\n" + "\n\n".join(blocks) + "\n"


def _bill(comparison: Comparison) -> str:
    bill = Bill.of(comparison.calls)
    unknown = f", and {bill.unpriced} calls whose price is not known" if bill.unpriced else ""
    return f"{bill.calls} calls, {bill.cached_calls} of them cached; {bill.usd_paid:.4f} USD paid{unknown}."


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def preferences_markdown(comparison: Comparison, name_a: str, name_b: str) -> list[str]:
    """The comparison as paragraphs of Markdown: a table, then what has to be known beside it."""
    draws = sum(count for _, count in comparison.draws)
    rows: list[Sequence[object]] = [
        (f"{name_a} is better", comparison.better_a),
        (f"{name_b} is better", comparison.better_b),
        (f"draws{_reasons(comparison.draws)}", draws),
        (f"not judged{_reasons(comparison.unscored)}", sum(count for _, count in comparison.unscored)),
    ]
    test = f"Exact sign test of {comparison.better_a} against {comparison.better_b}: {_p(comparison.p)}."
    refused = (
        f"Refusals of one run alone: {plain(name_a)} {comparison.refused_a}, {plain(name_b)} {comparison.refused_b}."
    )
    return [table(("answers", "questions"), rows), test, refused, _of_places(comparison)]


def _of_places(comparison: Comparison) -> str:
    bias = comparison.position
    if bias.share is None or bias.interval is None:
        return "The judge chose no answer, so nothing can be said of its position bias."
    low, high = bias.interval
    return (
        f"Position bias of the judge: it chose the answer that stood first in {bias.first} of "
        f"{bias.first + bias.second} choices ({bias.share:.0%}, 95 % interval {low:.0%} to {high:.0%}, "
        f"{_p(bias.p)}); in {comparison.disagreements} of {comparison.pairs} pairs its two orders disagree."
    )


def _reasons(counts: Counts) -> str:
    return f" ({'; '.join(f'{reason}: {count}' for reason, count in counts)})" if counts else ""
