"""A folder of Markdown and text files as a corpus."""

import os
from collections.abc import Iterator
from pathlib import Path

from eval.errors import InputError
from eval.records import Document
from eval.sources.finding import WrongValueError
from eval.sources.identifier import identifier
from eval.sources.text_file import read_text, unreadable

SUFFIXES = (".md", ".txt")
LEFT_BY_RUNS = "mlruns"  # reports are Markdown too, and no documents


def read_folder(folder: Path) -> list[Document]:
    """Every ``.md`` and ``.txt`` file below ``folder``, in the order of their relative paths.

    Hidden files and folders are left out, and so are a folder named ``mlruns`` and any folder with a run's record:
    the reports in them are no documents.

    A document's id is its relative path with ``/`` and without the suffix. Links are followed.

    Raises:
        InputError: one line for each file or folder that cannot be read, for two files of one id, for no files.
    """
    problems: list[str] = []
    files = sorted(_files(folder, (), problems), key=lambda path: path.relative_to(folder).as_posix())
    if not files and not problems:
        problems.append(f"{folder}: holds no document; a corpus is a folder of {' or '.join(SUFFIXES)} files")
    named = _named(folder, files, problems)
    documents = [_document(name, path, problems) for name, path in named.items()]
    if problems:
        raise InputError(*problems)
    return [document for document in documents if document is not None]


def _files(folder: Path, above: tuple[str, ...], problems: list[str]) -> Iterator[Path]:
    real = os.path.realpath(folder)
    if real in above:
        problems.append(f"{folder}: links back to a folder that holds it; remove the link")
        return
    for path, is_folder in _listing(folder, problems):
        if is_folder:
            yield from _files(path, (*above, real), problems)
        elif path.suffix.lower() in SUFFIXES:
            yield path


def _listing(folder: Path, problems: list[str]) -> list[tuple[Path, bool]]:
    try:
        return [(path, path.is_dir()) for path in sorted(folder.iterdir()) if _counts(path)]
    except NotADirectoryError:
        problems.append(f"{folder}: is a file; a corpus is a folder of {' or '.join(SUFFIXES)} files, or a .jsonl file")
    except OSError as error:
        problems.append(unreadable(folder, error))
    return []


def _counts(path: Path) -> bool:
    left_by_a_run = (path / "run.json").is_file() and (path / "report.md").is_file()
    return not path.name.startswith(".") and path.name != LEFT_BY_RUNS and not left_by_a_run


def _named(folder: Path, files: list[Path], problems: list[str]) -> dict[str, Path]:
    """The files by their ids, in the same order."""
    named: dict[str, Path] = {}
    for path in files:
        try:
            name = identifier(path.relative_to(folder).with_suffix("").as_posix())
        except WrongValueError as error:
            problems.append(f"{folder}: the name of a file {error}; rename it")
            continue
        if name in named:
            problems.append(f"{path}: gives the id {name!r}, and so does {named[name]}; rename one of them")
        named.setdefault(name, path)
    return named


def _document(name: str, path: Path, problems: list[str]) -> Document | None:
    if not path.is_file():  # a pipe would wait for ever, a link may point nowhere
        problems.append(f"{path}: is not a file that can be read; remove it or repair the link")
        return None
    try:
        return Document(name, read_text(path))
    except InputError as error:
        problems.extend(error.problems)
        return None
