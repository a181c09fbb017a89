"""A small language for places in JSON.

- ``answer`` is the value under that name, ``data.answer`` the one below ``data``; names may hold blanks and any script.
- ``choices[0]`` is the first item of a list, ``choices[-1]`` its last.
- ``hits[*]`` are all items of a list, ``hits[*].passage`` what each of them has there. Lists of lists become one list.
- ``["odd.name"]`` is a name with dots or brackets, written as JSON writes text.
- ``$`` is the whole; it may also stand before any other path, as in ``$.answer`` and ``$[*]``.

A place that is not there is an error that names the path, never nothing.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator

_STEP = re.compile(
    r"""
    (?P<dot>\.)?(?P<name>[^.\[\]"]+) | \[(?P<place>-?\d{1,9})\] | \[(?P<all>\*)\] | \[(?P<quoted>"(?:[^"\\]|\\.)*")\]
    """,
    re.VERBOSE,
)
_RULE = 'must be a path such as data.answer, hits[0].text, hits[*] or ["odd.name"]'


class MismatchError(Exception):
    """JSON is not as a path says: the place is not there, or it holds something else than it should."""


class _All:
    """The step to every item of a list."""


Step = str | int | _All


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A path, as it was written, and its steps."""

    written: str
    steps: tuple[Step, ...]

    @property
    def many(self) -> bool:
        """Whether it leads to a list of values, however many there are."""
        return any(isinstance(step, _All) for step in self.steps)

    def find(self, value: Any) -> Any:
        """What ``value`` holds there; a list where the path leads to many.

        Raises:
            MismatchError: a step leads nowhere; the path is named.
        """
        found = [value]
        for step in self.steps:
            found = [below for each in found for below in self._below(each, step)]
        return found if self.many else found[0]

    def _below(self, value: Any, step: Step) -> list[Any]:
        if isinstance(step, _All) and isinstance(value, list):
            return value
        if isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value):
            return [value[step]]
        if isinstance(step, str) and isinstance(value, Mapping) and step in value:
            return [value[step]]
        raise MismatchError(f"there is no {self.written}")


@cache
def json_path(written: str) -> JsonPath:
    """The path that a text writes.

    Raises:
        ValueError: it is none.
    """
    steps: list[Step] = []
    rest = written.removeprefix("$")
    place = 0
    while place < len(rest):
        step = _STEP.match(rest, place)
        begins = place == 0 and rest == written
        if step is None or (step["name"] and begins == bool(step["dot"])):
            raise ValueError(f"{_RULE} (got {written!r})")
        steps.append(_step(step))
        place = step.end()
    if not written:
        raise ValueError(f"{_RULE} (got nothing); $ is the whole")
    return JsonPath(written, tuple(steps))


def _step(found: re.Match[str]) -> Step:
    if found["all"]:
        return _All()
    if found["place"]:
        return int(found["place"])
    return str(json.loads(found["quoted"])) if found["quoted"] else found["name"]


def _checked(written: str) -> str:
    json_path(written)
    return written


Written = Annotated[str, AfterValidator(_checked)]
"""A path, checked when a part with it is built."""
