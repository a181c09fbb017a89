"""How far a judge agrees with people, on the answers that both have seen."""

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from eval.gate.trust import ENOUGH_LABELS
from eval.labels.items import Item, Labels, Opinion


@dataclass(frozen=True)
class Pair:
    """One answer: what people said of it, and what the judge did."""

    item: Item
    opinion: Opinion

    @property
    def agree(self) -> bool:
        """Whether both found the same."""
        return self.item.unsupported == self.opinion.unsupported


@dataclass(frozen=True)
class Comparison:
    """The labels of people beside the verdicts of one judge; at least one pair of ``labelled`` answers."""

    judge: str
    pairs: tuple[Pair, ...]
    labelled: int

    def count(self, *, people: bool, judge: bool) -> int:
        """How many answers people and judge called so; true is unsupported."""
        return sum(pair.item.unsupported == people and pair.opinion.unsupported == judge for pair in self.pairs)

    @cached_property
    def unsupported(self) -> int:
        """Answers in which people found something that is not in the material."""
        return sum(pair.item.unsupported for pair in self.pairs)

    @cached_property
    def agreed(self) -> int:
        """Answers of which both said the same."""
        return sum(pair.agree for pair in self.pairs)

    @property
    def agreement(self) -> float:
        """The share of them."""
        return self.agreed / len(self.pairs)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the agreement by Wilson's score (1927)."""
        from scipy.stats import binomtest  # late: half a second that a run without labels need not pay

        found = binomtest(self.agreed, len(self.pairs)).proportion_ci(0.95, method="wilson")
        return float(found.low), float(found.high)

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance: Cohen's kappa (1960); ``None`` where chance alone would agree on everything."""
        n, called = len(self.pairs), sum(pair.opinion.unsupported for pair in self.pairs)
        by_chance = self.unsupported * called + (n - self.unsupported) * (n - called)
        return None if by_chance == n * n else (n * self.agreed - by_chance) / (n * n - by_chance)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the numbers would hide."""
        return tuple(filter(None, (self._one_sided(), self._blind(), self._few())))

    def _one_sided(self) -> str:
        """A judge that says one thing only agrees with people as often as that is true."""
        said = {pair.opinion.unsupported for pair in self.pairs}
        if len(said) > 1:
            return ""
        word = "unsupported" if said == {True} else "supported"
        if self.kappa is None:  # people, too, say one thing only
            return f"the judge always says {word}: what it makes of other answers is known from the probes alone"
        told = f"an agreement of {self.agreement:.2f} means nothing here, kappa {self.kappa:.2f}"
        return f"the judge always says {word}: {told}"

    def _blind(self) -> str:
        if not self.unsupported:
            return "people found no answer unsupported: how the judge takes an invention is known from the probes alone"
        found = self.count(people=True, judge=True)
        return (
            "" if found else f"the judge found none of the answers that people found unsupported ({self.unsupported})"
        )

    def _few(self) -> str:
        n = len(self.pairs)
        return "" if n >= ENOUGH_LABELS else f"labelled answers: {n}; {ENOUGH_LABELS} are needed to rely on a judge"

    def data(self) -> dict[str, Any]:
        """JSON-ready: what the gate reads (agreement, labels, judge, unsupported, found), and what people read.

        It holds no text of an answer, so that it may stand in a portable baseline.
        """
        found, kept = self.count(people=True, judge=True), self.count(people=False, judge=False)
        supported = len(self.pairs) - self.unsupported
        return {
            "agreement": self.agreement,
            "labels": len(self.pairs),
            "labelled": self.labelled,
            "judge": self.judge,
            "interval": list(self.interval),
            "kappa": self.kappa,
            "unsupported": self.unsupported,
            "found": found,
            "supported": supported,
            "kept": kept,
            "recall": {
                "unsupported": found / self.unsupported if self.unsupported else None,
                "supported": kept / supported if supported else None,
            },
            "warnings": list(self.warnings),
            "disagreements": [
                {"id": pair.item.id, "people": _word(pair.item.unsupported), "judge": _word(pair.opinion.unsupported)}
                for pair in self.disagreements
            ],
        }

    @property
    def disagreements(self) -> tuple[Pair, ...]:
        """The answers that people and judge took differently."""
        return tuple(pair for pair in self.pairs if not pair.agree)


def compare(labels: Labels, judge: str, among: frozenset[str] | None = None) -> Comparison | None:
    """The labels beside a judge's verdicts.

    Args:
        labels: those with a yes or a no, and a verdict of that judge, count.
        judge: its fingerprint.
        among: hashes of the answers to look at; all by default.

    Returns:
        ``None`` where not a single one counts.
    """
    chosen = [item for item in labels.items if item.decided and (among is None or item.answer_hash in among)]
    both = [(item, labels.opinion(item, judge)) for item in chosen]
    pairs = tuple(Pair(item, opinion) for item, opinion in both if opinion is not None)
    return Comparison(judge, pairs, len(chosen)) if pairs else None


def agreement_for(labels: Labels, judge: str) -> dict[str, Any] | None:
    """The agreement of a judge with all labels that it has a verdict on, whichever run the answers are of.

    It speaks of the judge, so it holds for later runs, whose answers may be others.

    Returns:
        The data of a comparison; that of another judge, the one with most verdicts, where this one has none; ``None``
        where no label can be compared with any judge.
    """
    own = compare(labels, judge)
    if own is not None:
        return own.data()
    others = sorted({name for opinions in labels.judged.values() for name in opinions})
    found = [other for name in others if (other := compare(labels, name)) is not None]
    return max(found, key=lambda other: len(other.pairs)).data() if found else None


def told_apart(pair: Pair) -> dict[str, Any]:
    """A disagreement with both sides' reasons: the person's note, and the sentences that the judge went by."""
    against = [each for each in pair.opinion.statements if each.verdict == "unsupported"]
    return {
        "id": pair.item.id,
        "answer_hash": pair.item.answer_hash,
        "people": _word(pair.item.unsupported),
        "note": pair.item.note,
        "judge": _word(pair.opinion.unsupported),
        "faithfulness": pair.opinion.faithfulness,
        "sentences": [dataclasses.asdict(each) for each in against or pair.opinion.statements],
    }


def _word(unsupported: bool) -> str:
    return "unsupported" if unsupported else "supported"
