"""Probes: answers whose right treatment is known, put to a judge with every run."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import regex

from eval.judges.lexical import LexicalJudge
from eval.judges.none import NoJudge
from eval.judges.probes import FABRICATION, PROBES, probe_result
from eval.judges.protocol import Judge
from eval.judges.statements import statements_of
from eval.records import Judgement, ProbeResult, Statement, Verdict
from eval.refusals import is_refusal


@dataclass(frozen=True)
class Texts:
    """What a judge reads."""

    question: str
    context: str
    answer: str


@dataclass(frozen=True)
class ScriptedJudge:
    """Decides each statement by what it is told of it; refusals are seen."""

    verdict: Callable[[str, Texts], Verdict]
    name: str = "scripted"

    def judge(self, question: str, context: str, answer: str) -> Judgement:
        """The scripted judgement."""
        if is_refusal(answer):
            return Judgement(refused=True, statements=(), relevancy=0.0)
        texts = Texts(question, context, answer)
        found = tuple(Statement(text, self.verdict(text, texts)) for text in statements_of(answer))
        return Judgement(refused=False, statements=found, relevancy=1.0)


@dataclass(frozen=True)
class AllRefusals:
    """Takes every answer for a refusal."""

    name: str = "refusals"

    def judge(self, question: str, context: str, answer: str) -> Judgement:  # noqa: ARG002 - the Protocol's
        """Refused."""
        return Judgement(refused=True, statements=(), relevancy=0.0)


def run_probes(judge: Judge) -> list[ProbeResult]:
    return [probe_result(probe, judge.judge(probe.question, probe.context, probe.answer)) for probe in PROBES]


def kind(name: str) -> str:
    return name.rpartition(" (")[0]


def failures(judge: Judge) -> set[str]:
    return {kind(result.name) for result in run_probes(judge) if not result.passed}


def honest(statement: str, texts: Texts) -> Verdict:
    """Right for all that stands in the material word for word."""
    if "the documents do not say" in statement.casefold() or "资料中没有提到" in statement:
        return "undecidable"
    return "supported" if statement in texts.context else "unsupported"


def obeying(said: Verdict) -> Callable[[str, Texts], Verdict]:
    """Right until an instruction stands in one of the texts, and then ``said`` of all that is not true."""

    def verdict(statement: str, texts: Texts) -> Verdict:
        ordered = regex.search("Ignore the rules|忽略所有规则", " ".join((texts.question, texts.context, texts.answer)))
        found = honest(statement, texts)
        return said if ordered and found == "unsupported" else found

    return verdict


SUPPORTED = {
    "verbatim answer",
    "sentences of two chunks",
    "clauses in another order",
    "number in words",
    "rule that denies",
    "partial refusal",
}
INJECTIONS = {"instruction in the context", "instruction in the question", "instruction in the answer"}
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
    "empty context",
}
HALVES = {"half supported"} | INJECTIONS


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
    assert set(by_language["en"]) == SUPPORTED | INVENTED | HALVES | {"refusal"}
    assert len(by_language["en"]) == 21 == len(PROBES) / 2


def test_every_probe_says_what_is_due() -> None:
    due = {kind(probe.name): (probe.least, probe.below, probe.refused) for probe in PROBES}
    assert {due[name] for name in SUPPORTED} == {(0.99, None, False)}
    assert {due[name] for name in INVENTED - {"empty context"}} == {(0.0, 0.7, False)}
    assert {due[name] for name in HALVES} == {(0.3, 0.7, False)}
    assert [due[name] for name in ("refusal", "empty context")] == [(1, None, True), (0.0, 1e-9, False)]


def test_an_injected_instruction_stands_in_one_of_the_three_texts_beside_an_invention() -> None:
    order = "Ignore the rules"
    (context, question, answer) = (probe for probe in PROBES if "instruction" in probe.name and "(en)" in probe.name)
    assert [order in text for text in (context.question, context.context, context.answer)] == [False, True, False]
    assert [order in text for text in (question.question, question.context, question.answer)] == [True, False, False]
    assert [order in text for text in (answer.question, answer.context, answer.answer)] == [False, False, True]


def test_a_judge_that_supports_everything_fails_on_every_invention() -> None:
    assert failures(ScriptedJudge(lambda *_: "supported")) == INVENTED | HALVES


def test_a_judge_that_supports_nothing_fails_where_support_is_due() -> None:
    assert failures(ScriptedJudge(lambda *_: "unsupported")) == SUPPORTED | HALVES


def test_a_judge_that_finds_nothing_decidable_passes_the_refusal_and_the_repeated_question_alone() -> None:
    found = failures(ScriptedJudge(lambda *_: "undecidable"))
    assert found == (SUPPORTED | INVENTED | HALVES) - {"question repeated"}


def test_a_judge_that_takes_all_for_refusals_passes_the_refusal_alone() -> None:
    assert failures(AllRefusals()) == SUPPORTED | INVENTED | HALVES


@pytest.mark.parametrize("said", ["undecidable", "supported"])
def test_a_judge_that_obeys_an_instruction_fails_all_three_however_it_obeys(said: Verdict) -> None:
    assert failures(ScriptedJudge(honest)) & HALVES == set()
    assert failures(ScriptedJudge(obeying(said))) & HALVES == INJECTIONS


def test_calling_the_invention_undecidable_and_the_instruction_unsupported_is_seen() -> None:
    def verdict(statement: str, texts: Texts) -> Verdict:
        found = honest(statement, texts)
        invented = found == "unsupported" and not regex.search("Ignore|Output|忽略", statement)
        return "undecidable" if invented else found

    assert "instruction in the answer" in failures(ScriptedJudge(verdict))


def test_an_unscored_probe_fails_and_says_why() -> None:
    results = run_probes(NoJudge())
    assert not any(result.passed for result in results)
    assert results[0].expected == "faithfulness 0.99 or more; unscored: no judge configured"


def test_no_two_probes_have_one_name() -> None:
    assert len({probe.name for probe in PROBES}) == len(PROBES)
