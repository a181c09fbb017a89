"""Which column of a table is which: by its name, a name of our own files, or what the command says."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import regex

from eval.errors import InputError
from eval.importing.reading.tables import shown_header

COLUMNS = ("id", "question", "answer", "docs", "type", "tags")
_ALSO = {"docs": ("answerDocIds",)}  # as a golden set calls it
_NEEDED = ("question", "docs")
_JOINTS = regex.compile(r"[\s_-]+")


def named(path: Path, header: Sequence[str], given: Mapping[str, str]) -> Mapping[str, str]:
    """The header of each of our columns that is there; capitals, blanks, ``_`` and ``-`` make no difference.

    Args:
        path: what the errors call the table.
        header: the names in the table, none twice.
        given: the header for some of ours, as the command has it.

    Raises:
        InputError: a column that is needed or given is not there, or two say the same.
    """
    found = {ours: _found(ours, header, given) for ours in COLUMNS}
    absent = [ours for ours in _NEEDED if not found[ours] and ours not in given]
    absent += [theirs for theirs in given.values() if theirs not in header]
    problems = [f"{ours}: {' and '.join(map(repr, names))}" for ours, names in found.items() if len(names) > 1]
    if absent:
        names = ", ".join(map(_called, absent))
        raise InputError(f"{path}:1: has no column {names}; its columns are {shown_header(header)}: {_remedy(absent)}")
    if problems:
        raise InputError(*(f"{path}:1: two columns for {told}; say which with --column" for told in problems))
    return {ours: names[0] for ours, names in found.items() if names}


def _found(ours: str, header: Sequence[str], given: Mapping[str, str]) -> list[str]:
    if ours in given:
        return [given[ours]]
    wanted = {_plain(name) for name in (ours, *_ALSO.get(ours, ()))}
    return [name for name in header if _plain(name) in wanted and name not in given.values()]


def _called(name: str) -> str:
    return f"{name} (or {' or '.join(_ALSO[name])})" if name in _ALSO else name


def _remedy(absent: Sequence[str]) -> str:
    options = " ".join(f"--column {ours}=NAME" for ours in _NEEDED if ours in absent)
    return f"say which is which with {options}" if options else "correct --column"


def _plain(name: str) -> str:
    return _JOINTS.sub("", name).casefold()
