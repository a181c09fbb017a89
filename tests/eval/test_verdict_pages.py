"""A verdict as pages: Markdown that renders as it was meant, JUnit XML that any reader takes, JSON without NaN."""

import json
import math
from typing import Any
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from eval.gate.compare import compare
from eval.gate.evidence import weigh
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Evidence, Finding, Verdict
from eval.report.junit import junit_xml
from eval.report.tables import in_line, table
from eval.report.verdict_json import verdict_data
from eval.report.verdict_markdown import in_one_line, job_summary, verdict_markdown

AGAINST = {"name": "handbook v3", "run": "4f1c", "source": "mlruns/mlflow.db"}
NASTY = "bad\x00\x1b[31m\ufffe\x85name\r\nnext\u2028line|\\|end"
GATED = ["recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate"]


def judge(before: Any, now: Any, **rules: Any) -> Verdict:
    return compare(Results.of(before, "it"), Results.of(now, "it"), Gate(**rules), AGAINST, weigh)


def worse(reports: Any) -> Verdict:
    """recall and mrr fall, faithfulness only advises, false refusals rise, refusal_rate has another judge's word."""
    before = [reports.question(f"q{number}") for number in range(9)] + [reports.question("n", "none")]
    now = [
        *(reports.question(f"q{number}", recall=0.0, mrr=0.25, rank=4, false_refusal_rate=1.0) for number in range(6)),
        *(reports.question(f"q{number}", faithfulness=0.0) for number in range(6, 9)),
        reports.question("n", "none"),
    ]
    return judge(reports.report(before), reports.report(now, texts={"doc-q1": "Edited"}))


def cases(xml: str) -> tuple[ElementTree.Element, dict[str, ElementTree.Element]]:
    root = ElementTree.fromstring(xml.encode())  # noqa: S314  # it was written a line above
    suite = root.find("testsuite")
    assert root.tag == "testsuites"
    assert suite is not None
    return suite, {case.attrib["name"]: case for case in suite.findall("testcase")}


