"""A corpus by its path: a folder of files, or JSON lines."""

from pathlib import Path

from eval.records import Document
from eval.sources.folder import read_folder
from eval.sources.jsonl import read_corpus


def read_documents(path: Path) -> list[Document]:
    """The documents of a folder or of a ``.jsonl`` file.

    Raises:
        InputError: it cannot be read, or something in it is wrong.
    """
    return read_corpus(path) if path.suffix.lower() == ".jsonl" else read_folder(path)
