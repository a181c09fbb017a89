"""A verdict as JUnit XML, which continuous integration shows: one test case for each gated measure."""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from eval.gate.verdict import UNJUDGED, Finding, Verdict
from eval.metrics.measures import GATED
from eval.report.verdict_markdown import in_one_line

# What XML 1.0 has no place for.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(verdict: Verdict, run_name: str) -> str:
    """The test suite; ends with a line end.

    A regressed or missing measure is a failure; one that could not be judged, an error; one that was not checked or
    may not block, skipped. Without findings every gated measure is an error: a gate that did not judge is not green.
    """
    suite = Element("testsuite", name="evalfirst gate")
    gated = [finding for finding in verdict.findings if finding.gated]
    for finding in gated or [Finding(metric.name, gated=True, state="incomparable") for metric in GATED]:
        case = SubElement(suite, "testcase", classname=_legal(f"evalfirst.gate.{run_name}"), name=finding.metric)
        _outcome(case, finding, verdict)
    for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(kind, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite)))
    warnings = [f"warning: {finding.metric} {finding.because}" for finding in verdict.warnings]
    SubElement(suite, "system-out").text = _legal(
        "\n".join([in_one_line(verdict), *warnings, *verdict.notes, *verdict.caveats])
    )
    suites = Element("testsuites")
    suites.append(suite)
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _outcome(case: Element, finding: Finding, verdict: Verdict) -> None:
    message = _legal(finding.because or verdict.because)
    if verdict.verdict == "off":
        SubElement(case, "skipped", message=message)
    elif finding.fails:
        SubElement(case, "failure", message=message, type=finding.state)
    elif finding.state in UNJUDGED:
        SubElement(case, "error", message=message, type=finding.state)
    elif verdict.verdict == "not_judged":
        SubElement(case, "error", message=_legal(verdict.because), type="not_judged")
    elif finding.state != "passed":
        SubElement(case, "skipped", message=message)
    if finding.delta is not None:
        line = f"baseline {finding.baseline:.4f}, run {finding.current:.4f}, change {finding.delta:+.4f}"
        told = f"{line}\n{finding.evidence.words}" if finding.evidence is not None else line
        SubElement(case, "system-out").text = _legal(told)


def _legal(text: str) -> str:
    return _ILLEGAL.sub("�", text)
