"""Texts to the files of a folder: nothing written over by accident, no file ever half there."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from eval.errors import InputError
from eval.sources.text_file import unreadable


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


def write_files(contents: Mapping[str, str], folder: Path) -> None:
    """Each text under its name below ``folder``, in UTF-8 and with ``\\n``; other files there stay as they are.

    Raises:
        InputError: the folder can't be written to.
    """
    try:
        for name, content in contents.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(content.encode())
            part.replace(path)
    except OSError as error:
        raise InputError(unreadable(folder, error).replace("be read", "be written")) from error
