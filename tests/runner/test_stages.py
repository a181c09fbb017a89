"""The way of the data on a tiny corpus: what is recorded, and what a change of one part makes anew."""

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from eval.component import component
from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.metrics.measures import measure as means_of
from eval.records import Judgement, QuestionRecord, RunRecord, Statement
from runner.config.setup import prepare
from runner.memo import Memo
from runner.stages import measure

DOCUMENTS = {
    "a_2": "Parking is free.",
    "a": "Parking costs five euro.",
    "b": "Leave is thirty days.",
    "blank": " \n\u200b",
}


@component
class CountingJudge:
    """A judge that says how it was set up; ``calls`` counts across instances."""

    relevancy: float = 0.5

    def judge(self, question: str, context: str, answer: str) -> Judgement:  # noqa: ARG002 – the Protocol's
        """One supported statement."""
        return Judgement(refused=False, statements=(Statement(answer, "supported"),), relevancy=self.relevancy)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., RunRecord]:
    """Measure a tiny handbook; settings are changed by dotted key, runs share a memo."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in DOCUMENTS.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    questions: list[dict[str, Any]] = [
        {"id": "q1", "question": "parking", "answerDocIds": ["a"], "type": "single"},
        {"id": "q2", "question": "zebra", "answerDocIds": ["b"], "type": "single"},
        {"id": "q3", "question": "cinema parking", "answerDocIds": [], "type": "none"},
    ]
    (tmp_path / "golden.json").write_text(json.dumps(questions), encoding="utf-8")
    base = {
        "dataset": {
            "_target_": "runner.datasets.folder.FolderDataset",
            "name": "tiny",
            "path": str(docs),
            "golden": str(tmp_path / "golden.json"),
        },
        "chunker": {"_target_": "runner.chunkers.sentence.SentenceChunker", "size": 50},
        "retriever": {"_target_": "runner.retrievers.bm25.Bm25Retriever"},
        "budget": {"_target_": "runner.packing.budget.TokenBudget", "tokens": 100},
        "generator": {"_target_": "runner.generators.extractive.ExtractiveGenerator"},
        "judge": {"_target_": f"{__name__}.CountingJudge"},
        "gate": {"_target_": "eval.gate.rules.Gate"},
        "tracking": {"_target_": "runner.tracking.nothing.NoTracking"},
        "tier": {"name": "full"},
        "name": None,
        "max_unscored": 0.0,
    }
    memo = Memo()

    def measured(**changes: object) -> RunRecord:
        config = OmegaConf.create(base)
        for key, value in changes.items():
            OmegaConf.update(config, key.replace("__", "."), value, force_add=True)
        return measure(prepare(config, "a-run"), memo)

    return measured


def by_id(record: RunRecord, question: str) -> QuestionRecord:
    return next(item for item in record.records if item.question.id == question)


def values(record: RunRecord, metric: str) -> float | None:
    return means_of(record.records)[metric].value


def test_a_document_is_not_mistaken_for_one_whose_id_begins_like_it(run: Callable[..., RunRecord]):
    found = by_id(run(), "q1")
    assert [line.doc_id for line in found.ranked] == ["a_2", "a"]  # the shorter one first
    assert found.reciprocal_rank == 0.5


def test_a_question_without_any_known_word_gets_no_context_and_a_refusal(run: Callable[..., RunRecord]):
    found = by_id(run(), "q2")
    assert (found.ranked, found.context, found.context_tokens) == ((), (), 0)
    assert found.reciprocal_rank == 0.0
    assert found.lost_at[0].stage == "not_ranked"
    assert found.answer == "The documents do not answer this question."


def test_blank_documents_are_skipped_counted_and_never_returned(run: Callable[..., RunRecord]):
    found = run()
    assert found.counts["documents"] == 4
    assert found.counts["chunks"] == 3
    assert found.dataset.notes == ("1 blank document gives no chunks: blank",)
    assert all(line.doc_id != "blank" for item in found.records for line in item.ranked)


def test_another_judge_judges_anew_and_nothing_else_is_done_again(run: Callable[..., RunRecord]):
    assert values(run(), "answer_relevancy") == 0.5
    again = run(judge__relevancy=0.25)
    assert values(again, "answer_relevancy") == 0.25
    assert {times.stage: times.reused for times in again.times} == {
        **dict.fromkeys(["load", "chunk", "count", "index", "rank", "pack", "answer"], True),
        "judge": False,
        "probe": False,
    }


def test_another_counter_counts_anew_and_keeps_the_rankings(run: Callable[..., RunRecord]):
    run()
    again = run(budget__counter="cl100k_base")
    reused = {times.stage: times.reused for times in again.times}
    assert (reused["rank"], reused["count"], reused["pack"]) == (True, False, False)


def test_other_chunks_are_ranked_anew(run: Callable[..., RunRecord]):
    first, again = run(), run(chunker__size=3)
    assert again.counts["chunks"] > first.counts["chunks"]
    assert {times.stage: times.reused for times in again.times}["rank"] is False


def test_an_edited_document_is_seen_by_the_next_command(run: Callable[..., RunRecord], tmp_path: Path):
    before = run()
    (tmp_path / "docs" / "b.md").write_text("A zebra crossing.", encoding="utf-8")
    after = run(dataset__path=str(tmp_path / "." / "docs") + "/")  # what another process would read
    assert by_id(after, "q2").hit is True
    assert before.fingerprints["corpus"] != after.fingerprints["corpus"]
    assert before.fingerprints["golden_set"] == after.fingerprints["golden_set"]


def test_every_part_that_decides_a_value_is_in_the_fingerprint_of_the_configuration(run: Callable[..., RunRecord]):
    prints = [run().fingerprints]
    changes = {
        "judge__relevancy": 0.1,
        "chunker__size": 40,
        "budget__tokens": 90,
        "retriever__k1": 1.2,
        "tier__name": "retrieval",
    }
    prints += [run(**{key: value}).fingerprints for key, value in changes.items()]
    assert len({found["config"] for found in prints}) == len(prints)
    assert run(name="renamed").fingerprints == prints[0]


OWN_JUDGE = """
from eval.component import component
from eval.judges.lexical import LexicalJudge

