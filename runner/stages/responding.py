"""Retrieval, and perhaps answers, by somebody else's system: ask it, find out which documents its passages are from."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from eval.records import Answer, Context, Dataset, PackedChunk, Question, Ranking, Unscored
from eval.sources.text_file import is_blank
from runner.config.setup import Setup
from runner.fingerprints import identities
from runner.foreign_text import cleaned
from runner.memo import Made, Memo
from runner.protocols import ForeignSystem, Reviewing, Stoppable
from runner.records import Passage, Response
from runner.spread import concurrency
from runner.stages.recording import Layout
from runner.stages.retrieved import Retrieved
from runner.systems.border import received
from runner.systems.notes import counted
from runner.systems.pool import Pool, pool_of

NO_ANSWER = "the system gave no answer"
BLANK_ANSWER = "the system's answer is blank"
USUAL_TEXT = "word " * 200  # in an estimate, which asks nobody


def respond(setup: Setup, system: ForeignSystem, memo: Memo, dataset: Dataset, corpus: str) -> Retrieved:
    """Ask the system all questions. Recall counts what fits the budget; its answers are judged by all that it used."""
    questions = list(dataset.questions)
    key = [corpus, setup.resolved["system"], identities(system), [question.fingerprint for question in questions]]
    asking = _asking(setup, system, dataset.documents[0].id)
    with _stopping(system, setup.terms.deadline_s):
        ready = system.ready(questions)
        responded = memo.each("respond", key, asking, questions, at_once=concurrency(system))
    reviewed = system.review(responded.value) if isinstance(system, Reviewing) else ()
    pool = pool_of(responded.value, dataset.documents)
    sizes = setup.budget.sizes(pool.chunks)
    layout = Layout.of(dataset.documents, pool.chunks, sizes, setup.budget.joint).counting_once()
    rankings: list[Ranking | Unscored] = [
        ranking if isinstance(response, Response) else response
        for ranking, response in zip(pool.rankings, responded.value, strict=True)
    ]
    packed = memo.each(
        "pack",
        [*key, setup.resolved["budget"]],
        lambda ranking: setup.budget.pack(ranking, pool.chunks, sizes) if isinstance(ranking, Ranking) else ranking,
        rankings,
    )
    return Retrieved(
        chunks=pool.chunks,
        layout=layout,
        rankings=rankings,
        contexts=packed.value,
        seen=Made(_whole(setup, pool, sizes, rankings), responded.key, packed.times) if system.answers else packed,
        calls=[{"respond": each.calls} if each.calls else {} for each in responded.value],
        times=(responded.times, packed.times),
        answers=_answers(responded) if system.answers else None,
        notes=(*map(cleaned, (*ready, *reviewed)), *pool.notes, *_beyond(setup, packed.value, rankings)),
    )


@contextmanager
def _stopping(system: ForeignSystem, deadline_s: float | None) -> Iterator[None]:
    """Stops the system when the time of the run is over, and at the end, however that comes."""
    if not isinstance(system, Stoppable):
        yield
        return
    limit = threading.TIMEOUT_MAX if deadline_s is None else min(deadline_s, threading.TIMEOUT_MAX)
    timer = threading.Timer(limit, system.stop, [f"the run's deadline of {limit:g} s is over"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        system.stop("the run is over")


def _asking(setup: Setup, system: ForeignSystem, some_document: str) -> Callable[[Question], Response | Unscored]:
    """Asks the system. An estimate asks nobody: then something is made up, so that the judge's calls are foreseen."""

    def asked(question: Question) -> Response | Unscored:
        return received(system.respond(question))

    def estimated(question: Question) -> Response | Unscored:
        response = asked(question)
        made_up = Response((Passage(USUAL_TEXT, some_document),), USUAL_TEXT if system.answers else None)
        return replace(made_up, calls=response.calls) if isinstance(response, Unscored) else response

    return estimated if setup.terms.estimate else asked


def _whole(
    setup: Setup, pool: Pool, sizes: NDArray[np.int64], rankings: list[Ranking | Unscored]
) -> list[Context | Unscored]:
    """All passages of each question as one context, whatever the budget."""

    def whole(ranking: Ranking) -> Context:
        packed = tuple(
            PackedChunk(pool.chunks[place], rank, int(sizes[place])) for rank, place in enumerate(ranking.positions, 1)
        )
        text = setup.budget.separator.join(item.chunk.shown for item in packed)
        return Context(packed, text, sum(item.tokens for item in packed))

    return [whole(ranking) if isinstance(ranking, Ranking) else ranking for ranking in rankings]


def _answers(responded: Made[list[Response | Unscored]]) -> Made[list[Answer | Unscored]]:
    """The system's own answers; its calls are billed where it was asked."""

    def said(response: Response | Unscored) -> Answer | Unscored:
        if isinstance(response, Unscored):
            return Unscored(response.reason, response.raw)
        if response.answer is None:
            return Unscored(NO_ANSWER)
        return Unscored(BLANK_ANSWER) if is_blank(response.answer) else Answer(response.answer)

    return Made([said(response) for response in responded.value], responded.key, responded.times)


def _beyond(setup: Setup, packed: list[Context | Unscored], rankings: list[Ranking | Unscored]) -> tuple[str, ...]:
    """A note where the system used more than the budget, of which recall knows nothing."""
    both = [pair for pair in zip(packed, rankings, strict=True) if isinstance(pair[0], Context)]
    larger = sum(
        len(context.chunks) < len(ranking.positions) or any(item.cut for item in context.chunks)
        for context, ranking in both
        if isinstance(context, Context) and isinstance(ranking, Ranking)
    )
    if not larger:
        return ()
    return (
        f"for {larger} of {counted(len(both), 'question', 'questions')} the system gave more than the budget of "
        f"{setup.budget.tokens} tokens holds; recall counts what fits (budget.tokens), the recall at other budgets "
        "stands below it",
    )
