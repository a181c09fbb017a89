"""The sentences with which this project's own generators refuse, one per language."""

from eval.text.scripts import Language

REFUSALS: dict[Language, str] = {
    "en": "The documents do not answer this question.",
    "zh": "资料中没有找到这个问题的答案。",
}
