"""The agreement with human labels as people read it."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.labels.agreement import Pair, told_apart
from eval.report.tables import in_line, plain, table

NONE_YET = (
    "None yet: nobody has labelled answers of this system. `python -m runner.labels sample RUN` draws some, and "
    "`python -m runner.labels review` asks about them."
)
MOST_LISTED = 20


def agreement_markdown(data: Mapping[str, Any] | None) -> list[str]:
    """Section 5 of the report, from the object under its ``agreement``; blocks to stand with a line between."""
    head = "## 5. Agreement with human labels"
    return [head, NONE_YET] if data is None else [head, *numbers_markdown(data), *_by_id(data["disagreements"])]


def numbers_markdown(data: Mapping[str, Any]) -> list[str]:
    """The numbers, what they hide, and which labels are about other answers."""
    return [block for block in (_which(data), _sum(data), _matrix(data), _warnings(data), _stale(data)) if block]


def _which(data: Mapping[str, Any]) -> str:
    if data.get("run_judge", data["judge"]) == data["judge"]:
        return ""
    return f"**The labels are about another judge** (`{data['judge']}`), this run's is `{data['run_judge']}`:"


def _sum(data: Mapping[str, Any]) -> str:
    low, high = data["interval"]
    kappa = "undefined, as chance alone would agree on all" if data["kappa"] is None else f"{data['kappa']:.2f}"
    current = f" {data['current']} of the labels are about answers of this run." if "current" in data else ""
    return (
        f"Judge and people agree on {data['agreement']:.2f} of {data['labels']} labelled answers (95 % interval "
        f"{low:.2f} to {high:.2f}); Cohen's kappa: {kappa}.{current}"
    )


def _matrix(data: Mapping[str, Any]) -> str:
    lost, wrongly = data["unsupported"] - data["found"], data["supported"] - data["kept"]
    rows = [
        ["unsupported", data["found"], lost, _share(data["recall"]["unsupported"])],
        ["supported", wrongly, data["kept"], _share(data["recall"]["supported"])],
    ]
    return table(["people say", "judge: unsupported", "judge: supported", "share that the judge got right"], rows)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _warnings(data: Mapping[str, Any]) -> str:
    return "\n".join(f"- **{warning}**" for warning in data["warnings"])


def _stale(data: Mapping[str, Any]) -> str:
    stale: Sequence[str] = data.get("stale", ())
    if not stale:
        return ""
    more = [f"- and {len(stale) - MOST_LISTED} more"] if len(stale) > MOST_LISTED else []
    lines = [f"- {plain(in_line(line))}" for line in stale[:MOST_LISTED]]
    return "\n".join(["Labels that are about other answers than this run's:", "", *lines, *more])


def _by_id(disagreements: Sequence[Mapping[str, Any]]) -> list[str]:
    if not disagreements:
        return []
    rows = [[each["id"], each["people"], each["judge"]] for each in disagreements[:MOST_LISTED]]
    more = [f"{len(disagreements) - MOST_LISTED} more in report.json."] if len(disagreements) > MOST_LISTED else []
    told = "Disagreements; `python -m runner.labels agreement RUN` gives both sides' reasons:"
    return [told, table(["question", "people say", "the judge says"], rows), *more]


def disagreements_markdown(pairs: Sequence[Pair]) -> list[str]:
    """Each disagreement with the reasons of both."""
    return ["Disagreements:", "\n".join(line for pair in pairs for line in _reasons(pair))] if pairs else []


def _reasons(pair: Pair) -> list[str]:
    told = told_apart(pair)
    note = plain(in_line(told["note"])) or "no note"
    said = [f"“{plain(in_line(each['text']))}” ({_why(each)})" for each in told["sentences"]]
    return [
        f"- **{plain(in_line(told['id']))}**: people say {told['people']}, the judge says {told['judge']}",
        f"  - people: {note}",
        f"  - judge: {'; '.join(said) or 'it found no statement in the answer'}",
    ]


def _why(statement: Mapping[str, str]) -> str:
    return ": ".join(filter(None, (statement["verdict"], plain(in_line(statement["reason"])))))
