"""Retrieval part by part: queries, rerankers, what is kept on disk, and what a failed call does to a question."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from eval.chat.messages import Call
from eval.component import component
from eval.errors import EvalfirstError
from eval.metrics.measures import measure as means_of
from eval.metrics.measures import recall_by_budget
from eval.records import Chunk, Ranking, Unscored
from eval.report.build import build_report
from eval.report.markdown import render_markdown
from runner.config.setup import Resources
from runner.packing.budget import TokenBudget
from runner.protocols import Index, Search
from runner.records import Query, Reranked
from runner.stages.reordering import reordered
from runner.work_cache.store import WorkCache
from tests.runner.tiny_run import Measured, by_id, tiny_runs

HERE = __name__
CALL = Call("m", 10, 1, 0.5, 3.0)


@component
class ByLength:
    """A reranker that likes long chunks; it fails where the question holds ``fails_at``."""

    depth: int = 2
    fails_at: str = "\0"

    def score(self, question: str, chunks: Sequence[Chunk]) -> Reranked | Unscored:
        if self.fails_at in question:
            return Unscored("timeout", calls=(CALL,))
        return Reranked(np.array([float(len(chunk.text)) for chunk in chunks]), (CALL,))


@component
class Replaced:
    """Searches for ``text`` in each question's place; fails where that is blank."""

    text: str = "leave"

    def make(self, question: str, search: Search) -> Query | Unscored:  # noqa: ARG002 – the Protocol's
        return Query(self.text, (CALL,)) if self.text else Unscored("rate limited", calls=(CALL,))


@component
class BestChunk:
    """Searches for what the best chunk says."""

    def make(self, question: str, search: Search) -> Query:
        found = search(question, 1)
        return Query(found[0].text if found else question)


@component
class Unbuildable:
    """A retriever of somebody's own that can't be built twice in a process."""

    word: str = "once"

    def build(self, chunks: Sequence[Chunk]) -> Index:  # noqa: ARG002 – the Protocol's
        BUILT.append(self.word)
        return Nothing()


class Nothing:
    def rank(self, query: str) -> Ranking:  # noqa: ARG002 – the Protocol's
        return Ranking(np.array([0], np.int32), np.array([1.0]))


BUILT: list[str] = []


@pytest.fixture
def run(tmp_path: Path) -> Measured:
    return tiny_runs(tmp_path)


def reused(record: object) -> dict[str, bool]:
    return {times.stage: times.reused for times in record.times}  # type: ignore[attr-defined]


def test_a_reranker_puts_the_head_in_its_order_and_is_billed_per_question(run: Measured):
    assert [line.doc_id for line in by_id(run(), "q1").ranked] == ["a_2", "a"]
    found = run(reranker={"_target_": f"{HERE}.ByLength"})
    asked = by_id(found, "q1")
    assert [line.doc_id for line in asked.ranked] == ["a", "a_2"]
    assert asked.reciprocal_rank == 1.0
    assert asked.retrieval_calls == {"rerank": (CALL,)}
    bills = build_report(found, "r").data["bills"]
    assert [(each["stage"], each["calls"], each["usd_paid"]) for each in bills["models"]] == [("rerank", 3, 1.5)]


def test_a_reranker_of_depth_0_is_not_asked(run: Measured):
    found = run(reranker={"_target_": f"{HERE}.ByLength", "depth": 0})
    assert by_id(found, "q1").retrieval_calls == {}
    assert "rerank" not in reused(found)


def test_a_call_that_failed_leaves_its_question_unscored_and_the_others_stand(run: Measured):
    found = run(reranker={"_target_": f"{HERE}.ByLength", "fails_at": "zebra"})
    failed = by_id(found, "q2")
    assert failed.unretrieved is not None
    assert failed.unretrieved.reason == "timeout"
    means = means_of(found.records)
    for name in ("recall", "mrr", "ndcg_at_10", "doc_ndcg_at_10", "recall_single"):
        assert (means[name].attempted, means[name].scored) == (2, 1), name
        assert means[name].unscored == {"timeout": 1}
        assert means[name].value == 1.0
    assert means["faithfulness"].unscored == {"no answer: timeout": 1}
    assert recall_by_budget(found.records) == {100: 1.0}
    report = build_report(found, "r")
    assert report.incomplete is not None
    assert "timeout" in report.incomplete
    assert "q2 “zebra” – timeout" in render_markdown(found, report)
    assert report.data["bills"]["usd"]["paid"] == 1.5  # the failed call, too


def test_a_query_takes_the_question_s_place(run: Measured):
    found = run(query={"_target_": f"{HERE}.Replaced"})
    assert [line.doc_id for line in by_id(found, "q2").ranked] == ["b"]
    assert by_id(found, "q2").retrieval_calls == {"query": (CALL,)}
    assert by_id(found, "q2").question.text == "zebra"


