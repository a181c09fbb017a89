"""What the probes expect can be said in a reply."""

import json
from typing import Any

import pytest

from eval.chat.messages import ChatRequest, Completion
from eval.judges.llm import LlmJudge
from eval.judges.probes import PROBES, Probe
from eval.records import Judgement


class Clerk:
    """A model that judges the probes as it should, to show that what they expect can be said in a reply."""

    name, vendor, concurrency = "clerk", "", 1

    def complete(self, request: ChatRequest) -> Completion:
        probe = next(each for each in PROBES if each.question in request.user and f"\n{each.answer}\n<" in request.user)
        statements = [line for line in request.user.split("<statement-")[1:] if "\n" in line]
        texts = [statement.split("\n")[1] for statement in statements]
        rows = [self._row(number, text, probe) for number, text in enumerate(texts, 1)]
        unsupported = [text for text, row in zip(texts, rows, strict=True) if row["verdict"] == "unsupported"]
        content = {"statements": rows, "unsupported_sentences": unsupported, "relevancy": 1.0}
        return Completion(f"Here you are.\n```json\n{json.dumps(content, ensure_ascii=False)}\n```", "stop")

    def forget(self, request: ChatRequest) -> None:
        """Nothing is kept."""

    def _row(self, number: int, text: str, probe: Probe) -> dict[str, Any]:
        held = probe.least > 0.9 or text in probe.context
        quotation, verdict = (probe.context, "supported") if held else ("", "unsupported")
        return {"number": number, "quotation": quotation, "reason": "", "verdict": verdict}


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_a_model_that_judges_well_passes_every_probe(probe: Probe) -> None:
    found = LlmJudge(model=Clerk()).judge(probe.question, probe.context, probe.answer)
    assert isinstance(found, Judgement)
    assert probe.passes(found)
