"""RAGAS test sets (Es et al. 2023): a question, a reference answer and the passages that it was made from."""

from collections.abc import Mapping
from typing import Any, Literal

import regex

from eval.importing.contexts import Contexts, concluded
from eval.importing.draft import DraftQuestion, Material, Needs, Request, any_of
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.printed_lists import parse_list
from eval.importing.reading.rows import drop_errors, read_objects, usable
from eval.importing.reading.tables import SUFFIXES, read_table
from eval.importing.reading.values import optional_text, text_of, texts_of
from eval.sources.corpus import read_documents
from eval.sources.strict_json import Row

_HOP = regex.compile(r"^\s*<\d+-hop>\s*")  # stands before each passage of a multi-hop question
_GUESS = "a reference made from several passages needs all of them"


def read(request: Request) -> Material:
    """Columns of today (user_input, reference, reference_contexts) and before (question, ground_truth, contexts).

    A passage becomes a document, or is found in a document of ``--corpus``. All passages of a question are needed
    unless its synthesizer is a single-hop one.

    Raises:
        InputError: a file cannot be read.
    """
    material = Material(Ledger())
    contexts = Contexts(material, None if request.corpus is None else read_documents(request.corpus))
    material.ledger.note("marks like <1-hop> before passages are left out, and so are columns of styles and personas")
    for path in request.sources:
        rows = read_table(path) if path.suffix.lower() in SUFFIXES else read_objects(path)
        drop_errors(rows, "questions", material.ledger)
        material.questions += usable(rows.rows, lambda row: _question(row, contexts), "questions", material.ledger)
    return material


def _question(row: Row, contexts: Contexts) -> DraftQuestion:
    text = text_of(row.value, "user_input", "question")
    maker = optional_text(row.value, "synthesizer_name", "evolution_type")
    hops = _hops(maker)
    needs = contexts.needs(_passages(row.value), row.where)
    return DraftQuestion(
        row.where,
        text,
        _either(needs) if hops == "single" else needs,
        declared_multi=hops == "multi",
        guess="" if hops else concluded(needs, _GUESS),
        answer=optional_text(row.value, "reference", "ground_truth", "ground_truths"),
        tags=(maker,) if maker else (),
    )


def _passages(value: Mapping[str, Any]) -> list[str]:
    """The passages of the reference: ``contexts`` beside a system's answer are what that system retrieved."""
    name = "reference_contexts"
    if value.get(name) is None and "contexts" in value:
        name = "contexts"
        if value.get("answer") is not None or value.get("response") is not None:
            raise UnusableError("contexts stand beside a system's answer: they were retrieved, and are no reference")
    found = value.get(name)
    passages = parse_list(found, name) if isinstance(found, str) else texts_of(found, name)
    return [_HOP.sub("", passage) for passage in passages]


def _hops(maker: str) -> Literal["single", "multi", ""]:
    """What the name of a synthesizer says, in the spellings of several versions."""
    plain = maker.lower().replace("_", "")
    if plain.startswith("singlehop"):
        return "single"
    return "multi" if "multihop" in plain or plain == "multicontext" else ""


def _either(needs: Needs) -> Needs:
    return any_of(key for group in needs for key in group)
