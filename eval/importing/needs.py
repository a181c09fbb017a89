"""From "one of each group" to the two rules that a golden set knows: any of, and all of."""

from eval.importing.draft import Needs
from eval.records import QuestionType


def condensed(needs: Needs) -> tuple[frozenset[str], ...]:
    """The groups that say something: a group that holds all of another is fulfilled whenever that one is."""
    groups = list(dict.fromkeys(frozenset(group) for group in needs))
    return tuple(group for group in groups if not any(other < group for other in groups))


def as_rule(needs: Needs) -> tuple[QuestionType, tuple[str, ...]] | None:
    """The type and the documents, in the order of their first mention; ``None`` where neither rule says the same.

    One group is ``single`` (any of its documents), several groups of one document each are ``multi`` (all of them).
    Several groups with alternatives are neither.
    """
    groups = condensed(needs)
    kept = frozenset[str]().union(*groups)
    documents = tuple(dict.fromkeys(key for group in needs for key in group if key in kept))
    if len(groups) == 1:
        return "single", documents
    if groups and all(len(group) == 1 for group in groups):
        return "multi", documents
    return None
