"""A deployed system behind HTTP: asked by a template, read by paths, and never taken for what it did not say."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from eval.chat.messages import Call
from eval.chat.scripted import ScriptedChat
from eval.records import Question, Unscored
from runner.config.parts import rule_of
from runner.protocols import ForeignSystem
from runner.records import Passage, Response
from runner.spread import concurrency
from runner.systems.http import HttpSystem
from runner.systems.paths import MismatchError, json_path
from runner.systems.template import filled
from tests.runner.chat_desks import open_desk
from tests.runner.json_endpoints import SYSTEM
from tests.runner.json_server import Given, Posted, posting

QUESTION = Question("q-1", "Is it open?", "single", ("a",))


def answer_to(tmp_path: Path, given: Any, **mapping: Any) -> Response | Unscored:
    """What a system makes of one reply."""
    with posting([given if isinstance(given, Given) else Given(given)]) as server, open_desk(tmp_path) as desk:
        return HttpSystem(endpoint=desk.line(SYSTEM.at(server, tries=1)), **mapping).respond(QUESTION)


def respond_to(reply: str, **mapping: Any) -> Response | Unscored:
    return HttpSystem(endpoint=ScriptedChat(otherwise=reply), **mapping).respond(QUESTION)


def test_a_reply_is_read_by_its_paths(tmp_path: Path):
    reply = {
        "data": {
            "choices": [{"text": "Yes. 是的 🙂"}],
            "hits": [
                {"doc": {"id": "a", "title": "Hours"}, "chunk": "Open {0} daily", "no": 7, "score": 0.5},
                {"doc": {"id": 12, "title": None}, "chunk": "", "no": None, "score": None},
            ],
        },
        "usage": {"in": 120, "out": 8},
    }
    said = answer_to(
        tmp_path, reply, answer="data.choices[0].text", contexts="data.hits[*]", text="chunk", doc_id="doc.id",
        id="no", title="doc.title", score="score", input_tokens="usage.in", output_tokens="usage.out",
    )  # fmt: skip
    assert isinstance(said, Response)
    assert said.answer == "Yes. 是的 🙂"
    assert said.passages == (Passage("Open {0} daily", "a", "7", "Hours", 0.5), Passage("", "12"))
    assert [(call.model, call.input_tokens, call.output_tokens, call.usd) for call in said.calls] == [
        ("some-model", 120, 8, None)
    ]


def test_contexts_may_be_plain_texts_or_none_at_all(tmp_path: Path):
    said = answer_to(tmp_path, {"answer": "Yes.", "contexts": ["one", "two"]}, doc_id="id")
    assert isinstance(said, Response)
    assert said.passages == (Passage("one"), Passage("two"))
    for reply in ({"answer": "No.", "contexts": []}, {"answer": "No.", "hits": []}):
        said = answer_to(tmp_path, reply, contexts="contexts" if "contexts" in reply else "hits[*].passages[*]")
        assert isinstance(said, Response)
        assert said.passages == ()


def test_a_system_that_only_retrieves_has_no_answer(tmp_path: Path):
    said = answer_to(tmp_path, [{"id": "a"}, {"id": "b"}], answer=None, contexts="$", text=None, doc_id="id")
    assert isinstance(said, Response)
    assert (said.answer, said.passages) == (None, (Passage(None, "a"), Passage(None, "b")))
    assert not HttpSystem(endpoint=ScriptedChat(), answer=None).answers
    assert HttpSystem(endpoint=ScriptedChat()).answers


GOOD = '{"answer": "Yes.", "contexts": [{"text": "t", "n": 1, "s": "x", "deep": {"a": 1}}], "u": "3"}'


@pytest.mark.parametrize(
    ("mapping", "reason"),
    [
        ({"answer": "data.answer"}, "there is no data.answer"),
        ({"answer": "contexts[1]"}, "there is no contexts[1]"),
        ({"answer": "answer.text"}, "there is no answer.text"),
        ({"answer": "contexts"}, "contexts is no text"),
        ({"contexts": "hits"}, "there is no hits"),
        ({"contexts": "answer"}, "answer is no list"),
        ({"contexts": "answer[*]"}, "there is no answer[*]"),
        ({"text": "body"}, "there is no body"),
        ({"text": "n"}, "n is no text"),
        ({"doc_id": "deep"}, "deep is neither text nor a whole number"),
        ({"title": "deep"}, "deep is neither text nor a whole number"),
        ({"score": "s"}, "s is no number"),
        ({"output_tokens": "u"}, "u is no count"),
    ],
)
def test_what_is_not_there_or_is_something_else_costs_the_question_and_names_the_path(
    mapping: dict[str, Any], reason: str
):
    said = respond_to(GOOD, **mapping)
    assert isinstance(said, Unscored)
    assert (said.reason, said.raw, len(said.calls)) == (reason, GOOD, 1)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"answer": null, "contexts": []}', "answer is no text"),
        ('{"answer": "Yes.", "contexts": null}', "contexts is no list"),
        ('{"answer": "Yes.", "contexts": [null]}', "there is no text"),
        ('{"answer": "Yes.", "contexts": [["t"]]}', "there is no text"),
        ('{"detail": "no"}', "there is no contexts"),
        ("word word", "malformed reply"),
    ],
)
def test_a_reply_that_does_not_say_is_not_taken_for_nothing(reply: str, reason: str):
    said = respond_to(reply)
    assert isinstance(said, Unscored)
    assert (said.reason, said.raw) == (reason, reply)


def test_what_a_system_need_not_say_may_be_absent_from_one_context_or_all() -> None:
    reply = '{"answer": "Yes.", "contexts": [{"text": "a", "source": "d1", "s": 0.5}, {"text": "b"}, "c"]}'
    said = respond_to(reply, doc_id="source", id="n", title="meta.title", score="s", input_tokens="usage.in")
    assert isinstance(said, Response)
    assert said.passages == (Passage("a", "d1", score=0.5), Passage("b"), Passage("c"))
    assert [call.input_tokens for call in said.calls] == [0]


def test_a_path_that_no_reply_has_is_told_once() -> None:
    paths = {"doc_id": "sorce", "id": "n", "score": "s", "output_tokens": "usage.out"}
    system = HttpSystem(endpoint=ScriptedChat(), **paths)
    empty = Response((), "No.", (Call("m", 5, 5, None, 1.0),))
    given = Response((Passage("a", id="7"), Passage("b", score=0.0)), "Yes.", (Call("m", 5, 0, None, 1.0),))
    assert system.review([empty, given, Unscored("server error 500")]) == (
        "no passage has a 'sorce' (system.doc_id); is it the right name?",
        "no response has a 'usage.out' (system.output_tokens); is it the right name?",
    )
    assert system.review([Unscored("server error 500"), empty]) == ()  # nothing there that could have one


def test_a_key_that_stands_twice_in_a_reply_is_told(tmp_path: Path) -> None:
    said = answer_to(tmp_path, Given(raw=b'{"answer": "one", "contexts": [], "answer": "two"}'))
    assert isinstance(said, Unscored)
    assert said.reason == "malformed reply: the key 'answer' stands twice in one object"


@pytest.mark.parametrize("score", ["NaN", "1" + "0" * 400, "true", '"0.5"'])
def test_a_score_that_is_no_finite_number_costs_the_question(score: str) -> None:
    said = respond_to(f'{{"answer": "Yes.", "contexts": [{{"text": "a", "s": {score}}}]}}', score="s")
    assert isinstance(said, Unscored)
    assert said.reason == "s is no number"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (Given(status=500), "server error 500 after 1 try"),
        (Given(status=422, body={"detail": "field required"}), "the request was refused (422)"),
        (Given(raw=b"<html>"), "malformed reply after 1 try"),
    ],
)
def test_a_call_that_fails_costs_the_question(tmp_path: Path, given: Given, reason: str):
    said = answer_to(tmp_path, given)
    assert isinstance(said, Unscored)
    assert said.reason == reason


def test_a_question_is_put_into_the_template_in_one_pass(tmp_path: Path):
    template = {"q": "{question}", "list": [{"m": "Q {question_id}: {question} {x}", "n": 5}], "{question}": None}
    question = Question("q{question}", 'a {question_id} {"b": {0}} 年假 🙂', "single")
    assert filled(template, question) == {
        "q": 'a {question_id} {"b": {0}} 年假 🙂',
        "list": [{"m": 'Q q{question}: a {question_id} {"b": {0}} 年假 🙂 {x}', "n": 5}],
        "{question}": None,
    }
    with posting([Given(SYSTEM.given)]) as server, open_desk(tmp_path) as desk:
        line = desk.line(SYSTEM.at(server))
        HttpSystem(endpoint=line, request=template).respond(question)
        HttpSystem(endpoint=line).respond(question)
        assert [posted.body for posted in server.asked] == [filled(template, question), {"question": question.text}]


def rules(**mapping: Any) -> list[str]:
    with pytest.raises(ValidationError) as refused:
        HttpSystem(endpoint=ScriptedChat(), **mapping)
    return [rule_of(finding) for finding in refused.value.errors()]


def test_a_mapping_that_can_t_work_is_refused_all_of_it_at_once():
    told = rules(request={"q": "question"}, answer="a..b", contexts="", text="a[b]")
    assert told == [
        "must hold {question} in one of its texts, or every question would be the same request",
        "must be a path such as data.answer, hits[0].text, hits[*] or [\"odd.name\"] (got 'a..b')",
        'must be a path such as data.answer, hits[0].text, hits[*] or ["odd.name"] (got nothing); $ is the whole',
        "must be a path such as data.answer, hits[0].text, hits[*] or [\"odd.name\"] (got 'a[b]')",
    ]
    assert rules(text=None) == ["text and doc_id are both null: a context must have a text, or name its document"]
    (told,) = rules(request={"q": "{question}", "x": float("inf")})
    assert told.startswith("must be plain JSON")


VALUE = {"a": {"b c": [1, [2, 3], {"年": "y"}]}, "odd.name": {"x[0]": "z"}, "": 5}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", VALUE),
        ("a.b c[0]", 1),
        ("$.a.b c[-1].年", "y"),
        ("a.b c[1][*]", [2, 3]),
        ("a.b c[*]", [1, [2, 3], {"年": "y"}]),
        ('["odd.name"]["x[0]"]', "z"),
        ('$["odd.name"]["x[0]"]', "z"),
        ('[""]', 5),
    ],
)
def test_a_path_leads_to_its_place(path: str, found: Any):
    assert json_path(path).find(VALUE) == found


def test_lists_of_lists_become_one_list():
    assert json_path("[*].p[*].t").find([{"p": [{"t": 1}, {"t": 2}]}, {"p": []}, {"p": [{"t": 3}]}]) == [1, 2, 3]


@pytest.mark.parametrize("path", ["a.b c[3]", "a.b c[-4]", "a[0]", "b", "a.b c[*].x", "a[*]", "a.b c.0"])
def test_a_path_that_leads_nowhere_is_an_error(path: str):
    with pytest.raises(MismatchError, match="there is no"):
        json_path(path).find(VALUE)


@pytest.mark.parametrize("path", ["", ".a", "a.", "a..b", "$a", "a[0]b", "a[", "a[x]", "a[**]", 'a["x]', "a]", "$."])
def test_what_is_no_path_is_refused(path: str):
    with pytest.raises(ValueError, match="must be a path such as"):
        json_path(path)


def test_questions_are_asked_as_many_at_a_time_as_the_endpoint_allows(tmp_path: Path):
    together = threading.Barrier(3, timeout=30)

    def all_at_once(posted: Posted) -> Any:
        together.wait()
        return {"answer": posted.body["question"], "contexts": []}

    with posting(all_at_once) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(3) as pool:
        system: ForeignSystem = HttpSystem(endpoint=desk.line(SYSTEM.at(server, concurrency=3)))
        assert concurrency(system) == 3
        said = list(pool.map(system.respond, [Question(f"q{n}", f"{n}?", "single") for n in range(3)]))
    assert [each.answer for each in said if isinstance(each, Response)] == ["0?", "1?", "2?"]


def test_equal_questions_are_asked_each_as_the_system_may_change(tmp_path: Path):
    with posting([Given(SYSTEM.given)]) as server, open_desk(tmp_path) as desk:
        system = HttpSystem(endpoint=desk.line(SYSTEM.at(server)))
        said = [system.respond(QUESTION) for _ in range(2)]
        assert server.count == 2
    assert [call.cached for each in said for call in each.calls] == [False, False]


def test_an_estimate_counts_a_call_for_each_question(tmp_path: Path):
    with posting([Given(SYSTEM.given)]) as server, open_desk(tmp_path, foreseen=set()) as desk:
        said = HttpSystem(endpoint=desk.line(SYSTEM.at(server, usd_per_call=0.1))).respond(QUESTION)
        assert isinstance(said, Unscored)
        assert [(call.input_tokens, call.usd) for call in said.calls] == [(0, 0.1)]
        assert server.count == 0
