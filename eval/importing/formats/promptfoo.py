"""promptfoo's tests: variables for a prompt and assertions on its output, in YAML, JSON, JSON lines or a table."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.importing.contexts import Contexts, concluded
from eval.importing.draft import DraftQuestion, Material, Needs, Request
from eval.importing.formats.assertions import answer, asserted, from_cell, is_plain, refuses
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.rows import drop_errors, read_object, read_objects, usable
from eval.importing.reading.tables import SUFFIXES, read_table
from eval.importing.reading.values import optional_text, text_of, texts_of
from eval.importing.reading.yaml_tests import read_yaml
from eval.sources.corpus import read_documents
from eval.sources.strict_json import Row, Rows

_QUESTIONS = ("question", "query", "user_input", "input", "prompt", "user_query", "message")
_CONTEXTS = ("context", "contexts", "documents")
_REFERENCES = ("reference", "ground_truth", "expected_answer", "reference_answer", "expectedAnswer", "answer")
_GUESS = "several passages of one test are all needed"


def read(request: Request) -> Material:
    """Passages in the variable ``context`` become documents, or are found in documents of ``--corpus``.

    A test with the assertion ``is-refusal`` and without passages of its own is ``none``; with passages they stay in
    the corpus as distractors. Assertions themselves are not brought over, but for the answer that they hold.

    Raises:
        InputError: a file cannot be read, or names another file where its tests should stand.
    """
    material = Material(Ledger())
    contexts = Contexts(material, None if request.corpus is None else read_documents(request.corpus))
    material.ledger.note("assertions are not brought over; an answer is taken from the one that says it")
    for path in request.sources:
        shared, rows = _tests(path)
        drop_errors(rows, "questions", material.ledger)
        read_row = partial(_question, shared=shared, contexts=contexts)
        material.questions += usable(rows.rows, read_row, "questions", material.ledger)
    return material


def _tests(path: Path) -> tuple[Mapping[str, Any], Rows]:
    """What all tests share, and the tests, each ``{"vars", "assert"}``."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        table = read_table(path)
        return {}, Rows(tuple(Row(row.where, _from_table(row.value)) for row in table.rows), table.errors)
    if suffix in {".yaml", ".yml"}:
        whole, rows = read_yaml(path, "tests")
    else:
        rows = read_objects(path, ("tests",))
        whole = read_object(path) if rows.rows and rows.rows[0].where.startswith(f"{path}: ") else {}
    if not rows.rows and isinstance(whole.get("tests"), str):
        raise InputError(f"{path}: its tests stand elsewhere; import that file: {whole['tests']}")
    shared = whole.get("defaultTest")
    return (shared if isinstance(shared, Mapping) else {}), rows


def _from_table(cells: Mapping[str, str]) -> dict[str, Any]:
    expected = [cell for name, cell in cells.items() if name.startswith("__expected") and cell]
    variables = {name: cell for name, cell in cells.items() if not name.startswith("__") and cell}
    return {"vars": variables, "assert": [from_cell(cell) for cell in expected]}


def _question(row: Row, shared: Mapping[str, Any], contexts: Contexts) -> DraftQuestion:
    variables = {**_object(shared, "vars"), **_object(row.value, "vars")}
    if not variables:
        raise UnusableError("has no vars of its own; write the question into vars")
    text = _plain(text_of(variables, *_QUESTIONS), "question")
    assertions = [*asserted(row.value.get("assert")), *asserted(shared.get("assert"))]
    unanswerable = refuses(assertions)
    needs = () if unanswerable and contexts.in_corpus else _needs(variables, row.where, contexts)
    reference = optional_text(variables, *_REFERENCES)
    return DraftQuestion(
        row.where,
        text,
        () if unanswerable else needs,
        unanswerable=unanswerable,
        guess="" if unanswerable else concluded(needs, _GUESS),
        answer="" if unanswerable else (reference if reference and is_plain(reference) else answer(assertions)),
    )


def _needs(variables: Mapping[str, Any], where: str, contexts: Contexts) -> Needs:
    name = next((name for name in _CONTEXTS if variables.get(name)), None)
    if name is None:
        return ()
    return contexts.needs([_plain(text, name) for text in texts_of(variables[name], name)], where)


def _plain(text: str, name: str) -> str:
    if not is_plain(text):
        raise UnusableError(f"{name} is a template or a file; write the text itself", repr(text[:60]))
    return text


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}
