"""Prompts as files: a system part, a dividing line, a user part, and named places that are filled once."""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regex

from eval.chat.messages import ChatRequest
from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.sources.text_file import read_text

DIVIDER = "=== user ==="
_PLACE = regex.compile(r"\{\{([^{}\n]*)\}\}")
_DIVIDING = regex.compile(rf"^{DIVIDER}[^\S\n]*$", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with ``{{name}}`` where texts go. ``version`` follows from what the file held, not from its name."""

    version: str
    system: str
    user: str

    def request(
        self, values: Mapping[str, str], max_tokens: int, schema: Mapping[str, Any] | None, expected_tokens: int
    ) -> ChatRequest:
        """The request with each place filled in a single pass: what a value holds is never read as a place."""
        system, user = (_PLACE.sub(lambda place: values[place[1].strip()], part) for part in (self.system, self.user))
        return ChatRequest(system, user, max_tokens, schema, expected_tokens)


def load_prompt(name: str, shipped: Path, places: Set[str]) -> Prompt:
    """The prompt ``name``: one of the folder ``shipped``, or a file of one's own, whose path ends with ``.md``.

    A relative path starts at the current folder. A version follows from the content alone, with line ends as ``\\n``.

    Raises:
        InputError: it cannot be read, is not divided in two, or has other places than ``places``, each once.
    """
    path = _path(name, shipped)
    text = read_text(path)
    if problems := _problems(text, places):
        raise InputError(*(f"{path}: {problem}" for problem in problems))
    system, user = (part.strip() for part in _DIVIDING.split(text))
    return Prompt(fingerprint(text), system, user)


def _path(name: str, shipped: Path) -> Path:
    if name.endswith(".md"):
        return Path(name).expanduser()
    known = sorted(path.stem for path in shipped.glob("*.md"))
    if name not in known:
        raise InputError(f"prompt must be one of {', '.join(known)} or a path that ends with .md (got {name!r})")
    return shipped / f"{name}.md"


def _problems(text: str, places: Set[str]) -> list[str]:
    parts = _DIVIDING.split(text)
    divided = len(parts) == 2 and all(part.strip() for part in parts)
    problems = [] if divided else [f"needs a system part, one line {DIVIDER!r}, and a user part"]
    found = Counter(place.strip() for place in _PLACE.findall(text))
    problems += [f"{{{{{name}}}}} is missing; put it where that text belongs" for name in sorted(places - set(found))]
    known = ", ".join(sorted(places))
    problems += [f"{{{{{name}}}}} is not known here; known are {known}" for name in sorted(set(found) - places)]
    twice = sorted(name for name in places if found[name] > 1)
    return problems + [f"{{{{{name}}}}} stands {found[name]} times; keep one" for name in twice]
