"""A judge's reply is taken as it is or not at all: nothing is repaired, and no part of it counts without the rest."""

import json
from typing import Any

import pytest

from eval.judges.asking import InvalidReplyError
from eval.judges.reply import Verdicts, read_verdicts

MATERIAL = "The museum opens at nine. A day pass costs **24 euro**. Dogs are not allowed in the hall."
SUPPORT = {"number": 1, "quotation": "A day pass costs 24 euro.", "reason": "stated", "verdict": "supported"}
INVENTED = {"number": 2, "quotation": "", "reason": "not there", "verdict": "unsupported"}
RIGHT = {
    "statements": [SUPPORT, INVENTED],
    "unsupported_sentences": ["Penguins breed in Antarctica."],
    "relevancy": 1.0,
}

STATEMENTS = ["A day pass costs 24 euro [1].", "Penguins breed in Antarctica."]


def reply(**changes: Any) -> str:
    return json.dumps(RIGHT | changes, ensure_ascii=False)


def with_statements(*changed: dict[str, Any]) -> str:
    """The right reply with its statements overlaid, in their order."""
    return reply(statements=[one | other for one, other in zip((SUPPORT, INVENTED), changed, strict=True)])


def read(text: str) -> Verdicts:
    return read_verdicts(text, STATEMENTS, MATERIAL)


def reason_for(text: str) -> str:
    with pytest.raises(InvalidReplyError) as failure:
        read(text)
    return failure.value.reason


def test_verdicts_may_come_in_any_order_and_with_more_fields_than_asked_for() -> None:
    text = reply(statements=[INVENTED | {"confidence": 0.9}, SUPPORT], comment="none")
    assert read(text) == read(reply())
    assert [each.verdict for each in read(text).statements] == ["supported", "unsupported"]


@pytest.mark.parametrize(
    "shape",
    [
        "{reply}",
        "```json\n{reply}\n```",
        "```\n{reply}\n```",
        "Sure! Here is my judgement:\n\n```json\n{reply}\n```\n\nLet me know if you need anything else.",
        "The first statement is supported.\n{reply}",
        "```json\n{reply}",
    ],
)
def test_the_object_may_stand_bare_or_fenced_and_between_words(shape: str) -> None:
    indented = json.dumps(RIGHT, indent=2)
    assert read(shape.replace("{reply}", indented)) == read(reply())


def test_fences_and_braces_within_a_text_of_the_object_survive() -> None:
    material = 'Write ```{"a": 1}``` to end a pass.'
    quotation = {"number": 1, "quotation": 'Write ```{"a": 1}``` to end', "reason": "", "verdict": "supported"}
    text = json.dumps({"statements": [quotation], "unsupported_sentences": [], "relevancy": 1})
    found = read_verdicts(f"```json\n{text}\n```", ['To end a pass write {"a": 1}.'], material)
    assert found.statements[0].reason == 'Write ```{"a": 1}``` to end'


@pytest.mark.parametrize(
    "text",
    [
        "supported",
        "",
        "{'statements': []}",
        '{"verdict": True,}',
        reply()[:-1] + ",,}",
        "{,}",
        reply()[:-9],
        reply().replace('"relevancy": 1.0', '"relevancy": NaN'),
        reply().replace('"relevancy": 1.0', '"relevancy": 0.0, "relevancy": 1.0'),
        reply().replace('"verdict": "unsupported"', '"verdict": "unsupported", "verdict": "supported"'),
        "[1, 2]",
        "{" * 5000,
    ],
)
def test_what_is_not_strictly_json_is_never_repaired(text: str) -> None:
    assert reason_for(text) == "the judge's reply is no JSON"


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "bad"}',
        "{}",
        reply(statements=None),
        reply(relevancy="one"),
        reply(relevancy=True),
        reply(relevancy=None),
        reply(unsupported_sentences="Penguins breed in Antarctica."),
        with_statements({"verdict": True}, {}),
        with_statements({"verdict": None}, {}),
        with_statements({"number": "one"}, {}),
        with_statements({"number": 1.5}, {}),
        with_statements({"number": True}, {}),
        reply(statements=[{key: value for key, value in SUPPORT.items() if key != "quotation"}, INVENTED]),
        reply(statements=[SUPPORT, "unsupported"]),
    ],
)
def test_a_missing_field_or_one_of_a_wrong_type_passes_nothing(text: str) -> None:
    assert reason_for(text) == "the judge's reply lacks what was asked for"


@pytest.mark.parametrize(
    "statements",
    [[], [SUPPORT], [SUPPORT, SUPPORT], [SUPPORT, INVENTED, INVENTED], [SUPPORT, INVENTED | {"number": 3}]],
)
def test_every_statement_is_judged_exactly_once(statements: list[dict[str, Any]]) -> None:
    assert reason_for(reply(statements=statements)) == "the judge did not judge every statement exactly once"


@pytest.mark.parametrize("relevancy", [0.8, 1.1, -1, 2, 0.61])
def test_relevancy_is_one_of_the_anchors(relevancy: float) -> None:
    assert reason_for(reply(relevancy=relevancy)) == "the judge's relevancy is none of the anchors"


@pytest.mark.parametrize("word", ["supported", "Supported.", " YES ", "Yes.", "是", "支持", "有依据。"])
def test_known_words_for_supported(word: str) -> None:
    assert read(with_statements({"verdict": word}, {})) == read(reply())


