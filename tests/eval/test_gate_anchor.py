"""The portable baseline: the same text each time, a line a question, no texts in it, and no edit unnoticed."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.fingerprints import canonical_json
from eval.gate.anchor import anchor_text, check_anchor, is_intact, make_anchor, read_anchor
from eval.gate.compare import compare
from eval.gate.results import Results, read_object
from eval.gate.rules import Gate
from eval.gate.verdict import Verdict
from eval.records import Unscored

PROMOTION = {"run": "4f1c", "by": "ada", "at": "2026-01-02 03:04:05 UTC", "why": "first"}


def small(reports: Any) -> Any:
    asked = [
        reports.question("q2", recall=0.0, mrr=1 / 3),
        reports.question("q1", "multi", faithfulness=Unscored("timeout")),
        reports.question("问", "none"),
    ]
    return reports.report(asked, config={"judge": {"_target_": "eval.judges.lexical.LexicalJudge"}, "secret": "s3cr3t"})


def judge(before: Results, now: Results) -> Verdict:
    return compare(before, now, Gate(), against={})


def through_file(report: Any, path: Path) -> Results:
    path.write_text(anchor_text(make_anchor(report, PROMOTION)), encoding="utf-8")
    return read_anchor(path).results


def test_the_same_report_and_promotion_give_the_same_text_byte_for_byte(reports: Any):
    report = small(reports)
    shuffled = json.loads(json.dumps(dict(reversed(report.items()))))
    shuffled["questions"].reverse()
    shuffled["documents"] = dict(reversed(shuffled["documents"].items()))
    shuffled["metrics"] = dict(reversed(shuffled["metrics"].items()))
    texts = {
        anchor_text(make_anchor(given_report, dict(given_promotion)))
        for given_report in (report, deepcopy(report), shuffled)
        for given_promotion in (PROMOTION.items(), reversed(PROMOTION.items()))
    }
    assert len(texts) == 1


def test_keys_are_sorted_and_each_question_and_document_has_a_line(reports: Any):
    text = anchor_text(make_anchor(small(reports), PROMOTION))
    data = json.loads(text, object_pairs_hook=_sorted_only)
    lines = text.splitlines()
    assert [question["id"] for question in data["questions"]] == ["q1", "q2", "问"]
    assert sum(line.startswith('{"answer_doc_ids": ') for line in lines) == 3
    assert [line.split(":")[0] for line in lines if line.startswith('"doc-')] == [
        '"doc-other"',
        '"doc-q1"',
        '"doc-q2"',
        '"doc-shared"',
    ]
    assert '"id": "问"' in text
    assert text.endswith("}\n")


def _sorted_only(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert pairs == sorted(pairs, key=lambda pair: pair[0])
    return dict(pairs)


def test_an_added_question_is_one_more_line_in_a_review(reports: Any):
    asked = [reports.question(f"q{number}", recall=0.0) for number in range(3)]
    before, after = (
        [line.rstrip(",") for line in anchor_text(make_anchor(reports.report(kept), PROMOTION)).splitlines()]
        for kept in (asked[:2], asked)
    )
    added = [line for line in after if line not in before and line.startswith("{") and line != "{"]
    assert [json.loads(line)["id"] for line in added] == ["q2"]


def test_no_text_of_a_question_or_an_answer_is_in_it_and_no_other_setting(reports: Any):
    text = anchor_text(make_anchor(small(reports), PROMOTION))
    for kept_out in ("What of", "The answer to", "Text of", "supported", "s3cr3t"):
        assert kept_out not in text


def test_it_reads_back_as_the_results_of_the_report(reports: Any, tmp_path: Path):
    report = small(reports)
    anchor = tmp_path / "baseline.json"
    anchor.write_text(anchor_text(make_anchor(report, PROMOTION)), encoding="utf-8")
    read = read_anchor(anchor)
    whole = Results.of(report, "the report")
    assert read.promotion == PROMOTION
    assert read.checksum == make_anchor(report, PROMOTION)["checksum"]
    assert read.results.metrics == whole.metrics
    assert read.results.fingerprints == whole.fingerprints
    assert read.results.documents == whole.documents
    for question in read.results.questions:
        twin = next(each for each in whole.questions if each.id == question.id)
        kept = {name: value for name, value in twin.values.items() if value is not None}
        assert (question.values, question.unscored, question.first_hit_rank) == (
            kept,
            twin.unscored,
            twin.first_hit_rank,
        )


def test_a_run_judged_by_its_own_portable_form_passes_as_it_does_by_its_report(reports: Any, tmp_path: Path):
    report = reports.report(reports.twenty())
    whole = Results.of(report, "the report")
    assert judge(through_file(report, tmp_path / "a.json"), whole) == judge(whole, whole)


def test_the_verdict_against_the_portable_form_is_that_against_the_report(reports: Any, tmp_path: Path):
    before = reports.report(reports.twenty())
    now = reports.results([*reports.twenty()[3:], reports.question("q01", recall=0.0), reports.question("new")])
    assert judge(through_file(before, tmp_path / "a.json"), now) == judge(Results.of(before, "the report"), now)


def _leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict | list) and node:
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _leaves(value, (*path, key))
    else:
        yield path


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_leaf_that_is_changed_is_noticed(reports: Any, data: st.DataObject):
    anchor = json.loads(anchor_text(make_anchor(small(reports), PROMOTION)))
    *way, last = data.draw(st.sampled_from(sorted(_leaves(anchor), key=repr)))
    node = anchor
    for step in way:
        node = node[step]
    others = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
    node[last] = data.draw(others.filter(lambda value: repr(value) != repr(node[last])))
    assert not is_intact(anchor)
    with pytest.raises(InputError):
        check_anchor(anchor, "baseline.json")


def test_any_character_that_is_changed_is_noticed_or_changes_nothing(reports: Any):
    text = anchor_text(make_anchor(reports.report([reports.question("q", mrr=0.5)], tier="retrieval"), PROMOTION))
    content, unnoticed = canonical_json(json.loads(text)), 0
    for place, other in ((place, other) for place in range(len(text)) for other in ("0", "x", " ", '"')):
        edited = text[:place] + other + text[place + 1 :]
        try:
            data = json.loads(edited)
            check_anchor(data, "baseline.json")
        except (ValueError, InputError, AttributeError):
            continue
        unnoticed += edited != text
        assert canonical_json(data) == content
    assert unnoticed > 0  # a blank in the place of a line end


@pytest.mark.parametrize("place", ["questions", "documents", "metrics", "promotion"])
def test_a_part_that_was_taken_out_is_noticed(reports: Any, place: str):
    anchor = make_anchor(small(reports), PROMOTION)
    part = anchor[place]
    part.pop(next(iter(part)) if isinstance(part, dict) else 0)
    with pytest.raises(InputError, match=r"^b\.json was changed after it was written .* --repair$"):
        check_anchor(anchor, "b.json")


def test_a_question_that_was_moved_is_noticed(reports: Any):
    anchor = make_anchor(small(reports), PROMOTION)
    anchor["questions"].reverse()
    assert not is_intact(anchor)


def test_without_its_checksum_it_is_refused(reports: Any):
    anchor = make_anchor(small(reports), PROMOTION)
    del anchor["checksum"]
    with pytest.raises(InputError, match="checksum None"):
        check_anchor(anchor, "b.json")


@pytest.mark.parametrize("number", [0, 2, "1", None, [1]])
def test_another_format_is_refused_by_its_name(reports: Any, number: Any):
    with pytest.raises(InputError) as caught:
        check_anchor(make_anchor(small(reports), PROMOTION) | {"format": number}, "b.json")
    assert str(caught.value).startswith(f"b.json is no portable baseline of format 1 (got {number!r}); write a new one")
    assert len(str(caught.value).splitlines()) == 1


def conflicted(text: str) -> str:
    lines = text.splitlines(keepends=True)
    middle = len(lines) // 2
    ours = ["<<<<<<< HEAD\n", lines[middle], "=======\n", lines[middle], ">>>>>>> theirs\n"]
    return "".join([*lines[:middle], *ours, *lines[middle + 1 :]])


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (conflicted, "is no JSON: "),
        (lambda text: text[: len(text) // 2], "is no JSON: "),
        (lambda _text: "", "is no JSON: "),
        (lambda _text: "\0" * 40, "is no JSON: "),
        (lambda _text: "[" * 100_000, "is no JSON: "),
        (lambda text: text.replace("0.5", "5" * 5_000, 1), "is no JSON: "),
        (lambda _text: "[]", "holds no JSON object"),
        (lambda _text: "null", "holds no JSON object"),
        (lambda _text: "{}", "is no portable baseline of format 1 (got None)"),
        (lambda text: text.replace("0.5", "NaN", 1), "was changed after it was written"),
        (lambda text: text.replace('"why": "first"', '"why": "\\ud800"'), "was changed after it was written"),
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_refused_in_one_line(
    reports: Any, tmp_path: Path, broken: Any, why: str
):
    path = tmp_path / "baseline-report.json"
    text = anchor_text(make_anchor(reports.report([reports.question("q", mrr=0.5)]), PROMOTION))
    path.write_text(broken(text), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_anchor(path)
    assert str(caught.value).startswith(f"{path} {why}")
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_that_is_no_text_or_not_there_is_refused_in_one_line(tmp_path: Path):
    path = tmp_path / "baseline-report.json"
    with pytest.raises(InputError, match=r"\.json: No such file or directory; take it back from version control"):
        read_anchor(path)
    path.write_bytes(b"\xff\xfe{\x00}\x00")
    with pytest.raises(InputError, match=r"is no JSON: .*can't decode"):
        read_anchor(path)
    with pytest.raises(InputError, match=r": Is a directory; take it back"):
        read_anchor(tmp_path)


def test_line_ends_of_another_system_change_nothing(reports: Any, tmp_path: Path):
    path = tmp_path / "baseline-report.json"
    text = anchor_text(make_anchor(small(reports), PROMOTION))
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert read_anchor(path).results.questions


def test_what_is_not_json_is_never_written(reports: Any):
    report = small(reports)
    report["metrics"]["mrr"]["value"] = float("nan")
    with pytest.raises(ValueError, match="not JSON compliant"):
        make_anchor(report, PROMOTION)


def test_results_with_a_question_twice_or_parts_missing_are_told_together(reports: Any):
    report = small(reports)
    with pytest.raises(InputError, match=r"^it holds questions twice: q2$"):
        Results.of({**report, "questions": [*report["questions"], report["questions"][0]]}, "it")
    with pytest.raises(InputError) as caught:
        Results.of({"run": {}}, "it")
    assert str(caught.value).startswith("it is no report of a run: run.id: Field required; run.name: Field required")
    assert str(caught.value).endswith("more)")


def test_a_report_file_is_read_as_it_was_written(reports: Any, tmp_path: Path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(small(reports)), encoding="utf-8")
    assert read_object(path) == small(reports)
