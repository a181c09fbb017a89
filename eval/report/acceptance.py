"""Seven checks that tell whether a run's numbers deserve to be looked at. Each is computed; none is a promise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from eval.gate.compare import compare
from eval.gate.results import Measured, Results
from eval.gate.rules import Gate
from eval.gate.verdict import REGRESSED_EXIT
from eval.golden.check import FEWEST_OF_TYPE, FEWEST_QUESTIONS
from eval.judges.probes import FABRICATION, INVENTED_BELOW
from eval.metrics.mean import Mean
from eval.metrics.measures import incomplete_because, measure
from eval.records import QUESTION_TYPES, RunRecord
from eval.report.drop import lowered
from eval.report.layout import by_metric
from eval.report.tables import shown

DROP = 0.15


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``passed`` is ``None`` where the tier does not measure what it is about."""

    check: str
    passed: bool | None
    detail: str


def acceptance(run: RunRecord, means: Mapping[str, Mean], results: Results, rules: Gate) -> tuple[Check, ...]:
    """The seven checks, in the order in which the report shows them.

    Args:
        run: the run.
        means: its measures.
        results: the same run as the gate sees it.
        rules: the gate's rules for this run.
    """
    return (
        _golden_set(run),
        _by_type(means),
        _ndcg_says_more(means),
        _accounted(run, means),
        _within_budget(run),
        _fabrication(run),
        _drop_is_blocked(run, means["recall"], results, rules),
    )


def _golden_set(run: RunRecord) -> Check:
    counts = {kind: sum(question.type == kind for question in run.dataset.questions) for kind in QUESTION_TYPES}
    total = len(run.dataset.questions)
    enough = total >= FEWEST_QUESTIONS and min(counts["multi"], counts["none"]) >= FEWEST_OF_TYPE
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    rule = f"at least {FEWEST_QUESTIONS} questions, {FEWEST_OF_TYPE} multi and {FEWEST_OF_TYPE} none"
    return Check(rule, enough, f"{total} questions: {told}")


def _by_type(means: Mapping[str, Mean]) -> Check:
    single, multi = means["recall_single"], means["recall_multi"]
    apart = single.value is not None and multi.value is not None
    return Check(
        "recall of single and multi questions is reported apart", apart, f"single {shown(single)}, multi {shown(multi)}"
    )


def _ndcg_says_more(means: Mapping[str, Mean]) -> Check:
    recall, ndcg = means["recall"], means["ndcg_at_10"]
    differs = recall.value is not None and ndcg.value is not None and round(recall.value - ndcg.value, 4) != 0
    return Check("nDCG@10 differs from recall", differs, f"nDCG@10 {shown(ndcg)}, recall {shown(recall)}")


def _accounted(run: RunRecord, means: Mapping[str, Mean]) -> Check:
    reason = incomplete_because(means, run.max_unscored)
    left_out = sum(mean.attempted - mean.scored for mean in means.values())
    told = f"{left_out} scores are missing, within the limit" if left_out else f"{len(run.records)} questions"
    return Check("every question is scored, up to the limit of the run", reason is None, reason or told)


def _within_budget(run: RunRecord) -> Check:
    largest = max((record.context_tokens for record in run.records), default=0)
    return Check(
        "no context is above the budget",
        largest <= run.budget_tokens,
        f"largest {largest} of {run.budget_tokens} tokens",
    )


def _fabrication(run: RunRecord) -> Check:
    scores = [probe.score for probe in run.probes if probe.name.startswith(FABRICATION)]
    check = f"a fabricated answer scores below {INVENTED_BELOW}"
    if not scores:
        return Check(check, None, "no judge in this run")
    given = [score for score in scores if score is not None]
    if len(given) < len(scores):
        return Check(check, False, f"{len(scores) - len(given)} of {len(scores)} probes got no score")
    return Check(check, max(given) < INVENTED_BELOW, f"scored {max(given):.2f}")


def _drop_is_blocked(run: RunRecord, before: Mean, results: Results, rules: Gate) -> Check:
    """Take answers out of the rankings of a copy, and let the gate compare it with the run itself."""
    check = "recall lowered by 15 points is blocked"
    worse = lowered(run, DROP)
    if worse is None:
        return Check(check, False, "no question is a hit, so there is no recall to lose")
    means = measure(worse.records)
    copy = _results_of_copy(results, run, worse, means)
    verdict = compare(results, copy, rules, against={})
    code = verdict.exit_code(enforce=True)
    told = f"{shown(before)} → {shown(means['recall'])} under gate=enforce: {verdict.verdict}, exit code {code}"
    noticed = code == REGRESSED_EXIT and verdict.hits is not None and verdict.hits.fails
    return Check(check, None if verdict.verdict == "not_judged" else noticed, told)


def _results_of_copy(results: Results, run: RunRecord, worse: RunRecord, means: Mapping[str, Mean]) -> Results:
    """The copy as the gate sees it: the run's results with other measures, and other values where answers were lost."""
    questions = list(results.questions)
    for place, (before, after) in enumerate(zip(run.records, worse.records, strict=True)):
        if after is not before:
            values, unscored = by_metric(after)
            questions[place] = replace(
                questions[place], first_hit_rank=after.first_hit_rank, values=values, unscored=unscored
            )
    return replace(
        results,
        metrics={name: Measured(mean.value, mean.attempted, mean.scored) for name, mean in means.items()},
        questions=tuple(questions),
        agreement=None,
    )