def test_a_query_that_could_not_be_made_leaves_every_value_unscored(run: Measured):
    found = run(query={"_target_": f"{HERE}.Replaced", "text": ""})
    means = means_of(found.records)
    assert means["recall"].unscored == {"rate limited": 2}
    assert means["refusal_rate"].unscored == {"no answer: rate limited": 1}
    assert recall_by_budget(found.records) == {}
    again = run(query={"_target_": f"{HERE}.Replaced", "text": ""})
    assert reused(again)["query"] is False  # what failed is tried again


def test_a_query_may_look_at_what_the_retriever_finds(run: Measured):
    found = run(query={"_target_": f"{HERE}.BestChunk"})
    # "Parking is free." shares a word with every document; for an unknown word nothing is found, and it stays
    assert [line.doc_id for line in by_id(found, "q1").ranked] == ["a_2", "a", "b"]
    assert by_id(found, "q2").ranked == ()


def test_query_and_reranker_are_part_of_the_configuration_s_fingerprint(run: Measured):
    prints = [
        run().fingerprints["config"],
        run(query={"_target_": f"{HERE}.BestChunk"}).fingerprints["config"],
        run(reranker={"_target_": f"{HERE}.ByLength"}).fingerprints["config"],
    ]
    assert len(set(prints)) == 3


def kept(folder: Path) -> Measured:
    """Runs of another process, which share nothing with earlier ones but the disk."""
    return tiny_runs(folder, Resources(work=WorkCache(folder / "work")))


def test_another_process_ranks_nothing_twice_and_reports_the_same(tmp_path: Path):
    first = kept(tmp_path)()
    again = kept(tmp_path)()
    assert {stage: was for stage, was in reused(again).items() if was} == dict.fromkeys(
        ["chunk", "count", "index", "rank", "pack", "answer"],
        True,  # not the judge, which is the tests' own
    )
    assert build_report(again, "r").data["questions"] == build_report(first, "r").data["questions"]
    assert again.fingerprints == first.fingerprints


def test_an_edited_document_or_another_setting_is_never_served_from_disk(tmp_path: Path):
    kept(tmp_path)()
    (tmp_path / "docs" / "b.md").write_text("A zebra crossing.", encoding="utf-8")
    edited = tiny_runs(tmp_path, Resources(work=WorkCache(tmp_path / "work")))
    (tmp_path / "docs" / "b.md").write_text("A zebra crossing.", encoding="utf-8")  # tiny_runs wrote it anew
    assert by_id(edited(), "q2").hit is True
    found = kept(tmp_path)(chunker__size=3)
    assert not any(reused(found).values())


def test_with_cache_off_nothing_is_read_or_written(tmp_path: Path):
    kept(tmp_path)(cache="off")
    assert not (tmp_path / "work").exists()


def test_a_damaged_file_is_told_and_done_again(tmp_path: Path):
    first = kept(tmp_path)()
    for path in (tmp_path / "work").glob("*/*.npz"):
        path.write_bytes(path.read_bytes()[:-30])
    again = kept(tmp_path)()
    assert any("damaged" in note for note in again.notes)
    assert build_report(again, "r").data["metrics"] == build_report(first, "r").data["metrics"]


def test_the_work_of_a_part_of_ones_own_is_not_kept_as_its_source_may_change(tmp_path: Path):
    BUILT.clear()
    for _ in range(2):
        kept(tmp_path)(retriever={"_target_": f"{HERE}.Unbuildable"})
    assert BUILT == ["once", "once"]
    assert not list((tmp_path / "work").glob("rank/*"))


@component
class Double(TokenBudget):
    """A budget of somebody's own that counts twice the tokens."""

    def sizes(self, chunks: Sequence[Chunk]) -> np.ndarray:
        return 2 * TokenBudget.sizes(self, chunks)


@pytest.mark.parametrize("first", [True, False])
def test_a_budget_of_ones_own_and_the_shipped_one_leave_each_other_alone(tmp_path: Path, first: bool):
    own = {"_target_": f"{HERE}.Double", "tokens": 100, "policy": "stop"}
    runs, other = kept(tmp_path), kept(tmp_path)
    found = {}
    for mine in (first, not first):
        found[mine] = runs(**({"budget": own} if mine else {})).counts["chunk_tokens"]
    assert found[True] == 2 * found[False]
    assert other().counts["chunk_tokens"] == found[False]


def test_a_reordered_ranking_keeps_every_chunk_and_scores_never_increase():
    ranking = Ranking(np.array([7, 3, 9, 1], np.int32), np.array([4.0, 3.0, 2.0, 1.0]))
    found = reordered(ranking, np.array([0.1, 0.9, 0.1]))
    assert found.positions.tolist() == [3, 7, 9, 1]  # equal ones as they stood
    assert found.scores.tolist() == [0.9, 0.1, 0.1, -0.9]


@pytest.mark.parametrize("scores", [[np.nan], [np.inf], [1.0] * 5])
def test_scores_that_are_none_are_refused(scores: list[float]):
    ranking = Ranking(np.array([7, 3, 9, 1], np.int32), np.array([4.0, 3.0, 2.0, 1.0]))
    with pytest.raises(EvalfirstError, match="the reranker gave"):
        reordered(ranking, np.array(scores))
