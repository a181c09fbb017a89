"""What people label, and what judges said of it: the contents of a file of labels."""

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Strict
from pydantic.dataclasses import dataclass

from eval.fingerprints import fingerprint
from eval.records import Statement
from eval.text.scripts import language_of
from eval.text.sentences import sentences

Label = Literal["yes", "no", "skip"]
QUESTION = "Does the answer hold anything that is not in the material?"
QUESTIONS = (QUESTION, f"{QUESTION} 答案里有没有材料中没有的内容？")  # the second for Chinese data

# A misspelt key would be a label that nobody reads.
_STRICT = ConfigDict(extra="forbid")


def _read_label(given: object) -> object:
    """A label as people type it: in capitals, with blanks around it; an empty one is none."""
    return (given.strip().lower() or None) if isinstance(given, str) else given


@dataclass(frozen=True, config=_STRICT)
class Item:
    """One answer to label. ``answer_hash`` is the identity of all that a person sees of it, see ``hash_of``.

    ``label`` answers the file's question: yes, the answer holds something that is not in the material; no, it does
    not; skip, it can't be told.
    """

    id: str
    question: str
    material: str
    answer: str
    answer_hash: str
    sentences: tuple[str, ...] = ()
    label: Annotated[Label | None, BeforeValidator(_read_label)] = None
    note: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What no other item of the file has."""
        return self.id, self.answer_hash

    @property
    def decided(self) -> bool:
        """Whether a person said yes or no."""
        return self.label in {"yes", "no"}

    @property
    def unsupported(self) -> bool:
        """Whether a person found something that is not in the material."""
        return self.label == "yes"

    def labelled(self, label: Label | None, note: str) -> "Item":
        """The same answer with another label."""
        return replace(self, label=label, note=note)


@dataclass(frozen=True, config=_STRICT)
class Opinion:
    """What one judge said of an answer, and the verdict that is held against people's."""

    unsupported: Annotated[bool, Strict()]
    faithfulness: float
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, config=_STRICT)
class Labels:
    """A file of labels; ``judged`` maps an answer's hash to the opinions on it by the judges' fingerprints."""

    dataset: str
    question: str = QUESTION
    items: tuple[Item, ...] = ()
    judged: Mapping[str, Mapping[str, Opinion]] = dataclasses.field(default_factory=dict)

    @property
    def open(self) -> tuple[Item, ...]:
        """What nobody has looked at yet."""
        return tuple(item for item in self.items if item.label is None)

    def opinion(self, item: Item, judge: str) -> Opinion | None:
        """What that judge said of the answer, if it is known."""
        return self.judged.get(item.answer_hash, {}).get(judge)

    def with_item(self, changed: Item) -> "Labels":
        """With the item of the same answer replaced, or added at the end."""
        if all(item.key != changed.key for item in self.items):
            return replace(self, items=(*self.items, changed))
        return replace(self, items=tuple(changed if item.key == changed.key else item for item in self.items))

    def with_opinions(self, judge: str, opinions: Mapping[str, Opinion]) -> "Labels":
        """With what a judge says of answers, by their hashes; answers that are no item are left out."""
        known = [item.answer_hash for item in self.items if item.answer_hash in opinions]
        added = {name: {**self.judged.get(name, {}), judge: opinions[name]} for name in known}
        return replace(self, judged={**self.judged, **added})


def make_item(question_id: str, question: str, material: str, answer: str) -> Item:
    """An answer that nobody has labelled yet, its sentences numbered."""
    numbered = tuple(f"{number}. {text}" for number, text in enumerate(sentences(answer), 1))
    return Item(question_id, question, material, answer, hash_of(question, material, answer), numbered)


def hash_of(question: str, material: str, answer: str) -> str:
    """Identity of what a label is about: the same answer to other material may hold something that is not in it."""
    return fingerprint([question, material, answer])


def question_for(texts: str) -> str:
    """The question that is put to people, in English and for Chinese data in Chinese, too."""
    return QUESTIONS[1] if language_of(texts) == "zh" else QUESTION


def as_data(labels: Labels) -> dict[str, Any]:
    """The parts of a file as JSON has them, the judges' opinions last: who labels should not see them before."""
    return {
        "dataset": labels.dataset,
        "question": labels.question,
        "items": [dataclasses.asdict(item) for item in labels.items],
        "judged": {
            name: {judge: dataclasses.asdict(opinion) for judge, opinion in sorted(opinions.items())}
            for name, opinions in sorted(labels.judged.items())
        },
    }
