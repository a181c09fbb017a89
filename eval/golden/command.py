"""The command that checks a golden set."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from eval.errors import InputError
from eval.golden.check import check
from eval.golden.dataset import read_both
from eval.golden.entry import GoldenSet
from eval.golden.read import read_golden
from eval.records import QUESTION_TYPES, Document
from eval.sources.beir import read_beir
from eval.sources.corpus import read_documents

# readable=False: the readers tell in one line what cannot be read


def check_command(
    golden: Annotated[
        Path | None, typer.Argument(help="A golden set, .json or .jsonl.", readable=False, show_default=False)
    ] = None,
    corpus: Annotated[Path | None, typer.Option(help="Its corpus: a folder, or a .jsonl file.", readable=False)] = None,
    beir: Annotated[
        Path | None, typer.Option(help="Instead of both: a folder in the BEIR layout.", readable=False)
    ] = None,
    split: Annotated[str, typer.Option(help="With --beir: the judgements to use, qrels/SPLIT.tsv.")] = "test",
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail, too.")] = False,
) -> None:
    """Check a golden set against its corpus: errors and warnings with file and line, then a summary.

    Ends with 0, or with 2 when there are errors (with --strict: or warnings).
    """
    documents, questions = _read(golden, corpus, beir, split)
    findings = check(questions, documents)
    for finding in findings:
        typer.echo(f"{finding.where}: {finding.level}: {finding.message}")
    errors = sum(finding.level == "error" for finding in findings)
    warnings = len(findings) - errors
    typer.echo(_summary(documents, questions, errors, warnings))
    if errors or (strict and warnings):
        raise typer.Exit(InputError.exit_code)


def _read(
    golden: Path | None, corpus: Path | None, beir: Path | None, split: str
) -> tuple[Sequence[Document], GoldenSet]:
    if beir is not None and golden is None and corpus is None:
        return read_beir(beir, split)
    if beir is None and golden is not None and corpus is not None:
        return read_both(lambda: read_documents(corpus), lambda: read_golden(golden))
    raise InputError("name a golden set and its --corpus, or a folder with --beir alone")


def _summary(documents: Sequence[Document], golden: GoldenSet, errors: int, warnings: int) -> str:
    types = Counter(question.type for question in golden.questions)
    answers = {doc_id for question in golden.questions for doc_id in question.answer_doc_ids}
    rows = [
        ("questions", len(golden.entries)),
        *((f"  {kind}", types[kind]) for kind in QUESTION_TYPES),
        ("documents", len(documents)),
        ("answer documents", len(answers)),
        ("errors", errors),
        ("warnings", warnings),
    ]
    lines = [f"{name:<18}{number:>6}" for name, number in rows]
    return "\n".join([*lines, *(f"note: {note}" for note in golden.notes)])
