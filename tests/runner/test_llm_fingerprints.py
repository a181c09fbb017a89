"""What the fingerprints of a run with chat models follow from: models, settings of replies, prompts; not patience."""

from pathlib import Path
from typing import Any

import pytest

from eval.chat.scripted import ScriptedChat
from eval.judges.llm import LlmJudge
from runner.fingerprints import counting

MODEL: dict[str, Any] = {
    "_target_": "runner.chat.openai_compatible.OpenAICompatible",
    "name": "m",
    "base_url": "http://127.0.0.1:1/v1",
    "temperature": 0.0,
    "key_env": "A",
    "concurrency": 8,
    "timeout_s": 60.0,
    "tries": 5,
    "stream": False,
    "usd_per_million": None,
}
JUDGE = {"_target_": "eval.judges.llm.LlmJudge", "prompt": "faithfulness-1", "max_tokens": 2000, "model": MODEL}


PATIENCE: list[dict[str, Any]] = [
    {"key_env": None},
    {"concurrency": 1},
    {"timeout_s": 5.0},
    {"tries": 1},
    {"stream": True},
    {"usd_per_million": {"input": 1.0, "output": 2.0}},
]


@pytest.mark.parametrize("change", PATIENCE, ids=str)
def test_how_patient_the_client_is_and_what_it_pays_counts_for_nothing(change: dict[str, Any]):
    assert counting({**JUDGE, "model": {**MODEL, **change}}) == counting(JUDGE)


@pytest.mark.parametrize(
    "change", [{"name": "n"}, {"temperature": 1.0}, {"base_url": "http://127.0.0.1:2/v1"}], ids=str
)
def test_the_model_where_it_is_and_how_it_is_asked_count(change: dict[str, Any]):
    assert counting({**JUDGE, "model": {**MODEL, **change}}) != counting(JUDGE)


def test_settings_of_parts_without_a_model_count_all():
    node = {"_target_": "eval.judges.lexical.LexicalJudge", "min_overlap": 0.6, "list": [{"a": 1}]}
    assert counting(node) == node


def test_the_same_prompt_under_another_content_is_another_version(tmp_path: Path):
    shipped = Path(__file__).parents[2] / "eval" / "judges" / "prompts" / "faithfulness-1.md"
    own = tmp_path / "own.md"
    own.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    before = LlmJudge(model=ScriptedChat(), prompt=str(own)).prompt_version
    own.write_text(shipped.read_text(encoding="utf-8") + "Be strict.\n", encoding="utf-8")
    assert LlmJudge(model=ScriptedChat(), prompt=str(own)).prompt_version != before
