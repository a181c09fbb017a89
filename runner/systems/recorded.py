"""What was recorded of a system, one output for each question, and its reading from JSON lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.errors import InputError
from eval.records import Unscored
from eval.sources.finding import Finding, WrongValueError, repeated
from eval.sources.identifier import identifier
from eval.sources.jsonl import read_rows
from eval.sources.strict_json import Row
from eval.sources.text_file import decoded
from runner.records import Response
from runner.systems.shapes import has_any, passages_of, value_of

_ESCAPE = re.compile(
    r"\\\\ | (?P<whole> \\u d[89ab].. \\u d[c-f]..) | (?P<half> \\u d[89a-f]..) | (?P<nul> \\u 0000)",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Output:
    """One recorded output: the question that it names by ``id``, ``question`` or both, and where it stands.

    ``response`` is unscored where the line says that the system failed.
    """

    id: str | None
    question: str | None
    response: Response | Unscored
    where: str

    @property
    def name(self) -> str:
        """What it calls its question: the id, or the text where it has none."""
        return self.id if self.id is not None else self.question or ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The outputs in their order, no two for one question, and what was odd about the file."""

    outputs: tuple[Output, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keys:
    """Under which keys a line holds what; the first that is there counts."""

    id: Sequence[str]
    question: Sequence[str]
    answer: Sequence[str]
    contexts: Sequence[str]
    doc_id: Sequence[str]
    error: Sequence[str]


def read_lines(path: Path, keys: Keys) -> Recorded:
    """The outputs of a file of JSON lines; an object without an id names its question by the question's text.

    A line that holds an error that is not empty needs no contexts. Halves of characters, which models give when they
    are cut short, become U+FFFD.

    Raises:
        InputError: one line, with file and line, for everything that is wrong; a question that has two lines is told
            with both.
    """
    if decoded(path).lstrip().startswith("["):
        raise InputError(f"{path}: is one list; write JSON lines, one object per line, as jq -c '.[]' does")
    read = read_rows(path, _whole_characters)
    errors = list(read.errors)
    outputs: list[Output] = []
    for row in read.rows:
        try:
            outputs.append(_output(row, keys))
        except WrongValueError as error:
            errors.append(Finding("error", row.where, str(error)))
    errors += repeated((output.id, output.where) for output in outputs if output.id is not None)
    errors += _texts_twice(outputs)
    return whole(path, outputs, errors)


def same_words(text: str) -> str:
    """A question's text with single blanks, by which it is known again."""
    return " ".join(text.split())


def _texts_twice(outputs: Sequence[Output]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for output in outputs:
        if output.id is None and output.question is not None:
            where = first.setdefault(same_words(output.question), output.where)
            if where != output.where:
                yield Finding("error", output.where, f"the question stands at {where} too; keep one, or give both ids")


def _output(row: Row, keys: Keys) -> Output:
    name, question = value_of(row.value, keys.id), value_of(row.value, keys.question)
    if name is None and question is None:
        raise WrongValueError(f"names no question: it has none of the keys {', '.join((*keys.id, *keys.question))}")
    if question is not None and not isinstance(question, str):
        raise WrongValueError(f"{' or '.join(keys.question)} must be text (got {question!r})")
    named = None if name is None else _id(name)
    if error := value_of(row.value, keys.error):
        return Output(named, question, Unscored(f"the recorded output is an error: {_message(error)}"), row.where)
    return Output(named, question, _response(row, keys), row.where)


def _response(row: Row, keys: Keys) -> Response:
    if not has_any(row.value, keys.contexts):
        raise WrongValueError(f"has none of the keys {', '.join(keys.contexts)}; [] says that nothing was found")
    answer = value_of(row.value, keys.answer)
    if answer is not None and not isinstance(answer, str):
        raise WrongValueError(f"{' or '.join(keys.answer)} must be text (got {answer!r})")
    listed = value_of(row.value, keys.contexts)
    try:
        passages = passages_of(listed, keys.doc_id)
    except WrongValueError as error:
        raise WrongValueError(f"its contexts: {error}") from error
    return Response(passages, answer)


def _message(error: object) -> str:
    """An error as text; of an object, as interfaces give it, its message."""
    inner = value_of(error, ("message",)) if isinstance(error, Mapping) else None
    return str(inner or error)


def _whole_characters(line: str) -> str:
    """A line of JSON with U+FFFD for every half of a character that it writes, and a blank for NUL."""

    def mended(found: re.Match[str]) -> str:
        return "\\ufffd" if found["half"] else "\\u0020" if found["nul"] else found[0]

    return _ESCAPE.sub(mended, line)


def _id(value: object) -> str:
    """A question's id; a whole number is taken as its digits."""
    return identifier(str(value) if isinstance(value, int) and not isinstance(value, bool) else value)


def whole(path: Path, outputs: Sequence[Output], errors: list[Finding], notes: tuple[str, ...] = ()) -> Recorded:
    """The file as it was read; raise ``InputError`` for the errors, or where it holds nothing."""
    if not outputs and not errors:
        errors.append(Finding("error", str(path), "holds no recorded output"))
    if errors:
        raise InputError(*map(str, errors))
    return Recorded(tuple(outputs), notes)
