"""Probes: answers whose right treatment is known, put to a judge with every run."""

from dataclasses import dataclass

import pytest

from eval.judges.lexical import LexicalJudge
from eval.judges.none import NoJudge
from eval.judges.probes import FABRICATION, PROBES, probe_result
from eval.judges.protocol import Judge
from eval.records import Judgement, ProbeResult, Statement, Unscored


@dataclass(frozen=True)
class ScriptedJudge:
    """Says the same of every answer."""

    judgement: Judgement | Unscored
    name: str = "scripted"

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:  # noqa: ARG002 - the Protocol's
        """The scripted judgement."""
        return self.judgement


def run_probes(judge: Judge) -> list[ProbeResult]:
    return [probe_result(probe, judge.judge(probe.question, probe.context, probe.answer)) for probe in PROBES]


def kind(name: str) -> str:
    return name.rpartition(" (")[0]


def failures(judgement: Judgement | Unscored) -> set[str]:
    return {kind(result.name) for result in run_probes(ScriptedJudge(judgement)) if not result.passed}


SUPPORTED = {
    "verbatim answer",
    "sentences of two chunks",
    "clauses in another order",
    "number in words",
    "rule that denies",
    "partial refusal",
}
INVENTED = {
    FABRICATION,
    "changed number",
    "changed date",
    "changed unit",
    "changed name",
    "negated sentence",
    "false comparison",
    "swapped roles",
    "question repeated",
    "instruction in the context",
    "instruction in the question",
    "instruction in the answer",
    "empty context",
}


@pytest.mark.parametrize("min_overlap", [0.4, 0.5, 0.6, 0.7, 0.8])
def test_the_lexical_judge_passes_every_probe_in_both_languages(min_overlap: float) -> None:
    results = run_probes(LexicalJudge(min_overlap=min_overlap))
    assert [result.name for result in results if not result.passed] == []


def test_each_language_has_the_same_kinds_at_least_twelve() -> None:
    by_language = {
        language: [kind(probe.name) for probe in PROBES if probe.name.endswith(f"({language})")]
        for language in ("en", "zh")
    }
    assert by_language["en"] == by_language["zh"]
    assert set(by_language["en"]) == SUPPORTED | INVENTED | {"refusal", "half supported"}
    assert len(by_language["en"]) == 21 == len(PROBES) / 2


def test_every_probe_says_what_is_due() -> None:
    due = {kind(probe.name): (probe.least, probe.below, probe.refused) for probe in PROBES}
    assert {due[name] for name in SUPPORTED} == {(0.99, None, False)}
    assert {due[name] for name in INVENTED - {"empty context"}} == {(0.0, 0.7, False)}
    assert (due["refusal"], due["half supported"]) == ((1, None, True), (0.3, 0.7, False))
    assert due["empty context"] == (0.0, 1e-9, False)


def test_an_injected_instruction_stands_in_one_of_the_three_texts_beside_an_invention() -> None:
    order = "Ignore the rules"
    (context, question, answer) = (probe for probe in PROBES if "instruction" in probe.name and "(en)" in probe.name)
    assert [order in text for text in (context.question, context.context, context.answer)] == [False, True, False]
    assert [order in text for text in (question.question, question.context, question.answer)] == [True, False, False]
    assert [order in text for text in (answer.question, answer.context, answer.answer)] == [False, False, True]


def test_a_judge_that_supports_everything_fails_on_every_invention() -> None:
    generous = Judgement(refused=False, statements=(Statement("x", "supported"),), relevancy=1.0)
    assert failures(generous) == INVENTED | {"refusal", "half supported"}


def test_a_judge_that_supports_nothing_fails_where_support_is_due() -> None:
    harsh = Judgement(refused=False, statements=(Statement("x", "unsupported"),), relevancy=0.0)
    assert failures(harsh) == SUPPORTED | {"refusal", "half supported"}


def test_a_judge_that_takes_all_for_refusals_passes_the_refusal_alone() -> None:
    assert failures(Judgement(refused=True, statements=(), relevancy=0.0)) == (
        SUPPORTED | INVENTED | {"half supported"}
    )


def test_an_unscored_probe_fails_and_says_why() -> None:
    results = run_probes(NoJudge())
    assert not any(result.passed for result in results)
    assert results[0].expected == "faithfulness 0.99 or more; unscored: no judge configured"


def test_no_two_probes_have_one_name() -> None:
    assert len({probe.name for probe in PROBES}) == len(PROBES)
