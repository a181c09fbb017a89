"""A configuration is resolved, checked and built before anything is computed; what is wrong is told at once."""

import pytest
from omegaconf import OmegaConf

from eval.component import component
from eval.errors import InputError
from eval.gate.rules import Gate
from eval.records import Use
from runner.config.models import Terms
from runner.config.setup import Setup, prepare
from runner.config.values import as_yaml

BASE = {
    "dataset": {
        "_target_": "runner.datasets.folder.FolderDataset",
        "name": "tiny",
        "path": "docs",
        "golden": "golden.json",
    },
    "chunker": {
        "_target_": "runner.chunkers.sentence.SentenceChunker",
        "size": 200,
        "overlap": 0,
        "counter": "${budget.counter}",
    },
    "retriever": {
        "_target_": "runner.retrievers.bm25.Bm25Retriever",
        "k1": 1.5,
        "analyzer": {"_target_": "eval.text.analyzer.Analyzer", "stemmer": "english"},
    },
    "query": {"_target_": "runner.queries.none.AsAsked"},
    "reranker": {"_target_": "runner.rerankers.none.NoReranker"},
    "system": {"_target_": "runner.systems.pipeline.Pipeline"},
    "budget": {"_target_": "runner.packing.budget.TokenBudget", "tokens": 600, "counter": "o200k_base"},
    "generator": {"_target_": "runner.generators.none.NoGenerator"},
    "judge": {"_target_": "eval.judges.none.NoJudge"},
    "gate": {"_target_": "eval.gate.rules.Gate"},
    "tracking": {"_target_": "runner.tracking.nothing.NoTracking"},
    "tier": {"name": "full"},
    "name": None,
    "max_unscored": 0.0,
}


def prepared(**changes: object) -> Setup:
    config = OmegaConf.create(BASE)
    for key, value in changes.items():
        OmegaConf.update(config, key.replace("__", "."), value, force_add=True)
    return prepare(config, "a-default")


def problems(**changes: object) -> tuple[str, ...]:
    with pytest.raises(InputError) as refused:
        prepared(**changes)
    return refused.value.problems


def test_parts_are_built_and_interpolations_followed():
    setup = prepared()
    assert setup.name == "a-default"
    assert setup.config["chunker"]["counter"] == "o200k_base"
    assert setup.budget.tokens == 600
    assert setup.tier == "full"
    assert prepared(name="mine").name == "mine"


def test_everything_that_is_wrong_is_told_at_once_with_its_full_key():
    told = problems(budget__tokens=0, retriever__k1="high", chunker__overlap=-1, max_unscored=2.0)
    assert told == (
        "budget.tokens: must be greater than or equal to 1 (got 0)",
        "chunker.overlap: must be greater than or equal to 0 (got -1)",
        "retriever.k1: must be a valid number (got 'high')",
        "max_unscored: must be less than or equal to 1 (got 2.0)",
    )


def test_a_rule_between_two_values_names_both():
    (told,) = problems(chunker__overlap=300)
    assert told == "chunker.overlap must be smaller than size (got overlap 300 and size 200)"


def test_an_option_that_a_part_does_not_have_is_answered_with_those_it_has():
    (told,) = problems(retriever__analyzer__colour="red")
    assert told == "retriever.analyzer.colour is not an option here; retriever.analyzer has: stemmer, chinese"


def test_a_slip_that_two_parts_share_is_told_once():
    (told,) = problems(budget__counter="gpt")
    assert told == "budget.counter: must be one of o200k_base, cl100k_base (got 'gpt')"


def test_a_value_that_must_be_given_is_asked_for():
    assert problems(dataset__path="???") == ("dataset.path is not set and has no default: add dataset.path=…",)


def test_an_interpolation_that_leads_nowhere_is_told_with_its_key():
    (told,) = problems(name="${nope.y}")
    assert told.startswith("name: ")
    assert "nope.y" in told


def test_a_part_that_does_not_exist_is_told():
    (told,) = problems(chunker___target_="runner.chunkers.nope.Nope")
    assert told.startswith("chunker: ")
    assert "nope" in told


@component
class Lenient(Gate):
    """Rules that say one thing and do another."""

    def tolerance_of(self, metric: str) -> float:  # noqa: ARG002 – the rules' own
        """Anything goes."""
        return 1.0


def test_rules_of_ones_own_are_no_rules_of_the_gate():
    (told,) = problems(gate___target_=f"{__name__}.Lenient")
    assert told == f"gate: {__name__}.Lenient must be eval.gate.rules.Gate; choose its rules by its options"
    assert prepared(gate__tolerance=0.05).gate == Gate(tolerance=0.05)


def test_a_group_without_a_part_is_told():
    (told,) = problems(judge=None)
    assert told.startswith("judge names no part (got None)")


def test_numbers_are_not_guessed_at():
    assert problems(budget__tokens="600") == ("budget.tokens: must be a valid integer (got '600')",)
    assert problems(budget__tokens=True) == ("budget.tokens: must be a valid integer (got True)",)


def test_a_wrong_tier_is_answered_with_the_tiers():
    (told,) = problems(tier__name="fast")
    assert told == "tier.name: must be 'retrieval' or 'full' (got 'fast')"


def test_the_resolved_configuration_is_written_as_yaml_that_reads_back_the_same():
    setup = prepared()
    assert OmegaConf.to_container(OmegaConf.create(as_yaml(setup.config))) == setup.config


def test_a_value_from_the_environment_is_used_and_never_recorded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_SEPARATOR", "sk-test-123")
    setup = prepared(budget__separator="${oc.env:MY_SEPARATOR}")
    assert setup.budget.separator == "sk-test-123"
    assert setup.resolved["budget"]["separator"] == "sk-test-123"
    assert setup.config["budget"]["separator"] == "${oc.env:MY_SEPARATOR}"
    assert "sk-test-123" not in as_yaml(setup.config)


def test_a_secret_in_plain_text_is_refused_without_showing_it():
    told = problems(judge__api_key="sk-test-123")
    assert told[0].startswith("judge.api_key holds a secret in plain text")
    assert "sk-test-123" not in told[0]


@pytest.mark.parametrize("key", ["judge", "tier", "dataset", "max_unscored"])
def test_a_group_that_was_left_out_is_told(key: str):
    config = OmegaConf.create({name: value for name, value in BASE.items() if name != key})
    with pytest.raises(InputError) as refused:
        prepare(config, "a-default")
    assert all(problem.startswith(key) for problem in refused.value.problems)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("cache", "yes", "cache: must be 'on', 'off' or 'only' (got 'yes')"),
        ("max_usd", -1.0, "max_usd: must be greater than or equal to 0 (got -1.0)"),
        ("max_usd", "2", "max_usd: must be a valid number (got '2')"),
        ("deadline_s", 0.0, "deadline_s: must be greater than 0 (got 0.0)"),
        ("estimate", "true", "estimate: must be a valid boolean (got 'true')"),
        ("projection.questions", 0, "projection.questions: must be greater than or equal to 1 (got 0)"),
        ("projection.days", 7, "projection.days is not an option here; projection has: questions, runs_per_day"),
    ],
)
def test_terms_on_which_no_model_can_be_asked_are_told(key: str, value: object, told: str):
    assert problems(**{key.replace(".", "__"): value}) == (told,)


def test_terms_are_read_and_have_defaults():
    assert prepared().terms == Terms(cache="on", max_usd=None, deadline_s=None, estimate=False)
    assert prepared(cache="only", max_usd=2, estimate=True).terms == Terms("only", 2, None, estimate=True)
    assert prepared(projection__questions=200).use == Use(questions=200)
