"""Where the things are that travel with the package: configurations, example corpora, golden sets."""

from pathlib import Path

import eval as scale
from eval.errors import InputError
from runner.places import START

PREFIX = "shipped:"

_RUNNER = Path(__file__).parent
_SCALE = Path(scale.__file__ or "").parent
# An installed package carries them in a folder of its own; in a clone they lie beside the packages.
_TRAVELLING = _RUNNER / "shipped" if (_RUNNER / "shipped").is_dir() else _RUNNER.parent


def shipped(path: str) -> Path:
    """The place of a shipped folder or file, or of something in one: ``conf``, ``corpus/en``, ``eval/golden-set.json``.

    Raises:
        InputError: nothing of that name is shipped.
    """
    places = _shipped_places()
    parts = Path(path).parts
    for depth in range(len(parts), 0, -1):
        place = places.get("/".join(parts[:depth]))
        wanted = place.joinpath(*parts[depth:]) if place else None
        if wanted and ".." not in parts and wanted.exists():
            return wanted
    raise InputError(f"{PREFIX}{path} is not shipped; shipped are {', '.join(places)}")


def resolve(path: str) -> Path:
    """The path that a configuration names: ``shipped:…``, absolute, or relative to the folder of the start.

    Raises:
        InputError: it is empty, or nothing of that name is shipped.
    """
    if not path.strip():
        raise InputError(f"a path must not be blank (got {path!r}); name a file or folder")
    if path.startswith(PREFIX):
        return shipped(path.removeprefix(PREFIX))
    return START / Path(path).expanduser()


def _shipped_places() -> dict[str, Path]:
    """What can be named, in a fixed order."""
    corpora = sorted(place for place in (_TRAVELLING / "corpus").glob("*") if place.is_dir())
    files = sorted(_SCALE.glob("*.json"))
    return {
        "conf": _TRAVELLING / "conf",
        **{f"corpus/{place.name}": place for place in corpora},
        **{f"eval/{place.name}": place for place in files},
    }
