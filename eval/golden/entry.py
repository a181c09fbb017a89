"""One entry of a golden set: from a JSON object to a question, or what is wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from eval.records import QUESTION_TYPES, Question, QuestionType
from eval.sources.finding import Finding, WrongValueError
from eval.sources.identifier import identifier
from eval.sources.strict_json import Row
from eval.sources.text_file import stated_form

REQUIRED = ("id", "question", "answerDocIds", "type")
OPTIONAL = ("answer", "tags", "source")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """A question and where it stands, as ``file:line``."""

    question: Question
    where: str


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """The entries that could be read, in their order; what was wrong with others; what the reader left out."""

    source: str
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions in their order."""
        return tuple(entry.question for entry in self.entries)


def read_entry(row: Row) -> tuple[Entry | None, list[Finding]]:
    """The entry, or ``None`` when something keeps it from being one, and what was found on the way."""
    fields = _Fields(row.value)
    name = fields.get("id", identifier)
    text = fields.get("question", _text)
    listed = fields.get("answerDocIds", _ids)
    kind = fields.get("type", question_type)
    answer = fields.get("answer", _optional_text)
    tags = fields.get("tags", _texts)
    fields.get("source", _optional_text)
    errors = [Finding("error", row.where, problem) for problem in (*_unknown_keys(row.value), *fields.problems)]
    if errors or name is None or text is None or listed is None or kind is None:
        return None, errors
    once = tuple(dict.fromkeys(listed))
    question = Question(name, text, kind, once, answer or None, tags or ())
    return Entry(question, row.where), _repeats(name, listed, row.where)


def question_type(value: Any) -> QuestionType:
    """``value`` as a question's type.

    Raises:
        WrongValueError: there is no such type.
    """
    for kind in QUESTION_TYPES:
        if value == kind:
            return kind
    raise WrongValueError(f"must be one of {', '.join(QUESTION_TYPES)} (got {value!r})")


class _Fields:
    """Reads the values of one object and keeps what is wrong with them."""

    def __init__(self, value: dict[str, Any]) -> None:
        self._value = value
        self.problems: list[str] = []

    def get(self, key: str, read: Callable[[Any], T]) -> T | None:
        """The value under ``key`` as ``read`` makes it; ``None`` when it is absent or wrong."""
        if key not in self._value:
            if key in REQUIRED:
                self.problems.append(f"key {key!r} is missing; an entry has {', '.join(REQUIRED)}")
            return None
        try:
            return read(self._value[key])
        except WrongValueError as error:
            self.problems.append(f"{key} {error}")
            return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise WrongValueError(f"must be text (got {value!r})")
    return stated_form(value)


def _optional_text(value: Any) -> str | None:
    return None if value is None else _text(value)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValueError(f'must be a list of texts, like ["leave"] (got {value!r})')
    return tuple(_text(item) for item in value)


def _ids(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValueError(f'must be a list of document ids, like ["doc-001"] (got {value!r})')
    return tuple(identifier(item) for item in value)


def _unknown_keys(value: dict[str, Any]) -> list[str]:
    known = (*REQUIRED, *OPTIONAL)
    return [f"key {key!r} is not known; known are {', '.join(known)}" for key in value if key not in known]


def _repeats(name: str, listed: tuple[str, ...], where: str) -> list[Finding]:
    twice = sorted({doc_id for doc_id in listed if listed.count(doc_id) > 1})
    return [Finding("warning", where, f"{name} lists {doc_id} twice; it counts once") for doc_id in twice]
