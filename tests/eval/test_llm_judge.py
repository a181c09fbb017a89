"""The judge that asks a model: what it asks, whom it need not ask, and what it makes of replies that are of no use."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from eval.chat.messages import Call, ChatFailedError, ChatModel, ChatRequest, Completion, Finish
from eval.chat.scripted import ScriptedChat
from eval.errors import InputError
from eval.judges.llm import LlmJudge
from eval.records import Judgement, Statement, Unscored

MATERIAL = "The museum opens at nine. A day pass costs **24 euro**. Dogs are not allowed in the hall."
ANSWER = "A day pass costs 24 euro [1]. Penguins breed in Antarctica."
SUPPORT = {"number": 1, "quotation": "A day pass costs 24 euro.", "reason": "stated", "verdict": "supported"}
INVENTED = {"number": 2, "quotation": "", "reason": "not there", "verdict": "unsupported"}
RIGHT = {
    "statements": [SUPPORT, INVENTED],
    "unsupported_sentences": ["Penguins breed in Antarctica."],
    "relevancy": 1.0,
}


def reply(**changes: Any) -> str:
    return json.dumps(RIGHT | changes, ensure_ascii=False)


def judged(text: str, answer: str = ANSWER, material: str = MATERIAL) -> Judgement | Unscored:
    return LlmJudge(model=ScriptedChat(otherwise=text)).judge("What does a pass cost?", material, answer)


@dataclass
class Turns:
    """A model that gives one completion or failure after the other, and keeps what it was asked."""

    turns: Sequence[tuple[str, Finish] | ChatFailedError]
    asked: list[ChatRequest] = field(default_factory=list)
    forgotten: list[ChatRequest] = field(default_factory=list)
    name: str = "turns"
    vendor: str = ""
    concurrency: int = 3

    def complete(self, request: ChatRequest) -> Completion:
        self.asked.append(request)
        turn = self.turns[len(self.asked) - 1]
        if isinstance(turn, ChatFailedError):
            raise turn
        return Completion(turn[0], turn[1], (call(len(self.asked)),))

    def forget(self, request: ChatRequest) -> None:
        self.forgotten.append(request)


def call(tokens: int) -> Call:
    return Call("turns", tokens, tokens, None, 1.0)


def test_each_sentence_gets_its_verdict_and_a_supported_one_its_quotation() -> None:
    found = judged(reply())
    assert isinstance(found, Judgement)
    assert found.statements == (
        Statement("A day pass costs 24 euro [1].", "supported", "A day pass costs 24 euro."),
        Statement("Penguins breed in Antarctica.", "unsupported", "not there"),
    )
    assert (found.refused, found.relevancy, found.faithfulness) == (False, 1.0, 0.5)
    assert [each.model for each in found.calls] == ["scripted"]


def test_an_invalid_reply_is_asked_for_once_more_saying_what_was_wrong() -> None:
    wrong = reply(statements=[SUPPORT | {"quotation": "made up"}, INVENTED])
    model = Turns([(wrong, "stop"), (reply(), "stop")])
    found = LlmJudge(model=model).judge("q", MATERIAL, ANSWER)
    assert isinstance(found, Judgement)
    assert (found.calls, model.forgotten) == ((call(1), call(2)), [])
    first, second = model.asked
    assert second.user.startswith(first.user)
    assert "statement 1: the quotation does not stand in the material" in second.user
    assert "made up" not in second.user
    assert (second.system, second.max_tokens, second.schema) == (first.system, first.max_tokens, first.schema)


def test_all_faulty_quotations_are_named_at_once() -> None:
    rows = [SUPPORT | {"quotation": "made up"}, SUPPORT | {"number": 2, "quotation": "The museum opens at nine."}]
    model = Turns([(reply(statements=rows, unsupported_sentences=[]), "stop"), (reply(), "stop")])
    assert isinstance(LlmJudge(model=model).judge("q", MATERIAL, ANSWER), Judgement)
    assert "statement 1: the quotation does not stand in the material word for word; statement 2: the quotation is" in (
        model.asked[1].user
    )


def test_a_second_invalid_reply_is_the_last_and_is_kept() -> None:
    model = Turns([("nonsense", "stop"), (reply(relevancy=0.5), "stop")])
    found = LlmJudge(model=model).judge("q", MATERIAL, ANSWER)
    reason = "the judge's relevancy is none of the anchors"
    assert found == Unscored(reason, reply(relevancy=0.5), (call(1), call(2)))
    assert model.forgotten == model.asked


def test_a_reply_that_was_cut_off_is_asked_for_once_more_with_twice_the_room() -> None:
    model = Turns([('{"score": 0.9, "rea', "length"), (reply(), "stop")])
    found = LlmJudge(model=model, max_tokens=300).judge("q", MATERIAL, ANSWER)
    assert isinstance(found, Judgement)
    assert [request.max_tokens for request in model.asked] == [300, 600]
    assert model.asked[0].user == model.asked[1].user


def test_a_reply_cut_off_twice_is_unscored_even_where_it_could_be_read() -> None:
    model = Turns([(reply(), "length"), (reply(), "length")])
    found = LlmJudge(model=model).judge("q", MATERIAL, ANSWER)
    assert found == Unscored("the judge's reply was cut off", reply(), (call(1), call(2)))


def test_a_failed_call_is_unscored_with_its_reason_and_everything_that_was_paid_for() -> None:
    failure = ChatFailedError("timed out", calls=(call(7),))
    found = LlmJudge(model=Turns([("nonsense", "stop"), failure])).judge("q", MATERIAL, ANSWER)
    assert found == Unscored("timed out", "nonsense", (call(1), call(7)))
    filtered = LlmJudge(model=Turns([ChatFailedError("filtered", raw="the part")])).judge("q", MATERIAL, ANSWER)
    assert filtered == Unscored("filtered", "the part", ())


@pytest.mark.parametrize("answer", ["I don't know.", "资料中没有提到停车费。", "", "The documents do not say it."])
def test_a_refusal_is_told_without_asking(answer: str) -> None:
    found = LlmJudge(model=ScriptedChat()).judge("q", MATERIAL, answer)
    assert found == Judgement(True, (), 0.0)


@pytest.mark.parametrize("context", ["", " \n ", "\u200b"])
def test_without_material_nothing_is_supported_and_nobody_is_asked(context: str) -> None:
    found = LlmJudge(model=ScriptedChat()).judge("q", context, "The fee is 40 euro. Yes. It is not in the documents.")
    assert isinstance(found, Judgement)
    assert [each.verdict for each in found.statements] == ["unsupported", "undecidable", "undecidable"]
    assert (found.faithfulness, found.relevancy, found.calls) == (0.0, 0.0, ())


def test_statements_without_content_and_remarks_on_the_sources_are_not_asked_about() -> None:
    model = Turns([(reply(statements=[SUPPORT], unsupported_sentences=[]), "stop")])
    answer = "Yes. A day pass costs 24 euro. The documents do not say who pays."
    found = LlmJudge(model=model).judge("q", MATERIAL, answer)
    assert isinstance(found, Judgement)
    assert [each.verdict for each in found.statements] == ["undecidable", "supported", "undecidable"]
    assert "<statement-1-" in model.asked[0].user
    assert "<statement-2-" not in model.asked[0].user


def test_an_answer_of_nothing_but_such_statements_is_still_asked_for_its_relevancy() -> None:
    nothing = json.dumps({"statements": [], "unsupported_sentences": [], "relevancy": 0.6})
    found = judged(nothing, answer="Yes.")
    assert isinstance(found, Judgement)
    assert (found.relevancy, found.faithfulness, len(found.calls)) == (0.6, 0.0, 1)


def test_a_sentence_that_stands_twice_is_asked_about_once() -> None:
    text = reply(statements=[SUPPORT], unsupported_sentences=[])
    found = judged(text, answer="A day pass costs 24 euro. A day pass costs 24 euro.")
    assert isinstance(found, Judgement)
    assert [each.verdict for each in found.statements] == ["supported", "supported"]


def test_chinese_sentences_are_statements_even_without_a_stop_at_the_end() -> None:
    one = {"number": 1, "quotation": "日票价格为24元", "reason": "", "verdict": "支持"}
    other = {"number": 2, "quotation": "", "reason": "没有提到", "verdict": "不支持"}
    text = json.dumps({"statements": [one, other], "unsupported_sentences": ["企鹅在南极繁殖"], "relevancy": 1})
    found = judged(text, answer="日票价格为24元。企鹅在南极繁殖", material="港口博物馆的日票\n价格为 24 元。")
    assert isinstance(found, Judgement)
    assert [each.verdict for each in found.statements] == ["supported", "unsupported"]


def test_the_request_pins_the_anchors_the_form_and_everything_that_is_judged() -> None:
    model = Turns([(reply(), "stop")])
    LlmJudge(model=model, max_tokens=900).judge("What does a pass cost?", MATERIAL, ANSWER)
    request = model.asked[0]
    for anchor in ("- 1.0: ", "- 0.6: ", "- 0.3: ", "- 0.0: "):
        assert anchor in request.system
    for text in (MATERIAL, ANSWER, "What does a pass cost?", "2 in number"):
        assert text in request.user
    assert request.schema is not None
    assert request.schema["properties"]["relevancy"]["enum"] == [1.0, 0.6, 0.3, 0.0]
    assert (request.max_tokens, request.expected_tokens) == (900, 220)


def test_equal_inputs_make_equal_requests_and_other_inputs_others() -> None:
    model = Turns([(reply(), "stop")] * 3)
    for question in ("q", "q", "p"):
        LlmJudge(model=model).judge(question, MATERIAL, ANSWER)
    assert model.asked[0] == model.asked[1]
    assert model.asked[0] != model.asked[2]


def test_the_judge_is_as_concurrent_as_its_model_and_names_its_prompt() -> None:
    judge = LlmJudge(model=Turns([]))
    assert isinstance(judge.model, ChatModel)
    assert judge.concurrency == 3
    assert judge.prompt_version == LlmJudge(model=ScriptedChat()).prompt_version != ""


def test_settings_are_checked_when_the_judge_is_built(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="prompt must be one of faithfulness-1, pairwise-1 or a path"):
        LlmJudge(model=ScriptedChat(), prompt="faithfulness-9")
    with pytest.raises(InputError, match=r"\{\{material\}\} is missing"):
        LlmJudge(model=ScriptedChat(), prompt=str(_short(tmp_path)))
    with pytest.raises(ValidationError, match="max_tokens"):
        LlmJudge(model=ScriptedChat(), max_tokens=0)
    with pytest.raises(ValidationError, match="model"):
        LlmJudge(model="gpt")  # type: ignore[arg-type] # what is refused


def _short(folder: Path) -> Path:
    path = folder / "short.md"
    path.write_text("s\n=== user ===\n{{tag}} {{question}} {{answer}} {{statements}} {{count}}", encoding="utf-8")
    return path


def test_a_prompt_of_ones_own_is_used_and_versioned(tmp_path: Path) -> None:
    path = _short(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + " OWN {{material}}", encoding="utf-8")
    model = Turns([(reply(), "stop")])
    judge = LlmJudge(model=model, prompt=str(path))
    path.unlink()  # what was read when it was built is what counts
    assert isinstance(judge.judge("q", MATERIAL, ANSWER), Judgement)
    assert "OWN <material-" in model.asked[0].user
    assert judge.prompt_version != LlmJudge(model=model).prompt_version
