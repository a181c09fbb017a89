"""Models of the sentence-transformers library: what tells one from another, and how one is read."""

import hashlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from eval.errors import InputError
from eval.fingerprints import fingerprint
from runner.places import START

T = TypeVar("T")
PACKAGE = "sentence_transformers"
EXTRA = "sentence-transformers"


def model_identity(model: str, revision: str | None) -> str:
    """Package, version and model: the content of a folder, or the name on a hub, which stands for what is there.

    Raises:
        InputError: a file in the folder can't be read.
    """
    folder = _folder(model)
    try:
        which = f"{model}@{revision or 'main'}" if folder is None else f"{folder.name}#{_fingerprint(folder)}"
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be read ({error.strerror}); check who may") from error
    return f"{EXTRA} {version(EXTRA)} {which}"


def read_model(option: str, model: str, device: str, read: Callable[[str, bool], T]) -> T:
    """What ``read`` makes of the model, first from what is on this machine, then from the hub.

    Args:
        option: name of the part in a configuration, for messages.
        model: a folder or a name.
        device: what it is loaded to.
        read: called with the path or name and whether only this machine is looked at.

    Raises:
        InputError: the model is not there or is of another kind, or there is no such device.
    """
    folder = _folder(model)
    try:
        if folder is not None:
            return read(str(folder), True)
        try:
            return read(model, True)
        except (OSError, ValueError):
            return read(model, False)
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:  # missing, unreachable, of another kind
        raise InputError(
            f"{option}.model must be a folder with a model of sentence-transformers, or the name of one on the hub "
            f"(got {model!r}: {_first_line(error)}); save one with save_pretrained and give its path"
        ) from error
    except (RuntimeError, AssertionError) as error:  # what torch raises for a device that it does not know or find
        raise InputError(
            f"{option}.device must be a device of this machine, as cpu or cuda, with room for the model "
            f"(got {device!r}: {_first_line(error)})"
        ) from error


def _folder(model: str) -> Path | None:
    folder = START / Path(model).expanduser()
    return folder if folder.is_dir() else None


def _fingerprint(folder: Path) -> str:
    """Of every file in the folder, hidden ones left out, by relative name and content."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    shown = [name for name in names if not any(part.startswith(".") for part in name.split("/"))]
    return fingerprint([[name, _digest(folder / name)] for name in shown])


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
