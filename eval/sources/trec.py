"""A collection as TREC hands it out: a corpus, queries as a table or JSON lines, and judgements in four columns."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from eval.errors import InputError
from eval.golden.entry import GoldenSet
from eval.records import Document
from eval.sources.beir import attempt, judged_set
from eval.sources.corpus import read_documents
from eval.sources.finding import Finding
from eval.sources.jsonl import read_rows
from eval.sources.qrels import Judgements, read_trec_qrels
from eval.sources.strict_json import Row, Rows
from eval.sources.text_file import decoded

_BARE = (
    "there is no corpus: documents are known by their ids alone and have no tokens, so recall counts whole rankings, "
    "whatever the budget"
)


def read_trec(corpus: Path | None, queries: Path, qrels: Path) -> tuple[Sequence[Document], GoldenSet]:
    """Documents and questions. ``corpus`` is a folder or JSON lines; ``queries`` JSON lines, or ``qid<TAB>text``.

    A judgement above 0 makes a document an answer; any of a query's will do. A query without one is left out and
    counted. Without a corpus the documents are those that are judged, without text.

    Raises:
        InputError: a file cannot be read, or the corpus is wrong: one line, with file and line, for each problem.
            What is wrong with queries and judgements is told in the set's findings.
    """
    problems: list[str] = []
    rows = attempt(lambda: _queries(queries), problems)
    judged = attempt(lambda: read_trec_qrels(qrels), problems)
    documents = attempt(lambda: _documents(corpus, judged), problems)
    if documents is None or rows is None or judged is None:
        raise InputError(*problems)
    golden = judged_set(str(queries), rows, judged, documents)
    return documents, golden if corpus else replace(golden, notes=(*golden.notes, _BARE))


def _documents(corpus: Path | None, judged: Judgements | None) -> Sequence[Document]:
    if corpus:
        return read_documents(corpus)
    return [Document(name, "") for name in dict.fromkeys(row.doc_id for row in judged.rows)] if judged else []


def _queries(path: Path) -> Rows:
    return read_rows(path) if path.suffix.lower() == ".jsonl" else _table(path)


def _table(path: Path) -> Rows:
    rows: list[Row] = []
    errors: list[Finding] = []
    for number, line in enumerate(decoded(path).split("\n"), start=1):
        name, tab, text = line.rstrip("\r").partition("\t")
        if tab:
            rows.append(Row(f"{path}:{number}", {"_id": name.strip(), "text": text.strip()}))
        elif name.strip():
            errors.append(Finding("error", f"{path}:{number}", "must be an id, a tab and the question's text"))
    return Rows(tuple(rows), tuple(errors))
