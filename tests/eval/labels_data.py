"""Reports with answers, as far as labels are about them."""

from collections.abc import Sequence
from typing import Any

SAID = {"+": "supported", "-": "unsupported", "?": "undecidable"}
PRINTS = {"corpus": "c", "golden_set": "g", "config": "k", "judge": "lexical", "counter": "o200k_base", "code": "e"}


def answered(number: int, verdicts: str = "+", **changes: Any) -> dict[str, Any]:
    """A question of a report; a sign per statement of its answer: + supported, - unsupported, ? undecidable."""
    decided = verdicts.count("+") + verdicts.count("-")
    statements = [{"text": f"Fact {sign}.", "verdict": SAID[sign], "reason": f"because {sign}"} for sign in verdicts]
    question = {
        "id": f"q{number:02}",
        "question": f"What is {number}?",
        "type": "single",
        "answer": f"It is {number}. It is no other.",
        "material": f"The number {number}.",
        "hit": True,
        "refused": False,
        "context": [{"doc_id": "d", "chunk_id": "d#0", "rank": 1, "tokens": 9, "cut": False}],
        "judgement": {"faithfulness": 0.0, "relevancy": 0.5, "statements": statements},
        "values": {"faithfulness": verdicts.count("+") / decided if decided else 0.0, "recall": 1.0},
    }
    return question | changes


def refused(number: int) -> dict[str, Any]:
    """A question that the system refused."""
    return answered(number, "", answer="I can't tell.", refused=True, type="none", hit=None) | {
        "values": {"faithfulness": 1.0}
    }


def unscored(number: int) -> dict[str, Any]:
    """A question whose answer the judge gave no value."""
    return answered(number) | {"judgement": {"unscored": "timeout"}, "values": {"faithfulness": None}}


def a_report(questions: Sequence[dict[str, Any]], **prints: str) -> dict[str, Any]:
    """A report; keywords replace fingerprints."""
    return {"run": {"dataset": "handbook-en"}, "fingerprints": {**PRINTS, **prints}, "questions": list(questions)}