{base}

@component
class Judge({inherits}):
    patience: int = 1
"""


def write_judge(folder: Path, name: str, base: str = "", inherits: str = "LexicalJudge") -> str:
    (folder / f"{name}.py").write_text(OWN_JUDGE.format(base=base, inherits=inherits), encoding="utf-8")
    return f"{name}.Judge"


def test_the_source_of_a_judge_of_ones_own_is_in_its_fingerprint(
    run: Callable[..., RunRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(str(tmp_path))
    target = write_judge(tmp_path, "edited_judge")
    before = run(judge={"_target_": target}).fingerprints
    assert run(judge={"_target_": target}).fingerprints == before
    write_judge(tmp_path, "edited_judge", base="STRICT = True  # never mind the rest")
    importlib.reload(sys.modules["edited_judge"])  # as the next command imports it
    after = run(judge={"_target_": target}).fingerprints
    assert after["judge"] != before["judge"]
    assert (after["config"], after["corpus"]) == (before["config"], before["corpus"])


def test_what_a_judge_inherits_and_the_parts_in_it_count_as_its_source(
    run: Callable[..., RunRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(str(tmp_path))
    write_judge(tmp_path, "parent_judge")
    inherits = "from parent_judge import Judge as Parent"
    target = write_judge(tmp_path, "child_judge", base=inherits, inherits="Parent")
    wrapper = "from typing import Any\n@component\nclass Holder(CountingJudge):\n    inner: Any = None\n"
    (tmp_path / "holding_judge.py").write_text(
        f"from eval.component import component\nfrom {__name__} import CountingJudge\n{wrapper}", encoding="utf-8"
    )
    judges = [{"_target_": target}, {"_target_": "holding_judge.Holder", "inner": [{"_target_": target}]}]
    before = [run(judge=judge).fingerprints["judge"] for judge in judges]
    with (tmp_path / "parent_judge.py").open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    after = [run(judge=judge).fingerprints["judge"] for judge in judges]
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_a_shipped_judge_has_the_fingerprint_of_its_settings(run: Callable[..., RunRecord]):
    settings = {"_target_": "eval.judges.lexical.LexicalJudge", "min_overlap": 0.5}
    found = run(judge=settings)
    assert found.fingerprints["judge"] == fingerprint(found.config["judge"])


def test_context_tokens_are_counted_over_all_questions(run: Callable[..., RunRecord]):
    found = run()
    assert found.counts["context_tokens"] == sum(item.context_tokens for item in found.records) > 0


def test_text_that_looks_like_an_interpolation_is_written_with_a_backslash(run: Callable[..., RunRecord]):
    with pytest.raises(InputError, match=r"budget\.separator: .*amount.*\\\$"):
        run(budget__separator="cost ${amount}")
    assert run(budget__separator="cost \\${amount}").config["budget"]["separator"] == "cost ${amount}"
