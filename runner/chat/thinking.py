"""What a model thought before it replied is no part of the reply."""

import re

_TAG = r"(?:think|thinking|thought|reasoning)"
# Some chat templates write the opening tag into the prompt, so that a reply starts inside of the thinking.
_CLOSED = re.compile(rf"\s*<{_TAG}>.*?</{_TAG}>\s*", re.DOTALL | re.IGNORECASE)
_HALF = re.compile(r"(?:(?!<think>).)*?</think>\s*", re.DOTALL | re.IGNORECASE)
_UNCLOSED = re.compile(rf"\s*<{_TAG}>.*", re.DOTALL | re.IGNORECASE)


def without_thinking(text: str) -> str:
    """``text`` without the thinking that it begins with, whether closed, cut off, or opened by the prompt."""
    shorter = text
    while closed := _CLOSED.match(shorter):
        shorter = shorter[closed.end() :]
    if unclosed := _UNCLOSED.match(shorter):
        return shorter[unclosed.end() :]
    if shorter is text and (half := _HALF.match(text)):
        return text[half.end() :]
    return shorter
