"""The loop on the terminal: one answer after the other, each label saved before the next question."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from eval.labels.file import read_labels, to_text
from eval.labels.items import Item, Label
from eval.labels.visible import visible
from runner.places import write_whole

LABELS: dict[str, Label] = {"y": "yes", "yes": "yes", "n": "no", "no": "no", "s": "skip", "skip": "skip"}
KEYS = "y(es) n(o) s(kip) u(ndo) m(ore of the material) q(uit); a note may follow: y the fee is not in it"
_SHOWN_LINES, _SHOWN_CHARACTERS = 30, 1800


@dataclass
class Review:
    """A session over one file.

    ``ask`` gives the next line that a person typed, without its end, or ``None`` at the end of input.
    """

    path: Path
    ask: Callable[[], str | None]
    console: Console
    skipped_too: bool = False
    given: list[Item] = field(default_factory=list)

    def run(self) -> None:
        """Ask about every answer that has no label yet, until all have one or the person stops.

        Raises:
            eval.errors.InputError: the file is none of labels, or was broken meanwhile; labels given are in it.
            KeyboardInterrupt: of the person; labels given are in the file.
        """
        labels = read_labels(self.path)
        asked = [item for item in labels.items if self._waits(item)]
        place = 0
        while place < len(asked):
            self._show(asked[place], labels.question, len(labels.items) - len(asked) + place + 1, len(labels.items))
            label, note = self._answer(asked[place])
            if label == "quit":
                return
            if label != "undo":
                self._save(asked[place].labelled(label, note))
                self.given.append(asked[place])
                place += 1
            elif self.given:
                place -= 1
                self._save(self.given.pop())
            else:
                self.console.print("There is nothing to undo.")

    def _waits(self, item: Item) -> bool:
        return item.label is None or (self.skipped_too and item.label == "skip")

    def _show(self, item: Item, question: str, number: int, total: int) -> None:
        self.console.print()
        self.console.print(Rule(Text(f"{number} of {total}")))
        self.console.print(_panel("Question", item.question))
        self.console.print(_panel("Material", _head_of(item.material)))
        self.console.print(_panel("Answer", "\n".join(item.sentences) or item.answer))
        self.console.print(Text(question, style="bold"))

    def _answer(self, item: Item) -> tuple[Label | Literal["quit", "undo"], str]:
        """What the person decides: a label, quit or undo; and a note."""
        while True:
            self.console.print(Text(KEYS, style="dim"))
            line = self.ask()
            if line is None:
                return "quit", ""
            key, _, note = line.strip().partition(" ")
            key = key.lower()
            if key in LABELS:
                return LABELS[key], note.strip()
            if key in {"q", "quit"}:
                return "quit", ""
            if key in {"u", "undo"}:
                return "undo", ""
            if key in {"m", "more"}:
                self.console.print(_panel("Material", item.material))

    def _save(self, item: Item) -> None:
        """Put one item's label into the file as it is by now: somebody may have written to it meanwhile."""
        write_whole(self.path, to_text(read_labels(self.path).with_item(item)))


def _panel(title: str, text: str) -> Panel:
    return Panel(Text(visible(text) or "(nothing)"), title=title, title_align="left")


def _head_of(material: str) -> str:
    """The beginning of a long text, and how much is left."""
    head = "\n".join(material.splitlines()[:_SHOWN_LINES])[:_SHOWN_CHARACTERS]
    left = len(material) - len(head)
    return f"{head}\n… {left} more characters; m shows them" if left > 1 else material
