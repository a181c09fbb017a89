"""The command that imports."""

from pathlib import Path
from typing import Annotated

import typer

from eval.errors import InputError
from eval.importing.draft import Request
from eval.importing.formats.columns import COLUMNS
from eval.importing.registry import FORMATS, read_format
from eval.importing.report import markdown, summary
from eval.importing.result import settle
from eval.importing.write import CORPUS, GOLDEN, write
from eval.writing import require_room

# readable=False: the readers tell in one line what cannot be read


def import_command(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.", show_default=False)],
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE", help="Files, or a folder.", readable=False, show_default=False)
    ],
    to: Annotated[Path, typer.Option(help="The folder to write.", show_default=False, readable=False)],
    corpus: Annotated[Path | None, typer.Option(help="Documents that lie apart from SOURCE.", readable=False)] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Keep the first N usable questions, all documents.")] = None,
    split: Annotated[str | None, typer.Option(help="beir: the judgements to use, qrels/SPLIT.tsv (test).")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="OURS=HEADER", help=f"csv: another header for {', '.join(COLUMNS)}.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write into a folder that holds something.")] = False,
) -> None:
    """Turn a data set of others into a corpus and a golden set; a report tells what was dropped and changed, and why.

    Writes corpus.jsonl, golden-set.json and import-report.md. Ends with 2 where nothing can be used.

    csv: the first line names the columns: question and docs (or answerDocIds);
    also id, answer, type (single, multi or none) and tags. docs holds ids of the
    documents in --corpus, with ; or | between several.
    """
    require_room(to, [*sources, *([corpus] if corpus else [])], replace=replace)
    material = read_format(form, Request(tuple(sources), corpus, split, _columns(column or [])))
    imported = settle(material, limit)
    write(imported, markdown(imported, f"{form}, {', '.join(map(str, sources))}"), to)
    typer.echo(summary(imported))
    typer.echo(f"check it: python -m eval check {to / GOLDEN} --corpus {to / CORPUS}")
    typer.echo(f"run it: python -m runner dataset=jsonl dataset.corpus={to / CORPUS} dataset.golden={to / GOLDEN}")


def _columns(given: list[str]) -> tuple[tuple[str, str], ...]:
    pairs = tuple((ours, header) for ours, _, header in (text.partition("=") for text in given))
    wrong = [f"{ours}={header}" for ours, header in pairs if ours not in COLUMNS or not header]
    if wrong:
        raise InputError(
            f"--column {', '.join(wrong)}: write one of {', '.join(COLUMNS)}, =, and the header in the table"
        )
    return pairs
