"""Which of two runs answers a question better: asked in both orders, and counted only where both say the same."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval.chat.messages import Call, ChatRequest
from eval.component import component
from eval.judges.asking import InvalidReplyError, ask, only_object
from eval.judges.llm import PROMPTS
from eval.judges.reply_form import bare_word
from eval.prompting.framing import Frame, frame_for
from eval.prompting.prompted import Prompted
from eval.records import Unscored
from eval.refusals import is_refusal

Outcome = Literal["a", "b", "draw"]
Place = Literal["first", "second", "equal"]

PLACES = frozenset({"tag", "material", "question", "first", "second"})
MISSHAPEN = "the judge's reply names no better answer"
NO_ANSWER = "there are no two answers"
# Why a pair ended as it did.
AGREED, DISAGREED = "the same in both orders", "the two orders disagree"
IDENTICAL, BOTH_REFUSE = "identical answers", "both refuse"

_WORDS: dict[Place, str] = {
    "first": "first, the first, first answer, the first answer, 1, 第一个, 第一个回答, 第一个答案",
    "second": "second, the second, second answer, the second answer, 2, 第二个, 第二个回答, 第二个答案",
    "equal": "equal, tie, draw, neither, both, same, 相同, 平局, 一样, 相当",
}
_KNOWN: dict[str, Place] = {word: place for place, words in _WORDS.items() for word in words.split(", ")}
_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reason", "better"],
    "properties": {"reason": {"type": "string"}, "better": {"type": "string", "enum": list(_WORDS)}},
}
_USUAL_TOKENS = 60  # of a reply, for an estimate


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs' answers to one question; ``None`` where a run has none.

    ``material`` is the context that the answers were given; where the second run had another one, ``material_b`` is it.
    """

    id: str
    question: str
    material: str
    answer_a: str | None
    answer_b: str | None
    material_b: str | None = None


@dataclass(frozen=True, slots=True)
class Preference:
    """Which answer is better, or why that is not known.

    ``places`` is what the model chose with A's answer first and then with B's first, empty where it was not asked.
    ``refused`` says which of the two answers refuse.
    """

    id: str
    outcome: Outcome | Unscored
    why: str
    places: tuple[Place, ...] = ()
    refused: tuple[bool, bool] = (False, False)
    calls: tuple[Call, ...] = ()


class _Choice(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    reason: str | None = None  # nothing rests on it
    better: str


@component
class PairwiseJudge(Prompted):
    """Asks ``model`` twice per pair, each answer standing first once (Zheng et al., NeurIPS 2023).

    A draw: the two orders disagree, or both call the answers equal; identical answers and two refusals are draws
    without asking. An answer that talks a model into choosing it does so in both orders: nothing here prevents that.
    """

    SHIPPED: ClassVar = PROMPTS
    PLACES: ClassVar = PLACES

    prompt: str = "pairwise-1"
    max_tokens: Annotated[int, Field(ge=1)] = 500

    def prefer(self, pair: Pair) -> Preference:
        """The better answer of one pair; unscored where one is missing or a reply is of no use."""
        if pair.answer_a is None or pair.answer_b is None:
            return Preference(pair.id, Unscored(NO_ANSWER), NO_ANSWER)
        refused = is_refusal(pair.answer_a), is_refusal(pair.answer_b)
        if pair.answer_a.split() == pair.answer_b.split():
            return Preference(pair.id, "draw", IDENTICAL, refused=refused)
        if all(refused):
            return Preference(pair.id, "draw", BOTH_REFUSE, refused=refused)
        return self._asked(pair, refused)

    def _asked(self, pair: Pair, refused: tuple[bool, bool]) -> Preference:
        calls: tuple[Call, ...] = ()
        places: list[Place] = []
        for a_first in (True, False):
            reply = ask(self.model, self._request(pair, a_first), _place)
            calls += reply.calls
            if isinstance(reply, Unscored):
                return Preference(pair.id, reply, reply.reason, tuple(places), refused, calls)
            places.append(reply.value)
        one, other = _outcome(places[0], a_first=True), _outcome(places[1], a_first=False)
        why = AGREED if one == other else DISAGREED
        return Preference(pair.id, one if one == other else "draw", why, tuple(places), refused, calls)

    def _request(self, pair: Pair, a_first: bool) -> ChatRequest:
        second_material = pair.material if pair.material_b is None else pair.material_b
        sides = [(str(pair.answer_a), pair.material), (str(pair.answer_b), second_material)]
        (first, its_material), (second, other_material) = sides if a_first else reversed(sides)
        frame = frame_for([its_material, other_material, pair.question, first, second])
        values = {
            "tag": frame.tag,
            "material": _materials(frame, its_material, other_material),
            "question": frame.block("question", pair.question),
            "first": frame.block("first-answer", first),
            "second": frame.block("second-answer", second),
        }
        return self._prompt.request(values, self.max_tokens, _SCHEMA, min(_USUAL_TOKENS, self.max_tokens))


def _materials(frame: Frame, first: str, second: str) -> str:
    if first == second:
        return frame.block("material", first)
    return f"{frame.block('material-of-first-answer', first)}\n{frame.block('material-of-second-answer', second)}"


def _place(text: str) -> Place:
    try:
        choice = _Choice.model_validate(only_object(text))
    except ValidationError as error:
        raise InvalidReplyError(MISSHAPEN, "it needs the text better") from error
    place = _KNOWN.get(bare_word(choice.better))
    if place is None:
        raise InvalidReplyError(MISSHAPEN, "better must be first, second or equal")
    return place


def _outcome(place: Place, a_first: bool) -> Outcome:
    if place == "equal":
        return "draw"
    return "a" if (place == "first") == a_first else "b"
