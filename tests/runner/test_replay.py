"""Recorded outputs: JSON lines in the shapes that people have, and TREC run files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hydra.utils import instantiate
from omegaconf import OmegaConf

from eval.errors import InputError
from eval.metrics.ranking import reciprocal_rank
from eval.records import Document, Question, Unscored
from runner.records import Passage, Response
from runner.systems.pool import pool_of
from runner.systems.replay import Replay

ROOT = Path(__file__).parents[2]
Q1 = Question("q1", "What does parking cost?", "single", ("d1",))
Q2 = Question("q2", "How long is leave?", "single", ("d2",))
Q3 = Question("q3", "Who pays?", "none")


def lines(folder: Path, *rows: dict[str, Any] | str, **options: Any) -> Replay:
    path = folder / "outputs.jsonl"
    texts = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(texts), encoding="utf-8")
    return Replay(str(path), **options)


def run(folder: Path, text: str, name: str = "my.run", **options: Any) -> Replay:
    (folder / name).write_text(text, encoding="utf-8")
    return Replay(str(folder / name), **options)


def problems(folder: Path, *rows: dict[str, Any] | str, **options: Any) -> list[str]:
    with pytest.raises(InputError) as raised:
        lines(folder, *rows, **options)
    return [problem.removeprefix(f"{folder}/") for problem in raised.value.problems]


def test_contexts_are_texts_or_objects(tmp_path: Path) -> None:
    full = {"text": "b", "doc_id": "d1", "id": "c7", "title": "T", "score": 0.5}
    nested = {"page_content": "c", "metadata": {"source": "d2", "title": "U"}}
    replay = lines(tmp_path, {"question_id": "q1", "contexts": ["a", full, nested, {"doc_id": 7}], "answer": "five"})
    assert replay.answers
    assert replay.respond(Q1) == Response(
        (Passage("a"), Passage("b", "d1", "c7", "T", 0.5), Passage("c", "d2", title="U"), Passage(None, "7")), "five"
    )


def test_a_line_without_an_id_names_its_question_by_the_text(tmp_path: Path) -> None:
    replay = lines(
        tmp_path,
        {"user_input": "What  does\nparking cost?", "retrieved_contexts": ["a"], "response": "five"},
        {"qid": "q2", "passages": [], "output": "long"},
    )
    assert replay.respond(Q1) == Response((Passage("a"),), "five")
    assert replay.respond(Q2) == Response((), "long")


def test_own_key_names_are_options(tmp_path: Path) -> None:
    row = {"nr": 1, "id": "other", "hits": [{"text": "a", "file": "d1", "doc_id": "x"}], "said": "five"}
    options = {"id_key": "nr", "contexts_key": "hits", "answer_key": "said", "doc_id_key": "file"}
    replay = lines(tmp_path, row, **options)
    assert replay.respond(Question("1", "?", "none")) == Response((Passage("a", "d1"),), "five")


def test_every_bad_line_is_told_with_its_place(tmp_path: Path) -> None:
    assert problems(
        tmp_path,
        {"question_id": "q1", "contexts": ["a"]},
        "",
        '{"question_id": "q2", "contexts": ["a"]},',
        "[]",
        {"contexts": []},
        {"question_id": "q3", "answer": "five"},
        {"question_id": "q4", "contexts": "a"},
        {"question_id": "q5", "contexts": ["a", 7]},
        {"question_id": "q6", "contexts": [{"title": "T"}]},
        {"question_id": "q7", "contexts": [], "answer": ["five"]},
        '{"question_id": "q8", "question_id": "q9", "contexts": []}',
    ) == [
        "outputs.jsonl:3: column 41 begins something after the object; a line holds one object and no comma",
        "outputs.jsonl:4: must be an object in {} (got a list)",
        "outputs.jsonl:11: key 'question_id' stands twice in one object; keep one",
        "outputs.jsonl:5: names no question: it has none of the keys question_id, id, qid, query_id, _id, question, "
        "user_input, query, input",
        "outputs.jsonl:6: has none of the keys contexts, passages, retrieved_contexts, context, documents, "
        "source_documents, source_nodes; [] says that nothing was found",
        "outputs.jsonl:7: its contexts: must be a list of passages (got str 'a')",
        "outputs.jsonl:8: its contexts: [1] must be text or an object with text or a document's id (got int 7)",
        "outputs.jsonl:9: its contexts: [0] has neither a text (text, page_content, content) nor a document's id "
        "(doc_id, document_id, source, ref_doc_id)",
        "outputs.jsonl:10: answer or response or output or result must be text (got ['five'])",
    ]


def test_a_question_recorded_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    twice = {"question": "Who  pays?", "contexts": []}
    named = {"question_id": "q1", "contexts": []}
    assert problems(tmp_path, named, twice, named, {**twice, "question": "Who pays?"}) == [
        f"outputs.jsonl:3: id 'q1' is taken by {tmp_path}/outputs.jsonl:1; give each its own",
        f"outputs.jsonl:4: the question stands at {tmp_path}/outputs.jsonl:2 too; keep one, or give both ids",
    ]


def test_a_file_with_nothing_or_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert problems(tmp_path, "") == ["outputs.jsonl: holds no recorded output"]
    with pytest.raises(InputError, match="cannot be read"):
        Replay(str(tmp_path / "absent.jsonl"))


def test_a_question_without_a_line_is_unscored_and_one_without_an_answer_keeps_its_contexts(tmp_path: Path) -> None:
    replay = lines(tmp_path, {"id": "q1", "contexts": ["a"], "answer": "five"}, {"id": "q2", "contexts": ["b"]})
    assert replay.respond(Q2) == Response((Passage("b"),))
    assert replay.respond(Q3) == Unscored("no recorded output")


def test_without_any_answer_the_contexts_count_alone(tmp_path: Path) -> None:
    replay = lines(tmp_path, {"id": "q1", "contexts": ["a"]}, {"id": "q2", "contexts": [], "answer": None})
    assert not replay.answers
    assert replay.respond(Q2) == Response(())


@pytest.mark.parametrize(
    ("error", "message"),
    [("boom", "boom"), ({"message": "boom", "code": 5}, "boom"), (["boom"], "['boom']"), (True, "True")],
)
def test_a_line_that_holds_an_error_is_unscored_with_it_and_needs_nothing_else(
    tmp_path: Path, error: Any, message: str
) -> None:
    full = {"id": "q2", "contexts": ["a"], "answer": "five", "error": error}
    replay = lines(tmp_path, {"id": "q1", "error": error}, full, {"id": "q3", "contexts": [], "answer": "no"})
    failed = Unscored(f"the recorded output is an error: {message}")
    assert [replay.respond(question) for question in (Q1, Q2)] == [failed, failed]
    assert replay.answers
    own = lines(tmp_path, {"id": "q1", "contexts": ["a"], "error": 0.5, "failed": ""}, error_key="failed")
    assert own.respond(Q1) == Response((Passage("a"),))


@pytest.mark.parametrize("nothing", [None, "", False, 0, [], {}])
def test_an_error_that_is_empty_is_none(tmp_path: Path, nothing: Any) -> None:
    assert lines(tmp_path, {"id": "q1", "contexts": [], "error": nothing}).respond(Q1) == Response(())


def test_half_a_character_costs_nothing_but_itself(tmp_path: Path) -> None:
    row = r'{"id": "q1", "contexts": ["cut \ud83c \\ud83c \ud83c\udf89"], "answer": "a\u0000b \\u0000 \udf89"}'
    assert lines(tmp_path, row).respond(Q1) == Response((Passage("cut \ufffd \\ud83c 🎉"),), "a b \\u0000 \ufffd")


@pytest.mark.parametrize("score", ["high", True, [1]])
def test_a_score_that_is_no_number_is_told_with_its_line(tmp_path: Path, score: Any) -> None:
    (problem,) = problems(tmp_path, {"id": "q1", "contexts": [{"text": "a", "score": score}]})
    assert problem.startswith("outputs.jsonl:1: its contexts: [0] score must be a finite number (got ")


def test_a_number_beyond_reason_is_told_with_its_line(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, f'{{"id": "q1", "contexts": [{{"text": "a", "score": 1{"0" * 400}}}]}}')
    assert "score must be a finite number (got int 1000" in problem


def test_one_list_of_all_outputs_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, "[", '{"id": "q1", "contexts": []}', "]")
    assert problem == "outputs.jsonl: is one list; write JSON lines, one object per line, as jq -c '.[]' does"


def test_a_key_that_is_found_nowhere_is_told(tmp_path: Path) -> None:
    row = {"id": "q1", "contexts": [{"text": "a", "doc": "d1"}], "said": "five"}
    wrong = lines(tmp_path, row, answer_key="sad", doc_id_key="docs")
    told = "no recorded output has an answer under 'sad' (system.answer_key); is it the right name?"
    assert wrong.ready([Q1]) == (told,)
    assert wrong.review([wrong.respond(Q1)]) == ("no passage has a 'docs' (system.doc_id_key); is it the right name?",)
    right = lines(tmp_path, row, answer_key="said", doc_id_key="doc")
    assert (right.ready([Q1]), right.review([right.respond(Q1)])) == ((), ())


def test_what_does_not_fit_the_golden_set_is_told(tmp_path: Path) -> None:
    replay = lines(
        tmp_path,
        {"id": "q1", "question": "What did parking cost?", "contexts": []},
        {"id": "q8", "contexts": []},
        {"question": "What else?", "contexts": []},
    )
    assert replay.ready([Q1, Q2, Q3]) == (
        "2 recorded outputs are for questions that the golden set does not hold: q8, What else?",
        "2 questions have no recorded output and stay unscored: q2, q3",
        "1 recorded output has the id of a question and another wording of it: q1",
    )
    assert lines(tmp_path, {"id": "q1", "contexts": []}).ready([Q1]) == ()


def test_a_recording_of_other_questions_altogether_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"records none of the questions \(q1, q2, …\) but q8, …"):
        lines(tmp_path, {"id": "q8", "contexts": []}).ready([Q1, Q2])


def test_another_content_is_another_version(tmp_path: Path) -> None:
    first = lines(tmp_path, {"id": "q1", "contexts": []})
    assert first.identity == Replay(first.path).identity
    version = first.identity
    assert lines(tmp_path, {"id": "q1", "contexts": ["a"]}).identity != version


def test_the_rank_column_of_a_run_orders_it_and_equal_ranks_go_by_score(tmp_path: Path) -> None:
    text = "q1 Q0 d3 2 9.5 me\nq1\tQ0\td1\t1\t3.0\tme\n\nq2 Q0 d5 0 1 me\nq2 Q0 d4 0 2 me\nq2 Q0 d6 0 1e0 me\n"
    replay = run(tmp_path, text)
    assert not replay.answers
    assert replay.respond(Q1) == Response((Passage(None, "d1", score=3.0), Passage(None, "d3", score=9.5)))
    assert [each.doc_id for each in replay.respond(Q2).passages] == ["d4", "d5", "d6"]
    assert replay.ready([Q1, Q2]) == ("1 query has scores that rise along their ranks; the ranks count: q1",)


def test_equal_scores_of_a_run_stay_in_rank_order(tmp_path: Path) -> None:
    """The third of three with one score is at rank 3, whatever its name."""
    replay = run(tmp_path, "q1 Q0 d2 1 1 me\nq1 Q0 d3 2 1 me\nq1 Q0 d1 3 1 me\n")
    documents = [Document(f"d{number}", f"text {number}") for number in (1, 2, 3)]
    pooled = pool_of([replay.respond(Q1)], documents)
    relevant = np.array([pooled.chunks[place].doc_id == "d1" for place in pooled.rankings[0].positions])
    assert reciprocal_rank(relevant) == pytest.approx(1 / 3)


def test_a_query_that_a_run_leaves_out_found_nothing(tmp_path: Path) -> None:
    replay = run(tmp_path, "q1 Q0 d1 1 1 me\n")
    assert replay.respond(Q2) == Response(())
    assert replay.ready([Q1, Q2]) == ("1 question has no recorded output and counts as having found nothing: q2",)


def test_every_bad_line_of_a_run_is_told(tmp_path: Path) -> None:
    wrong = ["d1 2 1 me", "d2 3 1", "d3 x 1 me", "d4 1.5 1 me", "d5 4 nan me", "d6 5 ? me"]
    text = "\n".join(f"q1 Q0 {columns}" for columns in ["d1 1 1 me", *wrong])
    with pytest.raises(InputError) as raised:
        run(tmp_path, text)
    assert [problem.removeprefix(f"{tmp_path}/") for problem in raised.value.problems] == [
        "my.run:3: must have the 6 columns qid Q0 docid rank score tag (got 5)",
        "my.run:4: rank must be a whole number (got 'x')",
        "my.run:5: rank must be a whole number (got '1.5')",
        "my.run:6: score must be finite (got 'nan')",
        "my.run:7: score must be a number (got '?')",
        f"my.run:2: query 'q1' lists document 'd1' at {tmp_path}/my.run:1 too; keep one",
    ]


@pytest.mark.parametrize(("name", "options"), [("a.txt", {}), ("a.TREC", {}), ("a.out", {"format": "trec"})])
def test_a_run_is_known_by_its_suffix_or_the_option(tmp_path: Path, name: str, options: dict[str, str]) -> None:
    assert run(tmp_path, "q1 Q0 d1 1 1 me\n", name, **options).respond(Q1) == Response(
        (Passage(None, "d1", score=1.0),)
    )


def test_reciprocal_ranks_of_a_run_agree_with_trec_eval(tmp_path: Path) -> None:
    ranked = {"q1": ["d4", "d1", "d2"], "q2": ["d2"], "q3": ["d1", "d3"]}
    gold = {"q1": {"d2": 1, "d1": 1}, "q2": {"d2": 1}, "q3": {"d4": 1}}
    text = "".join(
        f"{query} Q0 {doc_id} {rank} {9 - rank} me\n"
        for query, listed in ranked.items()
        for rank, doc_id in enumerate(listed, start=1)
    )
    replay = run(tmp_path, text)
    documents = [Document(f"d{number}", "") for number in range(1, 5)]
    questions = [Question(query, query, "single", tuple(gold[query])) for query in ranked]
    pooled = pool_of([replay.respond(question) for question in questions], documents)
    scores = {query: {doc_id: 9.0 - rank for rank, doc_id in enumerate(ids)} for query, ids in ranked.items()}
    reference = pytrec_eval.RelevanceEvaluator(gold, {"recip_rank"}).evaluate(scores)
    for question, ranking in zip(questions, pooled.rankings, strict=True):
        relevant = np.array([pooled.chunks[place].doc_id in question.answer_doc_ids for place in ranking.positions])
        assert reciprocal_rank(relevant) == pytest.approx(reference[question.id]["recip_rank"])


def test_the_configuration_builds_it(tmp_path: Path) -> None:
    choice = ROOT / "conf" / "system" / "replay.yaml"
    assert choice.read_text(encoding="utf-8").startswith("# python -m runner system=replay ")
    config = OmegaConf.load(choice)
    config["path"] = lines(tmp_path, {"id": "q1", "contexts": []}).path
    assert instantiate(config).respond(Q1) == Response(())
