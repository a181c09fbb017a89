"""Recorded outputs in the place of a system: measured as they stand, as often as one likes, without asking anybody."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from eval.component import component
from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.records import Question, Unscored
from eval.sources.finding import some
from eval.sources.text_file import decoded
from runner.records import Response
from runner.shipped import resolve
from runner.systems.notes import listed, unfound
from runner.systems.recorded import Keys, Output, Recorded, read_lines, same_words
from runner.systems.shapes import ANSWER, CONTEXTS, DOC_ID
from runner.systems.trec_run import read_run

_RUN_SUFFIXES = (".run", ".trec", ".txt")
_ERROR = ("error",)
_ID = ("question_id", "id", "qid", "query_id", "_id")
_QUESTION = ("question", "user_input", "query", "input")
_NAMED = 3  # ids named in an error

_OTHERS = (
    "recorded output is for a question that the golden set does not hold",
    "recorded outputs are for questions that the golden set does not hold",
)
_REWORDED = "the id of a question and another wording of it"
_BARE = ("question has no recorded output and stays unscored", "questions have no recorded output and stay unscored")
_BARE_OF_RUN = (
    "question has no recorded output and counts as having found nothing",
    "questions have no recorded output and count as having found nothing",
)


@component
class Replay:
    """Outputs of a system from the file ``path``: JSON lines (see ``read_lines``), or a TREC run file (``read_run``).

    ``auto`` takes ``.run``, ``.trec`` and ``.txt`` for a run file. The keys say under which name a line of JSON holds
    what; ``None`` takes the first of the common names that is there. Paths: see ``runner.shipped.resolve``.

    A question without a line is unscored in JSON lines, and so is one whose line holds an error. A run file has no way
    to say that a query found nothing but to leave it out, so there it found nothing.
    """

    INCIDENTAL: ClassVar = frozenset({"path"})  # where the file lies; its content counts

    path: str
    format: Literal["auto", "jsonl", "trec"] = "auto"
    id_key: str | None = None
    question_key: str | None = None
    answer_key: str | None = None
    contexts_key: str | None = None
    doc_id_key: str | None = None
    error_key: str | None = None

    def __post_init__(self) -> None:
        """Read the file, so that what is wrong is told before anything is measured; raise ``InputError`` for it."""
        _ = self._recorded

    @property
    def identity(self) -> str:
        """The hash of the file's content: what was measured follows from it and not from where it lies."""
        return fingerprint(decoded(self._file))

    @property
    def answers(self) -> bool:
        """Whether an answer was recorded for any question."""
        responses = (output.response for output in self._recorded.outputs)
        return any(isinstance(response, Response) and response.answer is not None for response in responses)

    def respond(self, question: Question) -> Response | Unscored:
        """What was recorded for the question, known again by its id or, where a line has none, by its text."""
        output = self._output(question)
        if output is None:
            return Response(()) if self._is_run else Unscored("no recorded output")
        return output.response

    def review(self, responses: Sequence[Response | Unscored]) -> tuple[str, ...]:
        """A note where no passage had the document's id that was looked for."""
        return unfound({"doc_id_key": self.doc_id_key}, responses)

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """What does not fit between the recording and these questions, as notes.

        Raises:
            InputError: nothing was recorded for any of them.
        """
        found = {question.id: output for question in questions if (output := self._output(question))}
        used = {output.where for output in found.values()}
        left = [output.name for output in self._recorded.outputs if output.where not in used]
        if not found:
            asked = some([question.id for question in questions][:_NAMED])
            raise InputError(f"{self._file}: records none of the questions ({asked}, …) but {some(left[:_NAMED])}, …")
        bare = [question.id for question in questions if question.id not in found]
        reworded = [question.id for question in questions if _reworded(question, found.get(question.id))]
        odd = (
            *listed(left, *_OTHERS),
            *(listed(bare, *_BARE_OF_RUN) if self._is_run else listed(bare, *_BARE)),
            *listed(reworded, f"recorded output has {_REWORDED}", f"recorded outputs have {_REWORDED}"),
        )
        return (*self._recorded.notes, *self._no_answers, *odd)

    @property
    def _no_answers(self) -> tuple[str, ...]:
        if self.answer_key is None or self.answers or self._is_run:
            return ()
        return (
            f"no recorded output has an answer under {self.answer_key!r} (system.answer_key); is it the right name?",
        )

    @property
    def _file(self) -> Path:
        return resolve(self.path)

    @property
    def _is_run(self) -> bool:
        by_name = self.format == "auto" and self._file.suffix.lower() in _RUN_SUFFIXES
        return by_name or self.format == "trec"

    @cached_property
    def _recorded(self) -> Recorded:
        return read_run(self._file) if self._is_run else read_lines(self._file, self._keys)

    @property
    def _keys(self) -> Keys:
        given = (self.id_key, self.question_key, self.answer_key, self.contexts_key, self.doc_id_key, self.error_key)
        common = (_ID, _QUESTION, ANSWER, CONTEXTS, DOC_ID, _ERROR)
        return Keys(*((key,) if key else names for key, names in zip(given, common, strict=True)))

    @cached_property
    def _by_id(self) -> Mapping[str, Output]:
        return {output.id: output for output in self._recorded.outputs if output.id is not None}

    @cached_property
    def _by_text(self) -> Mapping[str, Output]:
        unnamed = (output for output in self._recorded.outputs if output.id is None)
        return {same_words(output.question or ""): output for output in unnamed}

    def _output(self, question: Question) -> Output | None:
        return self._by_id.get(question.id) or self._by_text.get(same_words(question.text))


def _reworded(question: Question, output: Output | None) -> bool:
    recorded = output.question if output else None
    return recorded is not None and same_words(recorded) != same_words(question.text)
