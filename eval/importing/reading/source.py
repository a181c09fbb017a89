"""Where a format's files lie: given one by one, or in a folder under their usual names."""

from collections.abc import Sequence
from pathlib import Path

from eval.errors import InputError
from eval.importing.draft import Request
from eval.importing.reading.kinds import listing


def one_folder(request: Request) -> Path:
    """The only source, a folder.

    Raises:
        InputError: it is something else.
    """
    if len(request.sources) != 1 or not request.sources[0].is_dir():
        raise InputError(f"this format is read from one folder (got {_shown(request.sources)})")
    return request.sources[0]


def require_files(paths: Sequence[Path]) -> None:
    """Raise ``InputError`` for all that are not there, with what lies in their place."""
    absent = [path for path in paths if not path.is_file()]
    if absent:
        raise InputError(*(f"{path}: is no file; {path.parent} holds {listing(path.parent)}" for path in absent))


def file_and_corpus(request: Request, file_names: Sequence[str], corpus_name: str) -> tuple[Path, Path]:
    """The file of the questions and the file of the documents, which lies beside it unless ``--corpus`` says where.

    Raises:
        InputError: there is not exactly one source, or one of the two is missing.
    """
    if len(request.sources) != 1:
        raise InputError(_several(request.sources))
    source = request.sources[0]
    folder = source if source.is_dir() else source.parent
    questions = next((folder / name for name in file_names if (folder / name).is_file()), None)
    questions = questions if source.is_dir() else source
    corpus = request.corpus or folder / corpus_name
    problems = []
    if questions is None:
        problems.append(f"{folder}: holds no {' or '.join(file_names)}; name the file itself, and its --corpus")
    if not corpus.is_file():
        problems.append(f"{corpus}: is no file; name the file of the documents with --corpus")
    if questions is None or problems:
        raise InputError(*problems)
    return questions, corpus


def _several(sources: Sequence[Path]) -> str:
    """With the command as it was probably meant: the documents are the second file."""
    told = "this format is read from one folder, or from one file of questions with the documents as --corpus"
    meant = f"; write {sources[0]} --corpus {sources[1]}" if len(sources) == 2 else ""
    return f"{told} (got {_shown(sources)}){meant}"


def _shown(sources: Sequence[Path]) -> str:
    return ", ".join(map(str, sources)) or "none"
