"""The rankings of a run, as its report keeps them, collapsed to documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from eval.errors import InputError
from eval.gate.results import read_object
from eval.records import Question

_READ = ConfigDict(extra="ignore")
_MOST_PROBLEMS = 5


@checked(frozen=True, config=_READ)
class _Chunk:
    doc_id: str


@checked(frozen=True, config=_READ)
class _Question:
    id: str
    fingerprint: str
    ranked: tuple[_Chunk, ...]
    ranked_total: int
    first_hit_rank: int | None = None
    unretrieved: str | None = None
    question: str | None = None


@checked(frozen=True, config=_READ)
class _Run:
    name: str


@checked(frozen=True, config=_READ)
class _Report:
    run: _Run
    questions: tuple[_Question, ...]


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """The documents of one question by first appearance, best first.

    ``kept`` of the ranking's ``total`` chunks are in the report; ``first_hit_rank`` is of the whole ranking.
    ``failed`` where the run could not rank at all; ``text`` is what was asked, where the report says it.
    """

    id: str
    fingerprint: str
    doc_ids: tuple[str, ...]
    kept: int
    total: int
    first_hit_rank: int | None = None
    failed: bool = False
    text: str | None = None

    def answers(self, question: Question) -> bool:
        """Whether the ranking is one for this question: other judgements of it change no ranking, another text does."""
        return self.fingerprint == question.fingerprint or self.text == question.text

    def exact_for(self, question: Question) -> bool:
        """Whether every measure is what the whole ranking would give: beyond the head, no document counts."""
        return self.kept >= self.total or set(question.answer_doc_ids) <= set(self.doc_ids)


@dataclass(frozen=True, slots=True)
class RankedRun:
    """A run's name and its rankings, in the order of its questions; ``edited`` are asked otherwise by now."""

    name: str
    questions: tuple[RankedQuestion, ...]
    edited: tuple[str, ...] = ()


_REPORT = TypeAdapter(_Report)


def read_run(path: Path) -> RankedRun:
    """The rankings in a ``report.json``.

    Raises:
        InputError: it cannot be read, is no report, or is one without rankings.
    """
    try:
        report = _REPORT.validate_python(read_object(path))
    except ValidationError as error:
        raise InputError(*_problems(path, error)) from None
    return RankedRun(report.run.name, tuple(map(_collapsed, report.questions)))


def of_golden(ranked: RankedRun, path: Path, questions: Sequence[Question], golden: Path) -> RankedRun:
    """The run without the rankings of questions that were put otherwise: they answer something else.

    Raises:
        InputError: nothing is left, so the report is not one of this golden set.
    """
    asked = {question.id: question for question in questions}
    edited = dict.fromkeys(run.id for run in ranked.questions if run.id in asked and not run.answers(asked[run.id]))
    kept = tuple(run for run in ranked.questions if run.id not in edited)
    if not any(run.id in asked for run in kept):
        told = f", as {len(edited)} of the same id were edited since" if edited else ""
        raise InputError(f"{path}: ranks no question of {golden}{told}; name the report of a run on this golden set")
    return replace(ranked, questions=kept, edited=tuple(edited))


def _problems(path: Path, error: ValidationError) -> list[str]:
    """What is missing or wrong; a portable baseline has the questions without their rankings."""
    found = error.errors()
    if all(each["type"] == "missing" and each["loc"][-1] in {"ranked", "ranked_total"} for each in found):
        told = "keeps no rankings, as a portable baseline does not"
        return [f"{path}: {told}; name the run's report (report.json or latest.json)"]
    problems = [
        f"{path}: {'.'.join(map(str, each['loc']))}: {'is missing' if each['type'] == 'missing' else each['msg']}"
        for each in found
    ]
    return [f"{path}: is no report of a run (report.json or latest.json)", *problems[:_MOST_PROBLEMS]]


def _collapsed(question: _Question) -> RankedQuestion:
    documents = tuple(dict.fromkeys(chunk.doc_id for chunk in question.ranked))
    kept = len(question.ranked)
    return RankedQuestion(
        question.id,
        question.fingerprint,
        documents,
        kept,
        question.ranked_total,
        question.first_hit_rank,
        question.unretrieved is not None,
        question.question,
    )
