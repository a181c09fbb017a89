"""The way of the data on a tiny corpus: what is recorded, and what a change of one part makes anew."""

import importlib
import sys
from pathlib import Path

import pytest

from eval.errors import InputError
from eval.fingerprints import fingerprint
from tests.runner.tiny_run import Measured, by_id, tiny_runs, values


@pytest.fixture
def run(tmp_path: Path) -> Measured:
    return tiny_runs(tmp_path)


def test_a_document_is_not_mistaken_for_one_whose_id_begins_like_it(run: Measured):
    found = by_id(run(), "q1")
    assert [line.doc_id for line in found.ranked] == ["a_2", "a"]  # the shorter one first
    assert found.reciprocal_rank == 0.5


def test_a_question_without_any_known_word_gets_no_context_and_a_refusal(run: Measured):
    found = by_id(run(), "q2")
    assert (found.ranked, found.context, found.context_tokens) == ((), (), 0)
    assert found.reciprocal_rank == 0.0
    assert found.lost_at[0].stage == "not_ranked"
    assert found.answer == "The documents do not answer this question."


def test_blank_documents_are_skipped_counted_and_never_returned(run: Measured):
    found = run()
    assert found.counts["documents"] == 4
    assert found.counts["chunks"] == 3
    assert found.dataset.notes == ("1 blank document gives no chunks: blank",)
    assert all(line.doc_id != "blank" for item in found.records for line in item.ranked)


def test_another_judge_judges_anew_and_nothing_else_is_done_again(run: Measured):
    assert values(run(), "answer_relevancy") == 0.5
    again = run(judge__relevancy=0.25)
    assert values(again, "answer_relevancy") == 0.25
    assert {times.stage: times.reused for times in again.times} == {
        **dict.fromkeys(["load", "chunk", "count", "index", "rank", "pack", "answer"], True),
        "judge": False,
        "probe": False,
    }


def test_another_counter_counts_anew_and_keeps_the_rankings(run: Measured):
    run()
    again = run(budget__counter="cl100k_base")
    reused = {times.stage: times.reused for times in again.times}
    assert (reused["rank"], reused["count"], reused["pack"]) == (True, False, False)


def test_other_chunks_are_ranked_anew(run: Measured):
    first, again = run(), run(chunker__size=3)
    assert again.counts["chunks"] > first.counts["chunks"]
    assert {times.stage: times.reused for times in again.times}["rank"] is False


def test_an_edited_document_is_seen_by_the_next_command(run: Measured, tmp_path: Path):
    before = run()
    (tmp_path / "docs" / "b.md").write_text("A zebra crossing.", encoding="utf-8")
    after = run(dataset__path=str(tmp_path / "." / "docs") + "/")  # what another process would read
    assert by_id(after, "q2").hit is True
    assert before.fingerprints["corpus"] != after.fingerprints["corpus"]
    assert before.fingerprints["golden_set"] == after.fingerprints["golden_set"]


def test_every_part_that_decides_a_value_is_in_the_fingerprint_of_the_configuration(run: Measured):
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
    run: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    run: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(str(tmp_path))
    write_judge(tmp_path, "parent_judge")
    inherits = "from parent_judge import Judge as Parent"
    target = write_judge(tmp_path, "child_judge", base=inherits, inherits="Parent")
    wrapper = "from typing import Any\n@component\nclass Holder(CountingJudge):\n    inner: Any = None\n"
    (tmp_path / "holding_judge.py").write_text(
        f"from eval.component import component\nfrom tests.runner.tiny_run import CountingJudge\n{wrapper}",
        encoding="utf-8",
    )
    judges = [{"_target_": target}, {"_target_": "holding_judge.Holder", "inner": [{"_target_": target}]}]
    before = [run(judge=judge).fingerprints["judge"] for judge in judges]
    with (tmp_path / "parent_judge.py").open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    after = [run(judge=judge).fingerprints["judge"] for judge in judges]
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_a_shipped_judge_has_the_fingerprint_of_its_settings(run: Measured):
    settings = {"_target_": "eval.judges.lexical.LexicalJudge", "min_overlap": 0.5}
    found = run(judge=settings)
    assert found.fingerprints["judge"] == fingerprint(found.config["judge"])


def test_context_tokens_are_counted_over_all_questions(run: Measured):
    found = run()
    assert found.counts["context_tokens"] == sum(item.context_tokens for item in found.records) > 0


def test_text_that_looks_like_an_interpolation_is_written_with_a_backslash(run: Measured):
    with pytest.raises(InputError, match=r"budget\.separator: .*amount.*\\\$"):
        run(budget__separator="cost ${amount}")
    assert run(budget__separator="cost \\${amount}").config["budget"]["separator"] == "cost ${amount}"
