"""The border that everything from somebody else's system crosses, whichever kind of system it is."""

from eval.records import Unscored
from runner.foreign_text import cleaned, excerpt, reason
from runner.records import Passage, Response


def received(given: Response | Unscored) -> Response | Unscored:
    """What a system gave, fit for files and terminals; reasons are short and hold no secret. See ``foreign_text``."""
    if isinstance(given, Unscored):
        return Unscored(reason(given.reason), excerpt(given.raw), given.calls)
    return Response(tuple(map(_passage, given.passages)), _cleaned(given.answer), given.calls)


def _passage(given: Passage) -> Passage:
    return Passage(_cleaned(given.text), _cleaned(given.doc_id), _cleaned(given.id), cleaned(given.title), given.score)


def _cleaned(text: str | None) -> str | None:
    return None if text is None else cleaned(text)
