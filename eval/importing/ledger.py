"""What an import read, left out and changed: a count for each reason, with the first few places."""

from dataclasses import dataclass, field
from typing import Literal

Thing = Literal["questions", "documents", "judgements"]
Kind = Literal["dropped", "changed"]
EXAMPLES = 5


class UnusableError(Exception):
    """One thing of a source can't be used; ends as an entry of the ledger where its place is known."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


@dataclass(slots=True)
class Tally:
    """How often one thing happened to ``thing``, and the first places where it did, as ``file:line: detail``."""

    thing: Thing
    kind: Kind
    reason: str
    count: int = 0
    examples: list[str] = field(default_factory=list)


class Ledger:
    """Keeps the books of one import: what is read is either kept or dropped, and every change is counted."""

    def __init__(self) -> None:
        self.read: dict[Thing, int] = {"questions": 0, "documents": 0, "judgements": 0}
        self.notes: list[str] = []
        self._tallies: dict[tuple[Thing, Kind, str], Tally] = {}

    def count(self, thing: Thing, number: int = 1) -> None:
        """So many more were met in the sources, whatever becomes of them."""
        self.read[thing] += number

    def drop(self, thing: Thing, reason: str, where: str, detail: str = "") -> None:
        """One thing is left out."""
        self._add(thing, "dropped", reason, where, detail)

    def change(self, thing: Thing, reason: str, where: str, detail: str = "") -> None:
        """One thing is kept otherwise than it stands in the source."""
        self._add(thing, "changed", reason, where, detail)

    def note(self, text: str) -> None:
        """Something that holds for the whole import; said once."""
        if text not in self.notes:
            self.notes.append(text)

    def tallies(self, kind: Kind) -> list[Tally]:
        """Everything of a kind, in the order in which it first happened."""
        return [tally for tally in self._tallies.values() if tally.kind == kind]

    def dropped(self, thing: Thing) -> int:
        """How many of ``thing`` were left out."""
        return sum(tally.count for tally in self.tallies("dropped") if tally.thing == thing)

    def _add(self, thing: Thing, kind: Kind, reason: str, where: str, detail: str) -> None:
        tally = self._tallies.setdefault((thing, kind, reason), Tally(thing, kind, reason))
        tally.count += 1
        if len(tally.examples) < EXAMPLES:
            tally.examples.append(" ".join(f"{where}: {detail}".split()) if detail else where)
