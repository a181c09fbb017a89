"""One side of a comparison: what a run's report, or a portable baseline, holds of its results."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Strict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from eval.errors import InputError
from eval.records import QuestionType

# Numbers that are none (NaN, infinity) get in, so that the comparison can call them by name.
Number = Annotated[float, Strict()]
_READ = ConfigDict(extra="ignore")
_MOST_PROBLEMS = 5


@dataclass(frozen=True, config=_READ)
class RunHead:
    """Which run it was, and whether it counts."""

    id: str
    name: str
    dataset: str
    tier: Literal["retrieval", "full"]
    status: str
    complete: bool
    incomplete_because: str | None = None


@dataclass(frozen=True, config=_READ)
class Measured:
    """A measure's mean with its ledger, as far as it was written down."""

    value: Number | None
    attempted: int
    scored: int


@dataclass(frozen=True, config=_READ)
class QuestionResult:
    """One question: its identity, and the value of each measure that applies to it.

    A measure that applies and has no value stands in ``unscored`` with the reason.
    """

    id: str
    type: QuestionType
    fingerprint: str
    answer_doc_ids: tuple[str, ...] = ()
    first_hit_rank: int | None = None
    values: Mapping[str, Number | None] = dataclasses.field(default_factory=dict)
    unscored: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def applies(self, metric: str) -> bool:
        """Whether the measure is about this question at all."""
        return metric in self.unscored or self.values.get(metric) is not None

    def scored(self, metric: str) -> bool:
        """Whether the measure has a value here that counts."""
        return metric not in self.unscored and self.values.get(metric) is not None


@dataclass(frozen=True, config=_READ)
class ProbeOutcome:
    """What the judge made of one probe."""

    name: str
    passed: bool


@dataclass(frozen=True, config=_READ)
class Agreement:
    """How far the judge and people agree on labelled answers; ``judge`` is the fingerprint of the judge.

    People called ``unsupported`` of the answers so, of which the judge ``found`` as many; they called ``supported``
    so, of which it ``kept`` as many. ``labelled`` are the answers with a label, also those that this judge's verdict
    is not known of. ``None`` in a report that does not say it. ``warnings`` are what the numbers hide.
    """

    agreement: Number
    labels: int
    judge: str
    unsupported: int | None = None
    found: int | None = None
    supported: int | None = None
    kept: int | None = None
    labelled: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, config=_READ)
class Results:
    """A run's results.

    ``documents`` maps a document's id to its fingerprint. A portable baseline of a large corpus keeps only those of
    answer documents, so there may be more, ``documents_total``, than it lists.
    """

    run: RunHead
    fingerprints: Mapping[str, str]
    metrics: Mapping[str, Measured]
    questions: tuple[QuestionResult, ...]
    documents: Mapping[str, str]
    documents_total: int
    config: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    probes: tuple[ProbeOutcome, ...] = ()
    agreement: Agreement | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any], where: str) -> "Results":
        """Read a report.

        Args:
            data: the object of ``report.json`` or of a portable baseline.
            where: how the errors call it.

        Raises:
            InputError: something is missing or of the wrong kind.
        """
        try:
            results: Results = _RESULTS.validate_python(data)
        except ValidationError as error:
            found = error.errors()
            told = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found[:_MOST_PROBLEMS]]
            more = f" (and {len(found) - len(told)} more)" if len(found) > len(told) else ""
            raise InputError(f"{where} is no report of a run: {'; '.join(told)}{more}") from None
        ids = [question.id for question in results.questions]
        if repeated := sorted({name for name in ids if ids.count(name) > 1} if len(set(ids)) < len(ids) else ()):
            raise InputError(f"{where} holds questions twice: {', '.join(repeated[:_MOST_PROBLEMS])}")
        return results


_RESULTS: TypeAdapter[Results] = TypeAdapter(Results)


def read_object(path: Path) -> dict[str, Any]:
    """A file that holds one JSON object.

    Raises:
        InputError: there is none, or it is not JSON.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # the latter when it is nested thousands deep
        raise InputError(f"{path} is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path} holds no JSON object")
    return data
