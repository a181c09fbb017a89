"""What a run tells of somebody else's system."""

from collections.abc import Callable, Mapping, Sequence

from eval.records import Unscored
from eval.sources.finding import some
from runner.records import Passage, Response

_Has = Callable[[Response], bool]


def _any(has: Callable[[Passage], bool]) -> _Has:
    return lambda response: any(map(has, response.passages))


_FOUND: Mapping[str, tuple[str, _Has]] = {
    "doc_id": ("passage", _any(lambda passage: passage.doc_id is not None)),
    "doc_id_key": ("passage", _any(lambda passage: passage.doc_id is not None)),
    "id": ("passage", _any(lambda passage: passage.id is not None)),
    "title": ("passage", _any(lambda passage: bool(passage.title))),
    "score": ("passage", _any(lambda passage: passage.score is not None)),
    "input_tokens": ("response", lambda response: any(call.input_tokens for call in response.calls)),
    "output_tokens": ("response", lambda response: any(call.output_tokens for call in response.calls)),
}


def counted(number: int, one: str, many: str) -> str:
    """The number, and what there is one or many of."""
    return f"{number} {one if number == 1 else many}"


def listed(names: Sequence[str], one: str, many: str) -> tuple[str, ...]:
    """A note that counts and names them; none where there are none."""
    return (f"{counted(len(names), one, many)}: {some(names)}",) if names else ()


def unfound(options: Mapping[str, str | None], responses: Sequence[Response | Unscored]) -> tuple[str, ...]:
    """A note for each of the options that is set and found nothing in any response with passages: perhaps a slip."""
    given = [response for response in responses if isinstance(response, Response) and response.passages]
    notes = []
    for option, written in options.items():
        what, has = _FOUND[option]
        if written is not None and given and not any(map(has, given)):
            notes.append(f"no {what} has a {written!r} (system.{option}); is it the right name?")
    return tuple(notes)
