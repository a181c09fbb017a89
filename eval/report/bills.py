"""What a run cost: tokens, money and time, by model and by question; paid now and paid earlier kept apart."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import fsum
from typing import Any

import numpy as np

from eval.chat.messages import Call
from eval.records import QuestionRecord, RunRecord, StageTimes

DAYS = 30  # of a month
# The stages that work question by question.
PER_QUESTION = ("query", "rank", "rerank", "respond", "pack", "answer", "judge")


@dataclass(frozen=True, slots=True)
class Billed:
    """A call, the stage that made it, and the question that it was made for; vectors and probes belong to none."""

    stage: str
    question: str | None
    call: Call


def billed(run: RunRecord) -> list[Billed]:
    """Every call of a run in the order of its questions. What an earlier run of the same sweep paid for is cached."""
    reused = {times.stage for times in run.times if times.reused}
    found = [each for record in run.records for each in _of_question(record)]
    found += [Billed("embed", None, call) for call in run.embedding_calls]
    found += [Billed("probe", None, call) for probe in run.probes for call in probe.calls]
    return [replace(each, call=replace(each.call, cached=True)) if each.stage in reused else each for each in found]


def _of_question(record: QuestionRecord) -> list[Billed]:
    judged = () if record.judgement is None else record.judgement.calls
    return [
        *(Billed(stage, record.question.id, call) for stage, calls in record.retrieval_calls.items() for call in calls),
        *(Billed("answer", record.question.id, call) for call in record.answer_calls),
        *(Billed("judge", record.question.id, call) for call in judged),
    ]


@dataclass(frozen=True, slots=True)
class Bill:
    """Sums over calls. ``unpriced`` counts the calls of models without a known price, which no sum of money holds."""

    calls: int
    cached_calls: int
    input_tokens: int
    output_tokens: int
    paid_tokens: int
    usd_paid: float
    usd_cached: float
    unpriced: int

    @classmethod
    def of(cls, calls: Sequence[Call]) -> "Bill":
        """The sums; money is summed exactly before it is rounded once, so that no order of calls changes it."""
        paid = [call for call in calls if not call.cached]
        return cls(
            calls=len(calls),
            cached_calls=len(calls) - len(paid),
            input_tokens=sum(call.input_tokens for call in calls),
            output_tokens=sum(call.output_tokens for call in calls),
            paid_tokens=sum(call.input_tokens + call.output_tokens for call in paid),
            usd_paid=_usd(paid),
            usd_cached=_usd(call for call in calls if call.cached),
            unpriced=sum(call.usd is None for call in calls),
        )

    @property
    def tokens(self) -> int:
        """In and out, paid and cached."""
        return self.input_tokens + self.output_tokens


def _usd(calls: Iterable[Call]) -> float:
    return fsum(call.usd for call in calls if call.usd is not None)


def bills(run: RunRecord) -> dict[str, Any]:
    """The bills as they stand in a report; ``usd.month`` is the projection, ``None`` where some price is not known."""
    found = billed(run)
    total = Bill.of([each.call for each in found])
    return {
        "latency_ms": {times.stage: latency(times) for times in run.times},
        "tokens": {
            "context": run.counts["context_tokens"],
            "input": total.input_tokens,
            "output": total.output_tokens,
            "paid": total.paid_tokens,
            "cached": total.tokens - total.paid_tokens,
        },
        "usd": {
            "paid": total.usd_paid,
            "cached": total.usd_cached,
            "unpriced_calls": total.unpriced,
            "month": None if total.unpriced else month_usd(found, run),
        },
        "models": [_model(stage, model, calls) for (stage, model), calls in sorted(_by_model(found).items())],
        "questions": _by_question(run, found),
    }


def month_usd(found: Sequence[Billed], run: RunRecord) -> float:
    """Projected cost of 30 days when nothing is cached.

    The mean cost of a question, times the questions that ``run.use`` names, and vectors and probes once, in each run.
    """
    asked = fsum(each.call.usd or 0.0 for each in found if each.question is not None)
    once = fsum(each.call.usd or 0.0 for each in found if each.question is None)
    measured = max(len(run.records), 1)
    questions = measured if run.use.questions is None else run.use.questions
    return (asked / measured * questions + once) * run.use.runs_per_day * DAYS


def month_line(usd: float | None, run: RunRecord) -> str:
    """The projection in words."""
    questions = len(run.records) if run.use.questions is None else run.use.questions
    runs = "1 run" if run.use.runs_per_day == 1 else f"{run.use.runs_per_day:g} runs"
    use = f"{DAYS} days with {runs} a day on {questions} questions, nothing cached"
    if usd is None:
        return f"{use}: not known, as the price of a model is not; give it as usd_per_million or usd_per_call."
    return f"{use}: {usd:.2f} USD."


def _by_model(found: Sequence[Billed]) -> dict[tuple[str, str], list[Call]]:
    calls: dict[tuple[str, str], list[Call]] = {}
    for each in found:
        calls.setdefault((each.stage, each.call.model), []).append(each.call)
    return calls


def _model(stage: str, model: str, calls: Sequence[Call]) -> dict[str, Any]:
    """One model's part in one stage; its latency is the model's own, measured when the call was paid for."""
    return {
        "stage": stage,
        "model": model,
        **_amounts(Bill.of(calls)),
        "latency_ms": _spread([call.milliseconds for call in calls]),
    }


def _amounts(bill: Bill) -> dict[str, Any]:
    amounts = asdict(bill)
    del amounts["paid_tokens"]
    return amounts


def _by_question(run: RunRecord, found: Sequence[Billed]) -> dict[str, Any]:
    """What each question cost, and how long each stage took over it."""
    calls: dict[str, list[Call]] = {record.question.id: [] for record in run.records}
    for each in found:
        if each.question is not None:
            calls[each.question].append(each.call)
    stages = {
        times.stage: times.milliseconds
        for times in run.times
        if times.stage in PER_QUESTION and len(times.milliseconds) == len(run.records)
    }
    return {
        record.question.id: {
            **(_amounts(Bill.of(calls[record.question.id])) if found else {}),
            "latency_ms": {stage: round(took[place], 4) for stage, took in stages.items()},
        }
        for place, record in enumerate(run.records)
    }


def latency(times: StageTimes) -> dict[str, Any]:
    """Median, 95th percentile and maximum of a stage in milliseconds; per question where it works so."""
    return {
        **_spread(times.milliseconds),
        "total": round(sum(times.milliseconds), 4),
        "calls": len(times.milliseconds),
        "reused": times.reused,
    }


def _spread(milliseconds: Sequence[float]) -> dict[str, float]:
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {"p50": round(float(p50), 4), "p95": round(float(p95), 4), "max": round(max(milliseconds), 4)}
