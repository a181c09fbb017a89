"""Labels that people gave in the MLflow UI, taken over into the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.labels.answers import Answers
from eval.labels.items import Item, Labels
from runner.labelling.source import Source
from runner.tracking.tracker import TrackingUnavailable

if TYPE_CHECKING:
    from runner.tracking.traces import Feedback


@dataclass(frozen=True)
class TakenOver:
    """The labels with those of the UI, how many these are, and what is to be told."""

    labels: Labels
    count: int = 0
    told: tuple[str, ...] = ()


def take_over(labels: Labels, source: Source) -> TakenOver:
    """Add what people said in the UI of the run's answers; a store that does not answer is told, and nothing more."""
    traced = source.traced
    if traced is None:
        return TakenOver(labels)
    try:
        with traced.tracking.opened(failed="can't read labels from") as address:
            from runner.tracking.database import open_client
            from runner.tracking.traces import feedback_of

            found = feedback_of(open_client(address), traced.experiment, traced.run_id)
    except TrackingUnavailable as error:
        return TakenOver(labels, told=(error.reason,))
    return merge(labels, source.answers, found)


def merge(labels: Labels, answers: Answers, found: "Mapping[tuple[str, str], Feedback]") -> TakenOver:
    """Labels of the UI beside those of the file, which win: they are under version control, and were looked at.

    An answer that the file does not hold is added with its label, unless it can't be labelled, as a refusal.
    """
    candidates = {each.item.key: each.item for each in answers.candidates}
    held = {item.key: item for item in labels.items}
    count, told = 0, []
    for key, given in sorted(found.items()):
        item = held.get(key) or candidates.get(key)
        problem = _problem(key[0], item, given)
        if problem is not None:
            told.append(problem)
        elif item is not None and item.label is None:
            labels, count = labels.with_item(item.labelled(given.label, _note(given))), count + 1
    return TakenOver(labels.with_opinions(answers.judge, answers.opinions), count, tuple(told))


def _problem(name: str, item: Item | None, given: "Feedback") -> str | None:
    """Why a label of the UI is not taken over."""
    if given.label is None:
        return f"{name}: what {given.by} said in the UI ({given.value}) is no yes or no that all agree on"
    if item is None:
        return f"{name}: the label of {given.by} in the UI is about a refusal, or an answer that has no value"
    if item.label not in {None, given.label}:
        kept = f"the file says {item.label}, {given.by} says {given.label} in the UI"
        return f"{name}: {kept}; the file's counts, set it to null to take the other"
    return None


def _note(given: "Feedback") -> str:
    return f"{given.note} ({given.by}, in the UI)" if given.note else f"({given.by}, in the UI)"
