"""What a model thought before it replied is no part of the reply."""

import re
from typing import Literal

# Where a reply's thinking begins: behind an opening tag of its own, or at once, as the prompt's template opened it.
Thinking = Literal["tagged", "untagged"]

_TAG = r"(?:think|thinking|thought|reasoning)"
_CLOSED = re.compile(rf"\s*<({_TAG})>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_UNCLOSED = re.compile(rf"\s*<{_TAG}>.*", re.DOTALL | re.IGNORECASE)
_UNTAGGED = re.compile(r".*?</think>\s*", re.DOTALL | re.IGNORECASE)


def without_thinking(text: str, begins: Thinking = "tagged") -> str:
    """``text`` without the thinking that it begins with, closed or cut off.

    A closing tag alone means nothing unless ``begins`` says so: a document may hold one, and a reply may quote it.
    """
    if begins == "untagged":
        untagged = _UNTAGGED.match(text)
        return text[untagged.end() :] if untagged else text
    while closed := _CLOSED.match(text):
        text = text[closed.end() :]
    unclosed = _UNCLOSED.match(text)
    return text[unclosed.end() :] if unclosed else text
