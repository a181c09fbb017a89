"""The formats that can be imported, each by the name that the command takes."""

from collections.abc import Callable
from dataclasses import dataclass

from eval.errors import InputError
from eval.importing.draft import Material, Request
from eval.importing.formats import autorag, beir, hotpotqa, multihop_rag, promptfoo, ragas, squad, table


@dataclass(frozen=True, slots=True)
class Format:
    """A reader, and which of the options it has a use for."""

    read: Callable[[Request], Material]
    options: frozenset[str] = frozenset()


FORMATS = {
    "beir": Format(beir.read, frozenset({"split"})),
    "squad": Format(squad.read),
    "hotpotqa": Format(hotpotqa.read),
    "multihop-rag": Format(multihop_rag.read, frozenset({"corpus"})),
    "ragas": Format(ragas.read, frozenset({"corpus"})),
    "autorag": Format(autorag.read, frozenset({"corpus"})),
    "promptfoo": Format(promptfoo.read, frozenset({"corpus"})),
    "csv": Format(table.read, frozenset({"corpus", "column"})),
}


def read_format(name: str, request: Request) -> Material:
    """What the reader of that name finds.

    Raises:
        InputError: there is no such format, an option is of no use to it, or its files can't be read.
    """
    if name not in FORMATS:
        raise InputError(f"format {name!r} is not known; known are {', '.join(FORMATS)}")
    given = {"corpus": request.corpus, "split": request.split, "column": request.columns or None}
    problems = [
        f"--{option} is of no use to {name}; it is for {', '.join(_users(option))}"
        for option, value in given.items()
        if value is not None and option not in FORMATS[name].options
    ]
    problems += [f"{source}: is not there; check the path" for source in request.sources if not source.exists()]
    if problems:
        raise InputError(*problems)
    return FORMATS[name].read(request)


def _users(option: str) -> list[str]:
    return [name for name, form in FORMATS.items() if option in form.options]
