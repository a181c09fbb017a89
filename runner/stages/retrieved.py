"""What stands between a question and its answer, whoever found it: rankings, contexts, calls, and what failed."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.chat.messages import Call
from eval.records import Answer, Chunk, Context, Ranking, StageTimes, Unscored
from runner.memo import Made
from runner.stages.recording import Layout


@dataclass(frozen=True)
class Retrieved:
    """What a dataset's questions found, in their order.

    ``contexts`` are packed into the budget, and what recall counts. ``seen`` is what the answer is written from and
    judged by: the same, but where somebody else's system answers it is all that this system used. ``answers`` are that
    system's own, ``None`` where the generator answers. A question for which nothing was ranked, as a call failed, has
    ``Unscored`` in the place of each.
    """

    chunks: list[Chunk]
    layout: Layout
    rankings: list[Ranking | Unscored]
    contexts: list[Context | Unscored]
    seen: Made[list[Context | Unscored]]
    calls: list[Mapping[str, tuple[Call, ...]]]
    times: tuple[StageTimes, ...]
    answers: Made[list[Answer | Unscored]] | None = None
    notes: tuple[str, ...] = ()
