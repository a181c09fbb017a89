"""The answers of a run's report, as people label them and as its judge took them."""

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pydantic.dataclasses
from pydantic import ConfigDict, TypeAdapter, ValidationError

from eval.errors import InputError
from eval.labels.items import Item, Opinion, hash_of, make_item
from eval.records import QuestionType, Statement

_READ = ConfigDict(extra="ignore")
_MOST_PROBLEMS = 5
NO_MATERIAL = "its report holds no material to check answers against, it is an older one; measure it again"
NOT_JUDGED = "no answer in it was judged; measure with a generator and a judge: python -m runner tier=full"
NO_ANSWERS = "it holds no texts of answers; give a run, or the report.json of one"


@pydantic.dataclasses.dataclass(frozen=True, config=_READ)
class Judged:
    """What the judge said, or why it said nothing."""

    statements: tuple[Statement, ...] = ()
    unscored: str | None = None


@pydantic.dataclasses.dataclass(frozen=True, config=_READ)
class Shown:
    """A chunk that the generator saw."""

    doc_id: str
    chunk_id: str
    rank: int


@pydantic.dataclasses.dataclass(frozen=True, config=_READ)
class Asked:
    """One question of a report, as far as labels are about it."""

    id: str
    question: str
    type: QuestionType
    answer: str | None = None
    material: str | None = None
    hit: bool | None = None
    refused: bool | None = None
    context: tuple[Shown, ...] = ()
    judgement: Judged | None = None
    values: Mapping[str, float | None] = dataclasses.field(default_factory=dict)

    @property
    def answer_hash(self) -> str | None:
        """Identity of what a label would be about; ``None`` without an answer or its material."""
        if self.answer is None or self.material is None:
            return None
        return hash_of(self.question, self.material, self.answer)

    @property
    def opinion(self) -> Opinion | None:
        """What the judge said of it; ``None`` where it gave no value.

        Its verdict is ``unsupported`` when it called any statement so, or found nothing to decide in an answer that
        is no refusal.
        """
        faithfulness = self.values.get("faithfulness")
        if self.judgement is None or self.judgement.unscored is not None or faithfulness is None:
            return None
        verdicts = {statement.verdict for statement in self.judgement.statements}
        unsupported = not self.refused and ("unsupported" in verdicts or "supported" not in verdicts)
        return Opinion(unsupported, faithfulness, self.judgement.statements)


@dataclass(frozen=True)
class Candidate:
    """An answer that can be labelled, and where it belongs among the others."""

    item: Item
    opinion: Opinion
    type: QuestionType
    hit: bool | None


@dataclass(frozen=True)
class Answers:
    """The answers of one run.

    ``seed`` is what they were made from, ``judge`` the fingerprint of who judged them; ``left_out`` counts the
    answers that people aren't asked about, by the reason.
    """

    where: str
    dataset: str
    judge: str
    seed: Mapping[str, str]
    asked: tuple[Asked, ...]
    candidates: tuple[Candidate, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def judged(self) -> bool:
        """Whether a judge said anything at all."""
        return any(each.judgement for each in self.asked)

    @property
    def opinions(self) -> dict[str, Opinion]:
        """What the run's judge said, by the hashes of the answers."""
        found = ((each.answer_hash, each.opinion) for each in self.asked)
        return {name: opinion for name, opinion in found if name is not None and opinion is not None}

    def check(self) -> None:
        """Refuse a run whose answers can't be labelled.

        Raises:
            InputError: no answer was judged, or the material is missing.
        """
        if not self.judged:
            raise InputError(f"{self.where}: {NOT_JUDGED}")
        if all(each.material is None for each in self.asked):
            raise InputError(f"{self.where}: {NO_MATERIAL}")


@pydantic.dataclasses.dataclass(frozen=True, config=_READ)
class _Run:
    dataset: str


@pydantic.dataclasses.dataclass(frozen=True, config=_READ)
class _Report:
    run: _Run
    fingerprints: Mapping[str, str]
    questions: tuple[Asked, ...]


_REPORT: TypeAdapter[_Report] = TypeAdapter(_Report)


def answers_of(report: Mapping[str, Any], where: str) -> Answers:
    """Read the answers of a report.

    A refusal is no candidate: it states nothing, so there is nothing to find in it, and every judge would agree with
    people on it. Neither is an answer that its judge gave no value, nor one without text.

    Args:
        report: the object of a ``report.json``.
        where: how the errors call it.

    Raises:
        InputError: it is none, or a portable baseline, which keeps no answers.
    """
    if "checksum" in report:
        raise InputError(f"{where}: {NO_ANSWERS}")
    try:
        read = _REPORT.validate_python(report)
    except ValidationError as error:
        told = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:_MOST_PROBLEMS]]
        raise InputError(f"{where} is no report of a run: {'; '.join(told)}") from None
    found = [_candidate(each) for each in read.questions]
    return Answers(
        where,
        read.run.dataset,
        read.fingerprints.get("judge", ""),
        read.fingerprints,
        read.questions,
        tuple(each for each in found if isinstance(each, Candidate)),
        Counter(each for each in found if isinstance(each, str)),
    )


def _candidate(asked: Asked) -> Candidate | str:
    """The answer as one to label, or why people aren't asked about it."""
    opinion = asked.opinion
    if asked.answer is None or not asked.answer.strip():
        return "without an answer"
    if opinion is None:
        return "unscored"
    if asked.refused:
        return "refusals"
    if asked.material is None:
        return "without material"
    item = make_item(asked.id, asked.question, asked.material, asked.answer)
    return Candidate(item, opinion, asked.type, asked.hit)
