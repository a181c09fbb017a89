"""Texts to the files of a folder: nothing written over by accident, no file ever half there."""

import errno
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from eval.errors import InputError

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def require_room(folder: Path, sources: Sequence[Path], *, replace: bool) -> None:
    """Refuse, before anything is read, a folder that holds something, or that holds the sources themselves.

    Raises:
        InputError: what is there would be written over.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; name a folder to write to")
    holders = {source.resolve() if source.is_dir() else source.resolve().parent for source in sources}
    if folder.is_dir() and folder.resolve() in holders:
        raise InputError(f"{folder}: is where the sources lie, which could be written over; name another folder")
    if folder.is_dir() and any(folder.iterdir()) and not replace:
        raise InputError(f"{folder}: is not empty; name another folder, or allow it with --replace")


def write_files(contents: Mapping[str, str], folder: Path, outdated: Sequence[str] = ()) -> list[str]:
    """Each text under its name below ``folder``, in UTF-8 and with ``\\n``; other files there stay as they are.

    All are written beside their places before the first is put there: where the disk is full, nothing has changed.

    Args:
        contents: text by name; a name may lead into a folder below.
        folder: is made where it is not there.
        outdated: names of files that an earlier writing left and that would not belong to these; they are removed.

    Returns:
        Which of ``outdated`` were there.

    Raises:
        InputError: the folder can't be written to.
    """
    paths = {folder / name: content for name, content in contents.items()}
    if taken := [path for path in paths if path.is_dir()]:
        raise InputError(*(f"{path}: is a folder where a file is to be written; move it away" for path in taken))
    with _told(folder), _made(folder, paths), _parts(paths) as parts:
        for path, part in parts.items():
            part.write_bytes(paths[path].encode())
        removed = [name for name in outdated if (folder / name).is_file()]
        for name in removed:
            (folder / name).unlink()
        for path, part in parts.items():
            part.replace(path)
    return removed


@contextmanager
def _parts(paths: Mapping[Path, str]) -> Iterator[Mapping[Path, Path]]:
    """A hidden file beside each place, gone afterwards unless it was put there."""
    parts = {path: path.with_name(f".{path.name}.part") for path in paths}
    try:
        yield parts
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


@contextmanager
def _made(folder: Path, paths: Mapping[Path, str]) -> Iterator[None]:
    """The folders of ``paths``; those that were not there are gone again where writing fails."""
    new: list[Path] = []
    try:
        for wanted in dict.fromkeys([folder, *(path.parent for path in paths)]):
            absent = [each for each in (wanted, *wanted.parents) if not each.exists()]
            for each in reversed(absent):
                each.mkdir(exist_ok=True)
                new.append(each)
        yield
    except BaseException:
        for each in reversed(new):
            with suppress(OSError):  # not empty, where some files were put there
                each.rmdir()
        raise


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """What the system refuses, as one line that names ``folder`` and a remedy for just that."""
    try:
        yield
    except OSError as error:
        remedy = "make room there" if error.errno in _FULL else "check the path and who may write there"
        raise InputError(f"{folder}: cannot be written ({error.strerror}); {remedy}, or name another folder") from error
