"""What promptfoo's assertions say of a right answer."""

from collections.abc import Mapping, Sequence
from typing import Any

import regex

# Assertions whose value is the answer itself or a part of it, the most telling first.
_ANSWERS = ("factuality", "model-graded-factuality", "context-recall", "equals", "similar", "icontains", "contains")
_TYPED = regex.compile(r"(?P<type>[a-z][a-z-]*)(?:\([\d.]+\))?(?::\s*(?P<value>.*))?", regex.DOTALL)
_KINDS = frozenset({*_ANSWERS, "is-refusal", "llm-rubric", "grade", "javascript", "fn", "eval", "python", "is-json",
                    "contains-json", "contains-any", "contains-all", "icontains-any", "icontains-all", "regex",
                    "starts-with", "levenshtein", "rouge-n", "bleu", "answer-relevance", "context-relevance",
                    "context-faithfulness", "latency", "cost", "webhook", "moderation", "file"})  # fmt: skip


def asserted(found: Any) -> list[Mapping[str, Any]]:
    """The assertions of a test, those inside sets of assertions too."""
    listed: list[Mapping[str, Any]] = []
    for item in found if isinstance(found, Sequence) and not isinstance(found, str) else ():
        if isinstance(item, Mapping):
            listed += [item, *asserted(item.get("assert"))]
    return listed


def from_cell(cell: str) -> Mapping[str, Any]:
    """An assertion as a table writes it: ``type: value``, ``type(threshold): value``, or the answer itself."""
    matched = _TYPED.fullmatch(cell.strip())
    if matched and matched["type"].removeprefix("not-") in _KINDS:
        return {"type": matched["type"], "value": matched["value"] or ""}
    return {"type": "equals", "value": cell}


def refuses(assertions: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a refusal is what the test wants."""
    return any(assertion.get("type") == "is-refusal" for assertion in assertions)


def answer(assertions: Sequence[Mapping[str, Any]]) -> str:
    """The right answer as the most telling assertion has it; nothing where none is plain text."""
    for kind in _ANSWERS:
        for assertion in assertions:
            value = assertion.get("value")
            if assertion.get("type") == kind and isinstance(value, str) and is_plain(value):
                return value
    return ""


def is_plain(text: str) -> bool:
    """Whether the text stands for itself: it is no template and no reference to a file."""
    return "{{" not in text and not text.startswith("file://")
