"""The form that a judge's reply must have: its fields, the words for a verdict, the anchors of relevancy."""

from collections.abc import Mapping
from typing import Annotated, Any

import regex
from pydantic import BaseModel, BeforeValidator, ConfigDict

from eval.records import Verdict
from eval.text.analyzer import normalise

ANCHORS = (1.0, 0.6, 0.3, 0.0)

_WORDS: dict[Verdict, str] = {
    "supported": "supported, yes, fully supported, 是, 是的, 支持, 已支持, 被支持, 有依据, 得到支持",
    # a statement is supported as a whole or not at all
    "unsupported": "unsupported, no, not supported, contradicted, partial, partially, partly, partially supported, "
    "partly supported, 否, 不是, 不支持, 没有依据, 无依据, 未得到支持, 未支持, 未被支持, 部分, 部分支持",
    "undecidable": "undecidable, not decidable, n/a, not applicable, 无法判断, 不可判断, 不适用",
}
VERDICTS: Mapping[str, Verdict] = {word: verdict for verdict, words in _WORDS.items() for word in words.split(", ")}
"""The words that are read as verdicts, whatever their case, the full stop behind them and their emphasis.

"idk", "unknown" and 不确定 are not among them: a judge that does not know has not judged, and taking the statement out
of the count would be a gift to the answer. ``true`` and ``false`` are none either.
"""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["statements", "unsupported_sentences", "relevancy"],
    "properties": {
        "statements": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["number", "quotation", "reason", "verdict"],
                "properties": {  # what a verdict rests on is written before it
                    "number": {"type": "integer"},
                    "quotation": {"type": "string"},
                    "reason": {"type": "string"},
                    "verdict": {"type": "string", "enum": list(_WORDS)},
                },
            },
        },
        "unsupported_sentences": {"type": "array", "items": {"type": "string"}},
        "relevancy": {"type": "number", "enum": list(ANCHORS)},
    },
}


_NUMBER = regex.compile(r"\s*\d{1,4}(?:\.\d{1,4})?\s*", regex.ASCII)
_AROUND = " .!。\"'*`"


def bare_word(text: str) -> str:
    """One word or phrase of a reply as it is compared: without case, emphasis and full stop, ``_`` as a blank."""
    return " ".join(normalise(text).replace("_", " ").split()).strip(_AROUND)


def _number(value: object) -> object:
    """A number that is written as a text, as that number; everything else as it is."""
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


def _whole(value: object) -> object:
    number = _number(value)
    return int(number) if isinstance(number, float) and number.is_integer() else number


class Judged(BaseModel):
    """What a reply says of one statement; fields beyond these are left alone."""

    model_config = ConfigDict(strict=True, frozen=True)
    number: Annotated[int, BeforeValidator(_whole)]
    quotation: str | None  # null is how some write that there is none
    reason: str | None = None  # no verdict rests on it
    verdict: str

    @property
    def known_verdict(self) -> Verdict | None:
        """The verdict that the word stands for, if it is a known word."""
        return VERDICTS.get(bare_word(self.verdict))


class JudgeReply(BaseModel):
    """A reply's fields, none of which may be missing.

    ``unsupported_sentences`` may hold a statement's number for its text, and null stands for an empty list.
    """

    model_config = ConfigDict(strict=True, frozen=True)
    statements: list[Judged]
    unsupported_sentences: list[str | int] | None
    relevancy: Annotated[float, BeforeValidator(_number)]
