"""Which budgets would have held an answer: derived from one ranking, without packing again.

Only whole chunks count. ``groups`` are the answer documents, each as the places of its chunks in the ranking; a
question needs ``any`` of them or ``all``.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from runner.packing.budget import Policy

Groups = Sequence[NDArray[np.intp]]
Need = Literal["any", "all"]
FIRST_BLOCK = 256  # budgets tried at a time; most answers need few tokens more


def tokens_to_hit(costs: NDArray[np.int64], joint: int, groups: Groups, need: Need, policy: Policy) -> int | None:
    """The smallest budget at which the question is a hit; ``None`` if its documents are not in the ranking.

    Args:
        costs: shape (n,), tokens of each chunk in rank order with one separator each.
        joint: tokens of the separator.
        groups: places per answer document.
        need: whether one document is enough.
        policy: the budget's; under ``skip`` a smaller budget may do, since it passes over what is too large.
    """
    return next_to_hit(0, costs, joint, groups, need, policy)


def next_to_hit(
    above: int, costs: NDArray[np.int64], joint: int, groups: Groups, need: Need, policy: Policy
) -> int | None:
    """The smallest budget larger than ``above`` at which the question is a hit; otherwise as ``tokens_to_hit``."""
    enough = _prefix_needed(costs, joint, groups, need)
    if policy != "skip" or enough is None:
        return None if enough is None else max(enough, above + 1)
    block = FIRST_BLOCK
    while above < enough:  # a budget that holds the whole ranking down to the answer does under every policy
        budgets = np.arange(above + 1, min(above + block, enough) + 1)
        hits = _hits_when_skipping(costs, joint, groups, need, budgets)
        if hits.any():
            return int(budgets[np.argmax(hits)])
        above, block = int(budgets[-1]), 2 * block
    return above + 1


def hits_at(
    costs: NDArray[np.int64], joint: int, groups: Groups, need: Need, policy: Policy, budgets: Sequence[int]
) -> dict[int, bool]:
    """For each budget whether the question would be a hit; arguments as for ``tokens_to_hit``."""
    if policy == "skip":
        hits = _hits_when_skipping(costs, joint, groups, need, np.array(budgets))
        return dict(zip(budgets, hits.tolist(), strict=True))
    enough = _prefix_needed(costs, joint, groups, need)
    return {budget: enough is not None and enough <= budget for budget in budgets}


def tokens_until(costs: NDArray[np.int64], joint: int, place: int) -> int:
    """Tokens of a context that holds everything down to ``place``."""
    return int(np.add.reduce(costs[: place + 1])) - joint


def _prefix_needed(costs: NDArray[np.int64], joint: int, groups: Groups, need: Need) -> int | None:
    found = [int(places[0]) for places in groups if len(places)]
    if not found or (need == "all" and len(found) < len(groups)):
        return None
    return tokens_until(costs, joint, min(found) if need == "any" else max(found))


def _hits_when_skipping(
    costs: NDArray[np.int64], joint: int, groups: Groups, need: Need, budgets: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Fill all budgets side by side, chunk by chunk; shape (len(budgets),)."""
    room = budgets + joint
    got = np.zeros((len(groups), len(budgets)), dtype=bool)
    owner = {int(place): number for number, places in enumerate(groups) for place in places}
    smallest = costs.min() if len(costs) else 0
    for place in range(max(owner, default=-1) + 1):
        if room.max() < smallest:
            break
        takes = costs[place] <= room
        room = np.where(takes, room - costs[place], room)
        if place in owner:
            got[owner[place]] |= takes
    combine = np.logical_or if need == "any" else np.logical_and
    return np.asarray(combine.reduce(got, axis=0))
