"""Which labels are about the answers of a run, and which were made for answers that it does not give any more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eval.labels.agreement import agreement_for
from eval.labels.answers import Answers, Asked, answers_of
from eval.labels.items import Item, Labels


@dataclass(frozen=True)
class Standing:
    """``current``: hashes of labelled answers that are the run's; ``stale`` says of each other one what changed."""

    current: frozenset[str]
    stale: tuple[str, ...]


def about(labels: Labels, answers: Answers) -> Standing:
    """How the labels with a yes or a no stand to a run."""
    asked = {each.id: each for each in answers.asked}
    decided = [item for item in labels.items if item.decided]
    changes = [(item, _changed(item, asked.get(item.id))) for item in decided]
    return Standing(
        frozenset(item.answer_hash for item, changed in changes if changed is None),
        tuple(f"{item.id}: {changed}" for item, changed in changes if changed is not None),
    )


def _changed(item: Item, asked: Asked | None) -> str | None:
    """What is no longer as it was labelled; a question under another id is the same one only by its id."""
    if asked is None:
        return "the question is not among the run's"
    if asked.answer_hash == item.answer_hash:
        return None
    if asked.answer is None:
        return "the run has no answer"
    if asked.answer != item.answer:
        return "the answer changed since it was labelled"
    if asked.question != item.question:
        return "the question changed since its answer was labelled"
    return "the answer is the same, and the material changed since it was labelled"


def report_agreement(labels: Labels, report: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a report says of its judge's agreement with people.

    Args:
        labels: of the report's dataset.
        report: the object of a ``report.json``, whose own ``agreement`` does not matter.

    Returns:
        The data of ``agreement_for`` with the verdicts of this run's judge on labelled answers counted in, and
        ``run_judge``, ``current`` (labelled answers that are the run's) and ``stale``; ``None`` where no answer was
        judged, or no label can be compared.

    Raises:
        InputError: it is no report.
    """
    answers = answers_of(report, "the report")
    if not answers.judged or labels.dataset != answers.dataset:
        return None
    data = agreement_for(labels.with_opinions(answers.judge, answers.opinions), answers.judge)
    if data is None:
        return None
    standing = about(labels, answers)
    return {**data, "run_judge": answers.judge, "current": len(standing.current), "stale": list(standing.stale)}
