"""Which of two runs' answers a model prefers: its settings, the pairs, and the asking."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.errors import EvalfirstError, InputError
from eval.gate.pairing import pair_up
from eval.gate.results import Results
from eval.judges.pairwise import Pair, PairwiseJudge
from eval.judges.preferences import Comparison, summary
from runner.chat.cache import CallCache
from runner.chat.desk import Desk
from runner.chat.purse import Purse
from runner.chat.vendors import same_model
from runner.config.parts import construct
from runner.places import mlruns
from runner.progress import Progress
from runner.spread import spread

_KINDS = {
    "openai": "runner.chat.openai_compatible.OpenAICompatible",
    "anthropic": "runner.chat.anthropic_messages.AnthropicMessages",
}


def model_settings(
    config: Mapping[str, Any], name: str | None, kind: str, base_url: str | None, key_env: str | None
) -> Mapping[str, Any]:
    """The settings of the model that compares: the one that is named, or else that of the run's own judge.

    Raises:
        InputError: none is named, and the run's judge is no model; or there is no such kind.
    """
    if kind not in _KINDS:
        raise InputError(f"--api is one of {', '.join(_KINDS)} (got {kind!r})")
    if name is not None:
        where = {} if base_url is None else {"base_url": base_url, "key_env": None}  # a server of one's own has no keys
        named = {} if key_env is None else {"key_env": key_env}
        return {"_target_": _KINDS[kind], "name": name, **where, **named}
    own = (config.get("judge") or {}).get("model")
    if not isinstance(own, Mapping):
        raise InputError("the second run's judge is no chat model: name the one that is to compare with --model NAME")
    return own


def preferences(
    sides: tuple[Mapping[str, Any], Mapping[str, Any]],
    settings: Mapping[str, Any],
    max_usd: float | None,
    progress: Progress,
) -> Comparison:
    """Ask the model about every question that both runs answered, each in both orders.

    Args:
        sides: the reports of the two runs, with their answers.
        settings: of the model, as a configuration has them.
        max_usd: the most that this may cost.
        progress: shows how far it is.

    Raises:
        InputError: the model wrote one side's answers itself, or the runs share no answered question.
        EvalfirstError: not a single pair could be judged.
    """
    _refuse_author(sides, str(settings.get("name")))
    pairs = pairs_of(*sides)
    with Desk(CallCache(mlruns() / "cache"), Purse(max_usd)) as desk:
        judge = PairwiseJudge(model=construct("--model", settings, desk.connected))
        with progress("comparing", len(pairs)) as done:
            found, _ = spread(judge.prefer, pairs, judge.concurrency, done)
    compared = summary(found)
    if sum(count for _, count in compared.unscored) == len(pairs):
        raise EvalfirstError(f"no pair could be judged: {compared.unscored[0][0]}")
    return compared


def _refuse_author(sides: Sequence[Mapping[str, Any]], judge: str) -> None:
    for report in sides:
        model = ((report.get("config") or {}).get("generator") or {}).get("model")
        author = str(model.get("name")) if isinstance(model, Mapping) else ""
        if author and same_model(author, judge):
            raise InputError(
                f"{judge} wrote the answers of {report['run']['name']} itself: name another with --model NAME"
            )


def pairs_of(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[Pair]:
    """The questions that both runs answered; those paired by the gate, in the second run's order.

    Raises:
        InputError: there is none, or a report has no texts of answers.
    """
    shared = pair_up(Results.of(a, "the first report"), Results.of(b, "the second report")).pairs
    before, now = ({row["id"]: row for row in side["questions"]} for side in (a, b))
    rows = [(before[pair.baseline.id], now[pair.current.id]) for pair in shared]
    if not rows:
        raise InputError("the two runs have no question in common: give two runs on the same golden set")
    if lacking := [name for name, side in (("first", a), ("second", b)) if not _has_answers(side)]:
        raise InputError(
            f"the {lacking[0]} report holds no answers, as a portable one or one of tier=retrieval: give a run"
        )
    return [_pair(one, other) for one, other in rows]


def _has_answers(report: Mapping[str, Any]) -> bool:
    return any(row.get("answer") is not None and "material" in row for row in report["questions"])


def _pair(one: Mapping[str, Any], other: Mapping[str, Any]) -> Pair:
    return Pair(
        id=other["id"],
        question=other["question"],
        material=one["material"],
        answer_a=one["answer"],
        answer_b=other["answer"],
        material_b=other["material"],
    )