@pytest.mark.parametrize("word", [" NO", "no.", "Not supported", "否", "不支持", "部分", "partially supported"])
def test_known_words_for_unsupported_and_half_supported_is_among_them(word: str) -> None:
    assert read(with_statements({}, {"verdict": word})) == read(reply())


@pytest.mark.parametrize("word", ["undecidable", "N/A", "无法判断", "不适用。"])
def test_known_words_for_undecidable(word: str) -> None:
    changed = json.loads(with_statements({}, {"verdict": word})) | {"unsupported_sentences": []}
    assert read(json.dumps(changed)).statements[1].verdict == "undecidable"


@pytest.mark.parametrize(
    "word", ["idk", "unknown", "unclear", "不确定", "maybe", "", "true", "C", "supported/unsupported"]
)
def test_an_unknown_word_is_no_verdict_and_not_knowing_is_none_either(word: str) -> None:
    assert reason_for(with_statements({}, {"verdict": word})) == "the judge gave an unknown verdict"


@pytest.mark.parametrize(
    "listed",
    [
        [],
        ["A day pass costs 24 euro [1]."],
        ["Penguins breed in Antarctica.", "A day pass costs 24 euro [1]."],
        ["Penguins live in Antarctica."],
        ["1"],
        [3],
        None,
        ["2", "1"],
        ["Statement 1: Penguins breed in Antarctica."],
        ["Statement 2: A day pass costs 24 euro [1]."],
    ],
)
def test_a_list_that_contradicts_the_verdicts_makes_a_reply_void(listed: list[str | int] | None) -> None:
    expected = "the judge's list of unsupported sentences contradicts its verdicts"
    assert reason_for(reply(unsupported_sentences=listed)) == expected


@pytest.mark.parametrize(
    "listed",
    [
        "2. Penguins breed in Antarctica",
        " penguins  breed in **Antarctica**. [2]",
        "Statement 2: Penguins breed in Antarctica.",
        '"2. Penguins breed in [Antarctica](https://example.org/a)."',
        "陈述2：Penguins breed in Antarctica.",
        "2",
        "Statement 2",
        2,
    ],
)
def test_the_list_may_differ_in_numbers_citations_layout_and_stops_or_give_the_number(listed: str | int) -> None:
    assert read(reply(unsupported_sentences=[listed])) == read(reply())


@pytest.mark.parametrize("quotation", ["", "  ", None])
def test_support_without_a_quotation_is_none(quotation: str | None) -> None:
    expected = "the judge called a statement supported without a quotation"
    assert reason_for(with_statements({"quotation": quotation}, {})) == expected


@pytest.mark.parametrize("quotation", ["A day pass costs 42 euro.", "...", "a day pass costs 4 euro", "euro … pass"])
def test_a_quotation_that_is_not_in_the_material_makes_a_reply_void(quotation: str) -> None:
    assert reason_for(with_statements({"quotation": quotation}, {})) == "the judge quoted what is not in the material"


def test_a_quotation_about_something_else_makes_a_reply_void() -> None:
    expected = "the judge's quotation has no word of the statement"
    assert reason_for(with_statements({"quotation": "The museum opens at nine."}, {})) == expected


def test_a_null_for_a_quotation_that_is_not_needed_is_none() -> None:
    assert read(with_statements({}, {"quotation": None})) == read(reply())


def test_an_entry_that_is_a_statement_is_not_read_as_a_number() -> None:
    rows = [INVENTED | {"number": number, "verdict": word} for number, word in ((1, "unsupported"), (2, "undecidable"))]
    text = json.dumps({"statements": rows, "unsupported_sentences": ["2"], "relevancy": 0})
    assert read_verdicts(text, ["2", "Ice melts."], MATERIAL).statements[0].verdict == "unsupported"
    with pytest.raises(InvalidReplyError):
        read_verdicts(text, ["Ice melts.", "2"], MATERIAL)


def test_null_stands_for_no_unsupported_sentence() -> None:
    found = read_verdicts(reply(statements=[SUPPORT], unsupported_sentences=None), STATEMENTS[:1], MATERIAL)
    assert [each.verdict for each in found.statements] == ["supported"]


@pytest.mark.parametrize(
    "text",
    [
        with_statements({"number": "1"}, {"number": 2.0}),
        reply(relevancy="1.0"),
        reply(relevancy="1"),
        with_statements({"verdict": "**supported**"}, {"verdict": "not_supported"}),
        with_statements({"verdict": "已支持"}, {"verdict": "`unsupported`"}),
        with_statements({"reason": None}, {}),
        reply(statements=[{key: value for key, value in SUPPORT.items() if key != "reason"}, INVENTED]),
        reply()[:-1] + ",}",
        reply().replace("}]", "},\n ]").replace('"]', '" , ]'),
    ],
)
def test_another_way_to_write_the_same_is_the_same(text: str) -> None:
    assert [each.verdict for each in read(text).statements] == ["supported", "unsupported"]
    assert read(text).relevancy == 1.0


def test_a_comma_before_a_brace_in_a_text_of_the_object_stays() -> None:
    text = with_statements({}, {"reason": 'not ,} there ,] "quoted,"} at all'})
    assert read(text).statements[1].reason == 'not ,} there ,] "quoted,"} at all'


def test_no_beginning_of_a_reply_is_taken_for_the_whole() -> None:
    for end in range(len(reply())):
        assert reason_for(reply()[:end]) == "the judge's reply is no JSON"
