"""Which of a model's outputs says that a premise entails a statement, read from the names that the model gives them."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.errors import InputError

_ENTAILS = frozenset("entailment entails entail entailed supported supports consistent factual faithful".split())
_CONTRADICTS = frozenset("contradiction contradicts contradict contradictory refuted refutes".split())
_NEITHER = frozenset(
    "neutral not_entailment not_entailed not_supported unsupported inconsistent hallucinated hallucination".split()
)


@dataclass(frozen=True, slots=True)
class Labels:
    """The outputs by place: their ``names`` in plain words, and which of them is ``entailment``."""

    names: tuple[str, ...]
    entailment: int


def labels_of(id2label: Mapping[int, str], entailment: int | None) -> Labels:
    """Read a configuration's ``id2label``, in whatever order and case; ``entailment`` decides where it is given.

    Raises:
        InputError: the names do not tell, or the model has no second output to compare with.
    """
    names = tuple(_plain(id2label[place]) for place in sorted(id2label))
    if len(names) < 2:
        raise InputError(f"judge.model must have an output for entailment and one against it (got {', '.join(names)})")
    if entailment is None:
        return Labels(names, _told(names))
    if entailment >= len(names):
        raise InputError(f"judge.entailment must be below {len(names)}, the model's outputs (got {entailment})")
    return Labels(names, entailment)


def _told(names: tuple[str, ...]) -> int:
    """The place of the one name for entailment among names that are all known."""
    entails = [place for place, name in enumerate(names) if name.replace(" ", "_") in _ENTAILS]
    known = all(name.replace(" ", "_") in _ENTAILS | _CONTRADICTS | _NEITHER for name in names)
    if len(entails) == 1 and known:
        return entails[0]
    raise InputError(
        f"the outputs of judge.model do not say which is entailment (got {', '.join(names)}); "
        "give its place, counted from 0: judge.entailment=…"
    )


def _plain(name: str) -> str:
    return name.casefold().replace("-", " ").replace("_", " ").strip()
