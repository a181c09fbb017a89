"""An import as files: corpus.jsonl, golden-set.json and import-report.md, the same bytes for the same source."""

import json
from pathlib import Path

from eval.importing.questions import Sourced
from eval.importing.result import Imported
from eval.records import Document
from eval.writing import write_files

CORPUS, GOLDEN, REPORT = "corpus.jsonl", "golden-set.json", "import-report.md"


def write(imported: Imported, report: str, folder: Path) -> None:
    """Write the three files, each as a whole; other files in the folder stay.

    Raises:
        InputError: the folder can't be written to.
    """
    contents = {
        CORPUS: "".join(map(_document, imported.documents)),
        GOLDEN: "[\n" + ",\n".join(map(_entry, imported.questions)) + "\n]\n",
        REPORT: report,
    }
    write_files(contents, folder)


def _document(document: Document) -> str:
    return _json({"_id": document.id, "title": document.title, "text": document.text}) + "\n"


def _entry(sourced: Sourced) -> str:
    question = sourced.question
    entry = {
        "id": question.id,
        "question": question.text,
        "answerDocIds": list(question.answer_doc_ids),
        "type": question.type,
        **({} if question.answer is None else {"answer": question.answer}),
        **({"tags": list(question.tags)} if question.tags else {}),
        "source": sourced.source,
    }
    return "  " + _json(entry)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
