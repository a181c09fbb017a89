"""From a foreign system's responses to chunks and rankings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.metrics.ranking import first_appearances, ndcg, reciprocal_rank
from eval.records import Chunk, Document, Unscored
from runner.records import Passage, Response
from runner.systems.pool import Pool, pool_of

D1 = Document("d1", "Parking costs five euro. See FAQ.", "Parking  fees")
D2 = Document("d2", "Leave is 25 days. See FAQ.")


def pool(*responses: tuple[Passage, ...] | Unscored) -> Pool:
    given = [each if isinstance(each, Unscored) else Response(each) for each in responses]
    return pool_of(given, [D1, D2])


def orders(pooled: Pool) -> list[list[int]]:
    return [ranking.positions.tolist() for ranking in pooled.rankings]


def test_each_distinct_passage_is_one_chunk_in_corpus_order() -> None:
    faq, leave, parking = Passage("See FAQ.", "d1"), Passage("Leave is 25 days.", "d2"), Passage("Parking costs", "d1")
    pooled = pool((leave, faq), (faq, parking))
    assert pooled.chunks == [
        Chunk("d1#0", "d1", 0, 13, "Parking costs"),
        Chunk("d1#1", "d1", 25, 33, "See FAQ."),
        Chunk("d2#0", "d2", 0, 17, "Leave is 25 days."),
    ]
    assert orders(pooled) == [[2, 1], [1, 0]]
    assert pooled.notes == ()


def test_the_same_text_from_another_document_is_another_chunk() -> None:
    pooled = pool((Passage("See FAQ.", "d2", title="two"), Passage("See FAQ.", "d1"), Passage("See FAQ.", "d2")))
    assert [(chunk.doc_id, chunk.text) for chunk in pooled.chunks] == [("d1", "See FAQ."), ("d2", "See FAQ.")]
    assert orders(pooled) == [[1, 0]]
    assert pooled.chunks[1].title == "two"  # what came first says what is shown


def test_a_passage_found_by_its_text_is_the_chunk_that_another_response_gave_with_its_id() -> None:
    pooled = pool((Passage("Leave is 25 days.", "d2"),), (Passage("Leave is 25 days."),))
    assert len(pooled.chunks) == 1
    assert orders(pooled) == [[0], [0]]


def test_a_repeat_within_a_ranking_counts_once_at_its_first_rank_and_is_told() -> None:
    a, b = Passage("Parking", "d1", score=3.0), Passage("Leave", "d2", score=2.0)
    pooled = pool((a, b), (a, Passage("Parking", "d1", score=2.5), b, a))
    assert orders(pooled) == [[0, 1], [0, 1]]
    assert pooled.rankings[1].scores.tolist() == [3.0, 2.0]
    assert pooled.notes == (
        "2 passages repeat an earlier one of the same ranking and count at the first rank only, "
        "in the questions at place 2",
    )


def test_the_systems_order_wins_and_its_scores_are_kept_where_they_agree() -> None:
    def scores(*given: float | None) -> list[float]:
        texts = ("Leave", "See", "FAQ")
        passages = tuple(Passage(text, "d2", score=score) for text, score in zip(texts, given, strict=True))
        pooled = pool(passages)
        assert [pooled.chunks[place].text for place in pooled.rankings[0].positions] == list(texts)
        return pooled.rankings[0].scores.tolist()

    assert scores(0.5, 0.5, -1.0) == [0.5, 0.5, -1.0]
    for unusable in ((0.1, 0.5, 0.4), (0.9, None, 0.1), (float("nan"), 0.2, 0.1), (float("inf"), 0.2, 0.1)):
        assert scores(*unusable) == [1.0, 1 / 2, 1 / 3]


def test_what_no_document_is_known_for_stands_last_and_keeps_its_rank() -> None:
    lost, unknown = Passage("The canteen is closed today.", score=9.0), Passage("What else there is", "d9", score=8.0)
    pooled = pool((unknown,), (lost, Passage("Leave", "d2", score=1.0), unknown))
    assert [(chunk.id, chunk.doc_id) for chunk in pooled.chunks] == [
        ("d2#0", "d2"),
        ("unmapped#0", ""),
        ("unmapped#1", ""),
    ]
    assert orders(pooled) == [[1], [2, 0, 1]]
    assert pooled.chunks[2].text == "The canteen is closed today."
    assert pooled.counts == {"by id": 1, "unknown id": 1, "not found": 1}
    assert len(pooled.notes) == 3


def test_unmapped_passages_that_name_different_documents_stay_apart() -> None:
    pooled = pool((Passage("nothing like it", "d8"), Passage("nothing like it", "d9"), Passage("nothing like it")))
    assert [chunk.doc_id for chunk in pooled.chunks] == ["", "", ""]
    assert orders(pooled) == [[0, 1, 2]]


def test_text_that_the_system_cleaned_up_stays_as_it_was_shown() -> None:
    pooled = pool((Passage("PARKING costs  five euro", "d1"),))
    assert pooled.chunks == [Chunk("d1#0", "d1", 0, 0, "PARKING costs  five euro")]


def test_a_passage_without_text_is_its_whole_document() -> None:
    pooled = pool((Passage(None, "d1"), Passage(None, "d9"), Passage(None, "d2")))
    whole, second, unknown = pooled.chunks
    assert whole == Chunk("d1#0", "d1", 0, len(D1.text), D1.text, "Parking fees")
    assert second.text == D2.text
    assert (unknown.doc_id, unknown.text) == ("", "")
    assert orders(pooled) == [[0, 2, 1]]


def test_the_systems_own_ids_are_kept_and_never_stand_for_two_chunks() -> None:
    pooled = pool((Passage("Parking", "d1", "a"), Passage("costs", "d1", "a"), Passage("Leave", "d2", "a (2)")))
    assert [chunk.id for chunk in pooled.chunks] == ["a", "a (2)", "a (2) (2)"]


def test_an_unscored_response_has_an_empty_ranking() -> None:
    pooled = pool(Unscored("time-out"), (), (Passage("Leave", "d2"),))
    assert orders(pooled) == [[], [], [0]]
    assert pooled.rankings[0].positions.dtype == np.int32
    assert pooled.rankings[0].scores.dtype == np.float64
    assert pool(Unscored("time-out")).chunks == []


def gains(listed: list[str], *documents: str | None) -> tuple[float, float]:
    """nDCG by document, and reciprocal rank, of passages that name these documents."""
    pooled = pool_of([Response(tuple(Passage(f"t{place}", name) for place, name in enumerate(documents)))], LETTERS)
    found = [pooled.chunks[place] for place in pooled.rankings[0].positions]
    owners = [(chunk.doc_id, "" if chunk.doc_id else chunk.id) for chunk in found]  # each of no document on its own
    numbers = {name: number for number, name in enumerate(dict.fromkeys(owners))}
    once = first_appearances(np.array([numbers[name] for name in owners], dtype=np.int32))
    wanted = [number for (name, _), number in numbers.items() if name in listed]
    relevant = np.array([name in listed for name, _ in owners])
    return ndcg(np.isin(once, wanted), len(listed)), reciprocal_rank(relevant)


def test_one_repeat_is_told_as_one() -> None:
    again = Passage("Leave", "d2")
    assert pool((again, again)).notes == (
        "1 passage repeats an earlier one of the same ranking and counts at the first rank only, "
        "in the questions at place 1",
    )


LETTERS = [Document(name, f"document {name}") for name in ("a", "b", "z")]


def test_a_document_given_twice_gains_once() -> None:
    assert gains(["a"], "a", "a") == (1.0, 1.0)
    assert gains(["a", "b"], "a", "a", "a")[0] == pytest.approx(0.6131, abs=5e-5)


def test_a_repeat_is_never_renamed_into_another_documents_id() -> None:
    assert gains(["a_2"], "a", "a", "z") == (0.0, 0.0)
    assert gains(["a (2)"], "a", "a", "z") == (0.0, 0.0)


def test_a_passage_of_no_document_never_counts_as_the_answer() -> None:
    assert gains([], None, "a") == (0.0, 0.0)
    assert gains(["a"], None, None, "a") == (0.5, pytest.approx(1 / 3))


PASSAGES = st.builds(
    Passage,
    st.sampled_from(["Parking", "costs five", "See FAQ.", "25 days", "elsewhere", "", None]),
    st.sampled_from(["d1", "d2", "d9", None]),
    st.sampled_from(["a", "b", None]),
    st.sampled_from(["", "t"]),
    st.sampled_from([None, 0.5, 0.1, float("nan")]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(PASSAGES, max_size=5).map(tuple), max_size=4))
def test_no_passage_is_lost_and_every_ranking_is_one(given: list[tuple[Passage, ...]]) -> None:
    pooled = pool(*given)
    documents = {"d1": D1, "d2": D2}
    numbers = [("d1", "d2", "").index(chunk.doc_id) for chunk in pooled.chunks]
    assert numbers == sorted(numbers)
    assert len({chunk.id for chunk in pooled.chunks}) == len(pooled.chunks)
    for passages, ranking in zip(given, pooled.rankings, strict=True):
        assert len(set(ranking.positions.tolist())) == len(ranking.positions) <= len(passages)
        assert (np.diff(ranking.scores) <= 0).all()
        shown = {pooled.chunks[place].text for place in ranking.positions}
        assert shown >= {each.text for each in passages if each.text is not None}
    for chunk in pooled.chunks:
        if chunk.end:
            assert documents[chunk.doc_id].text[chunk.start : chunk.end] == chunk.text
