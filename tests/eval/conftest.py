"""Reports of runs for the tests of the gate, written as a run would write them."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from eval.fingerprints import fingerprint
from eval.gate.results import Results
from eval.metrics.mean import mean_of
from eval.metrics.measures import METRICS
from eval.records import Document, Question, Unscored

_ANSWER = {metric.name for metric in METRICS if metric.group == "answer"}
_SOUND = {
    "single": ("recall", "recall_single"),
    "multi": ("recall", "recall_multi"),
    "none": ("refusal_rate", "faithfulness"),
}
_ANSWERABLE = ("mrr", "ndcg_at_10", "doc_ndcg_at_10", "faithfulness", "faithfulness_answered", "answer_relevancy")


class Reports:
    """Writes questions and reports; what is not said is a run in which everything went well."""

    def question(self, name: str, kind: str = "single", text: str = "", rank: int | None = 1, **values: Any) -> Any:
        """One question of a report. ``values`` are measures; an ``Unscored`` stands for a value that is lacking.

        ``recall`` of a ``single`` question is its ``recall_single``, too, and so for ``multi``.
        """
        documents = {"single": (f"doc-{name}",), "multi": (f"doc-{name}", "doc-shared"), "none": ()}[kind]
        asked = Question(name, text or f"What of {name}?", kind, documents)  # type: ignore[arg-type]
        sound = dict.fromkeys((*_SOUND[kind], *(_ANSWERABLE if kind != "none" else ())), 1.0)
        sound |= {} if kind == "none" else {"false_refusal_rate": 0.0}
        if "recall" in values:
            values[f"recall_{kind}"] = values["recall"]
        given = sound | values
        return {
            "id": name,
            "question": asked.text,
            "type": kind,
            "answer_doc_ids": list(documents),
            "fingerprint": asked.fingerprint,
            "hit": bool(given.get("recall")) if kind != "none" else None,
            "first_hit_rank": rank if kind != "none" else None,
            "values": {key: None if isinstance(value, Unscored) else value for key, value in given.items()},
            "unscored": {key: value.reason for key, value in given.items() if isinstance(value, Unscored)},
            "answer": f"The answer to {name}.",
            "judgement": {"statements": [{"text": f"The answer to {name}.", "verdict": "supported", "reason": ""}]},
        }

    def report(
        self,
        questions: Iterable[Any],
        tier: str = "full",
        texts: Mapping[str, str] | None = None,
        prints: Mapping[str, str] | None = None,
        config: Mapping[str, Any] | None = None,
        **run: Any,
    ) -> Any:
        """A report over ``questions``. ``texts`` replaces or adds documents; ``prints`` replaces fingerprints."""
        asked = [_in_tier(question, tier) for question in questions]
        named = sorted({name for question in asked for name in question["answer_doc_ids"]} | {"doc-other"})
        corpus = {name: Document(name, f"Text of {name}") for name in named}
        corpus |= {name: Document(name, text) for name, text in (texts or {}).items()}
        documents = {name: document.fingerprint for name, document in corpus.items()}
        return {
            "run": {
                "id": "run-1",
                "name": "s200-bm25",
                "dataset": "handbook",
                "tier": tier,
                "status": "FINISHED",
                "complete": True,
                "incomplete_because": None,
                **run,
            },
            "config": {"budget": {"tokens": 600}, **(config or {})},
            "fingerprints": {
                "corpus": fingerprint(sorted(documents.values())),
                "golden_set": fingerprint(sorted([question["id"], question["fingerprint"]] for question in asked)),
                "judge": "lexical",
                "counter": "o200k_base",
                "code": "c0de",
                **(prints or {}),
            },
            "metrics": _metrics(asked, tier),
            "questions": asked,
            "documents": documents,
            "documents_total": len(documents),
            "probes": [{"name": "fabrication (en)", "score": 0.1, "expected": "", "passed": True}],
            "agreement": None,
        }

    def results(self, *arguments: Any, **named: Any) -> Results:
        """The same, as the gate reads it."""
        return Results.of(self.report(*arguments, **named), "a report")

    def twenty(self) -> list[Any]:
        """A golden set of 20: 13 single, 4 multi, 3 none."""
        kinds = ["single"] * 13 + ["multi"] * 4 + ["none"] * 3
        return [self.question(f"q{number:02}", kind) for number, kind in enumerate(kinds, 1)]


def _in_tier(question: Any, tier: str) -> Any:
    if tier == "full":
        return question
    kept = {name: value for name, value in question["values"].items() if name not in _ANSWER}
    return {**question, "values": kept, "unscored": {}, "answer": None, "judgement": None}


def _metrics(questions: list[Any], tier: str) -> dict[str, Any]:
    """Each measure's mean with its ledger."""
    means = {
        metric.name: mean_of(
            Unscored(question["unscored"][metric.name])
            if metric.name in question["unscored"]
            else question["values"].get(metric.name)
            for question in questions
        )
        for metric in METRICS
        if tier == "full" or metric.group == "retrieval"
    }
    return {
        name: {
            "value": mean.value,
            "attempted": mean.attempted,
            "scored": mean.scored,
            "unscored": dict(mean.unscored),
        }
        for name, mean in means.items()
    }


@pytest.fixture(scope="session")
def reports() -> Reports:
    """A writer of reports."""
    return Reports()