def counts(suite: ElementTree.Element) -> list[int]:
    return [int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")]


def cells(markdown: str) -> list[list[str]]:
    """The rows of the first table, as a renderer shows them; header first."""
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            return rows
        elif token.type == "inline" and rows:
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


def test_a_page_shows_the_verdict_every_measure_and_who_is_compared(reports: Any):
    page = job_summary(worse(reports), "s200-bm25")
    assert page.startswith("## Gate: ❌ Regressed – s200-bm25\n\n**❌ Regressed** against handbook v3 (4f1c, mlruns/")
    assert cells(page) == [
        ["metric", "baseline", "run", "change", "tolerance", "state"],
        ["recall", "1.0000", "0.3333", "-0.6667", "0.01", "❌ regressed"],
        ["mrr", "1.0000", "0.5000", "-0.5000", "0.01", "❌ regressed"],
        ["ndcg_at_10", "1.0000", "1.0000", "+0.0000", "0.01", "✅ passed"],
        ["faithfulness", "1.0000", "0.7000", "-0.3000", "0.01", "⚠️ worse, advisory"],
        ["refusal_rate", "1.0000", "1.0000", "+0.0000", "0.01", "✅ passed"],
        ["answer_relevancy", "1.0000", "1.0000", "+0.0000", "0.01", "✅ passed, watched"],
        ["false_refusal_rate (lower is better)", "0.0000", "0.6667", "+0.6667", "0.01", "⚠️ worse, watched"],
    ]
    assert page.endswith("\n")
    assert not page.endswith("\n\n")


def test_flips_stand_with_both_ranks_and_the_mark_of_a_changed_document(reports: Any):
    blocks = verdict_markdown(worse(reports))
    flips = next(block for block in blocks if block.startswith("| question |"))
    assert flips.splitlines()[2:4] == ["| q0 | hit → miss | 1 → 4 |", "| q1* | hit → miss | 1 → 4 |"]
    assert "- questions whose answer documents changed (marked *): q1" in blocks[-1]


def test_the_evidence_says_what_one_question_is_and_why_advice_does_not_block(reports: Any):
    page = job_summary(worse(reports), "run")
    assert (
        "- recall: fell from 1.0000 to 0.3333 (tolerance 0.01); 6 of 9 questions changed (0 better, 6 worse); " in page
    )
    assert "one question is 11.11 points here" in page
    assert "exact McNemar p = 0.031" in page
    assert "does not block: no answers were labelled by people to check this judge with" in page
    assert "- ndcg_at_10:" not in page


def test_many_flips_are_cut_short(reports: Any):
    before = reports.report([reports.question(f"q{number:02}") for number in range(25)])
    now = reports.report([reports.question(f"q{number:02}", recall=0.0) for number in range(25)])
    page = job_summary(judge(before, now), "run")
    assert page.count("hit → miss") == 20
    assert "\n\n5 more in report.json.\n" in page


def test_a_change_beyond_what_a_measure_can_reach_is_not_promised():
    evidence = Evidence(6, 1 / 6, 3, 3, (-1.0, 1.0), 1.0, None, 1.26, "words")
    finding = Finding("recall", gated=True, state="passed", baseline=0.5, current=0.5, delta=0.0, evidence=evidence)
    page = job_summary(Verdict("passed", "fine", findings=(finding,)), "run")
    assert "; 6 questions can't show any change reliably." in page


def test_a_measure_that_was_not_compared_says_why(reports: Any):
    asked = reports.twenty()
    page = job_summary(judge(reports.report(asked), reports.report(asked, prints={"judge": "another"})), "run")
    row = ["faithfulness", "1.0000", "1.0000", "–", "–", "⚠️ incomparable (another judge than the baseline's)"]
    assert cells(page)[4] == row
    assert page.startswith("## Gate: ⚠️ Not judged – run")


def test_a_watched_measure_that_was_lost_is_not_called_worse(reports: Any):
    now = reports.report(reports.twenty())
    del now["metrics"]["answer_relevancy"]
    page = job_summary(judge(reports.report(reports.twenty()), now), "run")
    assert cells(page)[6][-1] == "⚠️ missing, watched (is missing: the baseline has it and the run does not)"


@pytest.mark.parametrize(
    ("verdict", "title"),
    [
        (Verdict("off", "the gate is off"), "Off"),
        (Verdict("no_baseline", "nothing was promoted yet"), "No baseline"),
        (Verdict("not_judged", "its run is gone"), "⚠️ Not judged"),
    ],
)
def test_a_verdict_without_findings_is_a_title_and_a_reason(verdict: Verdict, title: str):
    assert job_summary(verdict, "run") == f"## Gate: {title} – run\n\n**{title}**: {verdict.because}.\n"


@pytest.mark.parametrize(
    "text", ["a|b", "a\\|b", "a\\\\|b", "\\", "|", "C:\\new\\_x", "a\r\nb", "a\u2028b", "x\x1b[2Jy"]
)
def test_a_cell_shows_its_text_whatever_it_holds(text: str):
    assert cells(table(["id", "state"], [[text, "ok"]])) == [["id", "state"], [in_line(text).strip(), "ok"]]


def test_a_line_is_one_line_without_control_characters():
    assert in_line(NASTY) == "bad  [31m\ufffe name next line|\\|end"
    assert in_line("年假 – é\u200d👍🏽") == "年假 – é\u200d👍🏽"


def test_names_with_control_characters_break_neither_line_nor_list_nor_table(reports: Any):
    now = reports.report(reports.twenty(), config={"budget": {"tokens": "6\n\n# 00"}}, dataset=NASTY)
    verdict = compare(
        Results.of(reports.report(reports.twenty()), "it"), Results.of(now, "it"), Gate(), {"name": NASTY}, weigh
    )
    page = job_summary(verdict, NASTY)
    tokens = MarkdownIt("commonmark").enable("table").parse(page)
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h2"]
    assert "budget.tokens is another text" in page
    assert not any(character in page for character in "\r\x00\x1b\x85\u2028")
    assert len(in_one_line(verdict).splitlines()) == 1
    assert len(in_one_line(Verdict("not_judged", "first\nsecond")).splitlines()) == 1


def test_junit_has_a_case_for_each_gated_measure_and_the_rest_as_words(reports: Any):
    suite, found = cases(junit_xml(worse(reports), "s200-bm25"))
    assert list(found) == GATED
    assert counts(suite) == [5, 2, 0, 1]
    assert {case.attrib["classname"] for case in found.values()} == {"evalfirst.gate.s200-bm25"}
    failure = found["recall"].find("failure")
    assert failure is not None
    assert failure.attrib == {"message": "fell from 1.0000 to 0.3333 (tolerance 0.01)", "type": "regressed"}
    skipped = found["faithfulness"].find("skipped")
    assert skipped is not None
    assert "does not block" in skipped.attrib["message"]
    assert (found["recall"].findtext("system-out") or "").startswith(
        "baseline 1.0000, run 0.3333, change -0.6667\n6 of"
    )
    assert [child.tag for child in found["ndcg_at_10"]] == ["system-out"]
    told = suite.findtext("system-out") or ""
    assert "warning: false_refusal_rate rose from 0.0000 to 0.6667" in told
    assert "corpus: 1 edited (doc-q1)" in told


def test_junit_of_a_passed_run_is_all_green(reports: Any):
    report = reports.report(reports.twenty())
    suite, found = cases(junit_xml(judge(report, report), "run"))
    assert counts(suite) == [5, 0, 0, 0]
    assert all(case.find("failure") is None for case in found.values())


def test_junit_tells_failures_errors_and_what_was_not_checked_apart(reports: Any):
    now = reports.report(reports.twenty(), tier="retrieval", prints={"counter": "another"})
    del now["metrics"]["mrr"]
    suite, found = cases(junit_xml(judge(reports.report(reports.twenty()), now), "run"))
    assert {name: [child.tag for child in case if child.tag != "system-out"] for name, case in found.items()} == {
        "recall": ["error"],
        "mrr": ["failure"],
        "ndcg_at_10": [],
        "faithfulness": ["skipped"],
        "refusal_rate": ["skipped"],
    }
    assert counts(suite) == [5, 1, 1, 2]


def test_junit_of_an_incomplete_run_is_not_green_for_any_measure(reports: Any):
    now = reports.report(reports.twenty(), complete=False, incomplete_because="timeout: 3")
    suite, found = cases(junit_xml(judge(reports.report(reports.twenty()), now), "run"))
    assert counts(suite) == [5, 0, 5, 0]
    error = found["mrr"].find("error")
    assert error is not None
    assert error.attrib["message"] == "the run is incomplete: timeout: 3"


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (Verdict("no_baseline", "nothing was promoted yet"), [5, 0, 5, 0]),
        (Verdict("not_judged", "its run is gone"), [5, 0, 5, 0]),
        (Verdict("off", "the gate is off"), [5, 0, 0, 5]),
    ],
)
def test_junit_without_a_comparison_is_not_green(verdict: Verdict, expected: list[int]):
    suite, found = cases(junit_xml(verdict, "run"))
    assert (counts(suite), list(found)) == (expected, GATED)
    assert verdict.because in junit_xml(verdict, "run")


