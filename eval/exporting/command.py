"""The command that exports."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from eval.errors import InputError
from eval.exporting.beir import beir_files
from eval.exporting.notes import notes
from eval.exporting.run_report import of_golden, read_run
from eval.exporting.trec import encoded, qrels, run
from eval.golden.dataset import read_both, to_dataset
from eval.golden.entry import GoldenSet
from eval.golden.read import read_golden
from eval.records import Dataset, Document, Question
from eval.sources.corpus import read_documents
from eval.sources.finding import some
from eval.writing import require_room, write_files

_MOST_PROBLEMS = 5

# readable=False: the readers tell in one line what cannot be read


def export_command(
    golden: Annotated[Path, typer.Argument(help="A golden set, .json or .jsonl.", readable=False)],
    beir: Annotated[Path | None, typer.Option(help="Write the BEIR layout into this folder.", readable=False)] = None,
    trec: Annotated[Path | None, typer.Option(help="Write TREC's qrels.txt into this folder.", readable=False)] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="With --beir: the corpus, a folder or a .jsonl file.", readable=False)
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="With --trec: a run's report.json, for run.txt beside it.", readable=False)
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write into a folder that holds something.")] = False,
) -> None:
    """Write a golden set, its corpus or a run in the forms that other evaluators read, such as ir_measures.

    A run's chunks are collapsed to documents by first appearance; what its numbers mean then is told in notes.
    """
    _check_options(beir, trec, corpus, report)
    for folder in (beir, trec):
        if folder is not None:
            require_room(folder, [path for path in (golden, corpus, report) if path], replace=replace)
    if beir is not None and corpus is not None:
        _export_beir(golden, corpus, beir)
    if trec is not None:
        _export_trec(golden, report, trec)


def _check_options(beir: Path | None, trec: Path | None, corpus: Path | None, report: Path | None) -> None:
    problems = (
        (beir is None and trec is None, "say what to write: --beir FOLDER, --trec FOLDER or both"),
        (beir is not None and trec is not None and beir == trec, "--beir and --trec need a folder each"),
        (beir is not None and corpus is None, "--beir needs the corpus, too: --corpus"),
        (beir is None and corpus is not None, "--corpus is of no use without --beir"),
        (trec is None and report is not None, "--report is of no use without --trec"),
    )
    found = [message for wrong, message in problems if wrong]
    if found:
        raise InputError(*found)


def _export_beir(golden: Path, corpus: Path, folder: Path) -> None:
    documents, questions = read_both(lambda: read_documents(corpus), lambda: read_golden(golden))
    dataset = _dataset(golden, corpus, questions, documents)
    write_files(beir_files(dataset.documents, dataset.questions), folder)
    typer.echo(f"{folder}: {len(dataset.documents)} documents, {len(dataset.questions)} queries, qrels/test.tsv")
    typer.echo("note: tags and sources of questions have no place in this layout")
    if others := sorted(path.name for path in (folder / "qrels").iterdir() if path.name != "test.tsv"):
        typer.echo(f"note: what lay in {folder / 'qrels'} stays, and is of another export: {some(others)}")


def _dataset(golden: Path, corpus: Path, asked: GoldenSet, documents: Sequence[Document]) -> Dataset:
    """The two as one; with the corpus of something else there is a problem with every question, told by a few."""
    try:
        return to_dataset(golden.stem, documents, asked)
    except InputError as error:
        rest = len(error.problems) - _MOST_PROBLEMS
        more = [f"and {rest} more like these; is {corpus} the corpus of {golden}?"] if rest > 0 else []
        raise InputError(*error.problems[:_MOST_PROBLEMS], *more) from error


def _export_trec(golden: Path, report: Path | None, folder: Path) -> None:
    questions = _sound(read_golden(golden))
    ranked = None if report is None else of_golden(read_run(report), report, questions, golden)
    contents = {"qrels.txt": qrels(questions)}
    if ranked is not None:
        contents["run.txt"] = run(ranked.questions, ranked.name)
    removed = write_files(contents, folder, () if "run.txt" in contents else ("run.txt",))
    typer.echo(f"{folder}: {', '.join(contents)}")
    typer.echo("".join(f"note: {name} of an earlier export was removed\n" for name in removed), nl=False)
    names = [question.id for question in questions] + [name for each in questions for name in each.answer_doc_ids]
    names += [] if ranked is None else [name for each in ranked.questions for name in (each.id, *each.doc_ids)]
    for note in [*_general(questions, names), *([] if ranked is None else notes(ranked, questions))]:
        typer.echo(f"note: {note}")


def _sound(golden: GoldenSet) -> tuple[Question, ...]:
    errors = [str(finding) for finding in golden.findings if finding.level == "error"]
    if errors or not golden.entries:
        raise InputError(*(errors or [f"{golden.source}: holds no question"]))
    return golden.questions


def _general(questions: Sequence[Question], names: Sequence[str]) -> list[str]:
    changed = [name for name in dict.fromkeys(names) if encoded(name) != name]
    multi = any(question.type == "multi" for question in questions)
    none = sum(not question.answerable for question in questions)
    found = (
        (multi, "TREC's files can't say that a multi question needs all its documents; each counts by itself"),
        (none > 0, f"{none} questions of type none have no judgement, and evaluators leave them out"),
        (len(changed) > 0, f"blanks and % in ids are written as %20 and %25 (urllib.parse.unquote): {some(changed)}"),
    )
    return [note for holds, note in found if holds]
