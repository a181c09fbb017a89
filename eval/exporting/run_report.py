"""The rankings of a run, as its report keeps them, collapsed to documents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from eval.errors import InputError
from eval.gate.results import read_object
from eval.metrics.ranking import CUTOFF
from eval.records import Question
from eval.sources.finding import some

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
    ``failed`` where the run could not rank at all.
    """

    id: str
    fingerprint: str
    doc_ids: tuple[str, ...]
    kept: int
    total: int
    first_hit_rank: int | None = None
    failed: bool = False

    def exact_for(self, question: Question) -> bool:
        """Whether nDCG@10 over documents is what the whole ranking would give."""
        enough = self.kept >= self.total or len(self.doc_ids) >= CUTOFF
        return enough or set(question.answer_doc_ids) <= set(self.doc_ids)


@dataclass(frozen=True, slots=True)
class RankedRun:
    """A run's name and its rankings, in the order of its questions."""

    name: str
    questions: tuple[RankedQuestion, ...]


_REPORT = TypeAdapter(_Report)


def read_run(path: Path) -> RankedRun:
    """The rankings in a ``report.json``.

    Raises:
        InputError: it cannot be read, or is no report.
    """
    try:
        report = _REPORT.validate_python(read_object(path))
    except ValidationError as error:
        told = [f"{path}: {'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        raise InputError(
            f"{path}: is no report of a run (report.json or latest.json)", *told[:_MOST_PROBLEMS]
        ) from None
    return RankedRun(report.run.name, tuple(map(_collapsed, report.questions)))


def notes(ranked: RankedRun, questions: Sequence[Question]) -> Iterator[str]:
    """What an evaluator's numbers from these files mean beside those of the report."""
    asked = {question.id: question for question in questions}
    there = {question.id for question in ranked.questions}
    both = [(asked[question.id], question) for question in ranked.questions if question.id in asked]
    answerable = [(mine, run) for mine, run in both if mine.answerable]
    yield "RR over these files counts documents; mrr in the report counts chunks, so it may be lower"
    yield from _told("questions of the golden set are not in the report", [name for name in asked if name not in there])
    yield from _told(
        "questions of the report are not in the golden set", [run.id for run in ranked.questions if run.id not in asked]
    )
    edited = [mine.id for mine, run in both if mine.fingerprint != run.fingerprint]
    yield from _told("questions were edited since the run, so its rankings answer others", edited)
    failed = [mine.id for mine, run in answerable if run.failed]
    yield from _told("questions could not be ranked: the report leaves them unscored, evaluators count 0", failed)
    short = [mine.id for mine, run in answerable if not run.exact_for(mine)]
    yield from _told(
        f"questions have fewer than {CUTOFF} documents in the part of their ranking that the report keeps: "
        f"nDCG@{CUTOFF} is a lower bound there",
        short,
    )
    late = [mine.id for mine, run in answerable if run.first_hit_rank and run.first_hit_rank > run.kept]
    yield from _told("questions are first answered beyond the part that the report keeps: RR is 0 there", late)


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
    )


def _told(what: str, ids: Sequence[str]) -> Iterator[str]:
    if ids:
        yield f"{len(ids)} {what}: {some(ids)}"
