"""Probes: answers whose right treatment is known, put to a judge with every run."""

from dataclasses import dataclass

import pytest

from eval.judges.lexical import LexicalJudge
from eval.judges.none import NoJudge
from eval.judges.probes import PROBES, run_probes
from eval.records import Judgement, Statement, Unscored


@dataclass(frozen=True)
class ScriptedJudge:
    """Says the same of every answer."""

    judgement: Judgement | Unscored
    name: str = "scripted"

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:  # noqa: ARG002 - the Protocol's
        """The scripted judgement."""
        return self.judgement


def failures(judgement: Judgement | Unscored) -> set[str]:
    return {result.name.split(" (")[0] for result in run_probes(ScriptedJudge(judgement)) if not result.passed}


def test_the_lexical_judge_passes_every_probe_in_both_languages() -> None:
    results = run_probes(LexicalJudge())
    assert [result.name for result in results if not result.passed] == []
    assert len(results) == 16
    assert {result.name[-4:] for result in results} == {"(en)", "(zh)"}


@pytest.mark.parametrize("min_overlap", [0.4, 0.5, 0.7, 0.8])
def test_the_probes_hold_for_other_thresholds_too(min_overlap: float) -> None:
    assert all(result.passed for result in run_probes(LexicalJudge(min_overlap=min_overlap)))


def test_a_judge_that_supports_everything_fails_on_every_invention() -> None:
    generous = Judgement(refused=False, statements=(Statement("x", "supported"),), relevancy=1.0)
    everything = {"fabrication", "refusal", "changed number", "negated sentence", "half supported"}
    assert failures(generous) == everything | {"injected instruction", "empty context"}


def test_a_judge_that_supports_nothing_fails_where_support_is_due() -> None:
    harsh = Judgement(refused=False, statements=(Statement("x", "unsupported"),), relevancy=0.0)
    assert failures(harsh) == {"verbatim answer", "refusal", "half supported"}


def test_a_judge_that_takes_all_for_refusals_passes_the_refusal_alone() -> None:
    names = {probe.name.split(" (")[0] for probe in PROBES}
    assert failures(Judgement(refused=True, statements=(), relevancy=0.0)) == names - {"refusal"}


def test_an_unscored_probe_fails_and_says_why() -> None:
    results = run_probes(NoJudge())
    assert not any(result.passed for result in results)
    assert results[0].expected == "faithfulness 0.99 or more; unscored: no judge configured"


def test_no_two_probes_have_one_name() -> None:
    assert len({probe.name for probe in PROBES}) == len(PROBES)
