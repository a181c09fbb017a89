"""Answers and what a judge says of them: the stages that may ask models, several questions at a time."""

from dataclasses import dataclass
from typing import Any

from eval.judges.none import NoJudge
from eval.judges.probes import PROBES, probe_result
from eval.records import Answer, Context, Judgement, ProbeResult, Question, StageTimes, Unscored
from runner.config.setup import Setup
from runner.fingerprints import prompt_of
from runner.generators.none import NoGenerator
from runner.memo import Memo
from runner.spread import concurrency
from runner.stages.keeping import ANSWERED, JUDGED, keeping
from runner.stages.retrieved import Retrieved
from runner.systems.pipeline import Pipeline
from runner.work_cache.forms import records


@dataclass(frozen=True)
class Answered:
    """Answers and judgements in the order of the questions; ``None`` where tier or choice of parts leaves them out."""

    answers: list[Answer | Unscored | None]
    judgements: list[Judgement | Unscored | None]
    probes: tuple[ProbeResult, ...]
    times: tuple[StageTimes, ...]


def answer(setup: Setup, memo: Memo, questions: tuple[Question, ...], retrieved: Retrieved) -> Answered:
    """Let the system answer every question from its context, and the judge judge every answer and the probes."""
    contexts = retrieved.seen
    nothing: list[Any] = [None] * len(questions)
    if not answers(setup):
        return Answered(nothing, nothing, (), ())
    asked = list(zip(questions, contexts.value, strict=True))
    texts = [question.text for question in questions]
    answered = retrieved.answers or memo.each(
        "answer",
        [contexts.key, texts, setup.resolved["generator"], prompt_of(setup.generator)],
        lambda pair: _generate(setup, *pair),
        asked,
        at_once=concurrency(setup.generator),
        keeping=keeping(setup, records(Answer), *ANSWERED),
    )
    answering = () if retrieved.answers else (answered.times,)
    if not _judges(setup):
        unanswered = [_no_answer(each) if isinstance(each, Unscored) else None for each in answered.value]
        return Answered(list(answered.value), list(unanswered), (), answering)
    judged = memo.each(
        "judge",
        [answered.key, texts, *_judge_key(setup)],
        lambda triple: _judge(setup, *triple),
        [(*pair, said) for pair, said in zip(asked, answered.value, strict=True)],
        at_once=concurrency(setup.judge),
        keeping=keeping(setup, records(Judgement), *JUDGED),
    )
    probed = memo.each(
        "probe",
        _judge_key(setup),
        lambda probe: setup.judge.judge(probe.question, probe.context, probe.answer),
        list(PROBES),
        at_once=concurrency(setup.judge),
        keeping=keeping(setup, records(Judgement), "judge"),
    )
    probes = tuple(probe_result(probe, judgement) for probe, judgement in zip(PROBES, probed.value, strict=True))
    times = (*answering, judged.times, probed.times)
    return Answered(list(answered.value), list(judged.value), probes, times)


def _judge_key(setup: Setup) -> list[Any]:
    """What a judgement follows from besides the answer."""
    return [setup.resolved["judge"], prompt_of(setup.judge)]


def answers(setup: Setup) -> bool:
    """Whether runs with this setup answer the questions."""
    if not isinstance(setup.system, Pipeline) and setup.system.answers:
        return setup.tier == "full"
    return setup.tier == "full" and not isinstance(setup.generator, NoGenerator)


def _judges(setup: Setup) -> bool:
    return answers(setup) and not isinstance(setup.judge, NoJudge)


def _generate(setup: Setup, question: Question, context: Context | Unscored) -> Answer | Unscored:
    return context if isinstance(context, Unscored) else setup.generator.generate(question, context)


def _judge(
    setup: Setup, question: Question, context: Context | Unscored, said: Answer | Unscored
) -> Judgement | Unscored:
    if isinstance(said, Unscored):
        return _no_answer(said)
    if isinstance(context, Unscored):
        return context
    return setup.judge.judge(question.text, context.text, said.text)


def _no_answer(failed: Unscored) -> Unscored:
    """What is known of an answer that failed; its calls are the generator's and billed there."""
    return Unscored(f"no answer: {failed.reason}", failed.raw)