def test_junit_takes_any_character_in_a_name(reports: Any):
    report = reports.report(reports.twenty(), dataset="a]]><&\"'\ud800")
    verdict = compare(Results.of(report, "it"), Results.of(reports.report([]), "it"), Gate(), {"name": NASTY})
    suite, found = cases(junit_xml(verdict, f"{NASTY} ]]> <a> & \" ' \ud800 年假 👍"))
    classname = found["recall"].attrib["classname"]
    assert classname.startswith("evalfirst.gate.bad��[31m�")
    assert classname.endswith("]]> <a> & \" ' � 年假 👍")
    assert "dataset: a]]><&\"'� → handbook" in (suite.findtext("system-out") or "")


def test_json_holds_verdict_measures_flips_and_what_changed(reports: Any):
    data = json.loads(json.dumps(verdict_data(worse(reports)), allow_nan=False))
    assert set(data) == {
        *("verdict", "because", "baseline", "metrics", "flips", "notes", "caveats"),
        *("shared_questions", "golden_set", "corpus"),
    }
    assert (data["verdict"], data["baseline"], data["shared_questions"]) == ("regressed", AGAINST, 10)
    assert data["metrics"]["recall"]["state"] == "regressed"
    assert (data["metrics"]["recall"]["baseline"], data["metrics"]["recall"]["delta"]) == (1.0, -0.6667)
    assert data["flips"] == data["metrics"]["recall"]["evidence"]["flips"]
    assert data["flips"][1] == {
        "id": "q1",
        "baseline": 1.0,
        "current": 0.0,
        "baseline_rank": 1,
        "current_rank": 4,
        "documents_changed": True,
    }
    assert data["corpus"] == {"added": [], "removed": [], "edited": ["doc-q1"], "touched_questions": ["q1"]}
    assert data["golden_set"] == {"added": [], "removed": [], "edited": [], "renamed": {}}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None])
def test_json_never_holds_nan(reports: Any, value: float | None):
    before, now = (reports.report(reports.twenty()) for _ in range(2))
    for metric in before["metrics"]:
        before["metrics"][metric]["value"] = value
        now["questions"][0]["values"][metric] = value
    data = json.loads(json.dumps(verdict_data(judge(before, now)), allow_nan=False))
    assert data["metrics"]["mrr"]["baseline"] is None
    assert data["metrics"]["mrr"]["because"]


def test_json_of_no_comparison_has_no_measures():
    data = verdict_data(Verdict("no_baseline", "nothing was promoted yet"))
    assert (data["baseline"], data["metrics"], data["flips"], data["notes"]) == (None, {}, [], [])
