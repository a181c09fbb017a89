"""What is wrong or doubtful about a golden set, held against its corpus."""

from collections.abc import Iterator, Sequence, Set

from eval.golden.answers import answer_warnings
from eval.golden.distractors import distractor_warnings
from eval.golden.entry import Entry, GoldenSet
from eval.golden.near_duplicates import near_duplicate_warnings
from eval.records import Document, Question
from eval.sources.finding import Finding, some
from eval.sources.text_file import is_blank

FEWEST_QUESTIONS = 20
FEWEST_OF_TYPE = 3
SMALLEST_SHARE = 10  # percent of the questions that should be multi, and none


def check(golden: GoldenSet, documents: Sequence[Document]) -> list[Finding]:
    """Everything found: first what a run refuses, then the other errors, then the warnings."""
    read = golden.findings
    warnings = [finding for finding in read if finding.level == "warning"]
    if golden.entries:
        warnings += _proportions(golden)
        warnings += near_duplicate_warnings(golden.entries)
        warnings += distractor_warnings(golden.entries, documents)
        warnings += answer_warnings(golden.entries, documents)
    return [*refusals(golden, documents), *_thin_hops(golden), *warnings]


def refusals(golden: GoldenSet, documents: Sequence[Document]) -> list[Finding]:
    """The errors that would make the measures meaningless: no run starts with one of them."""
    errors = [finding for finding in golden.findings if finding.level == "error"]
    if not golden.entries and not errors:
        errors.append(Finding("error", golden.source, "holds no question; there is nothing to measure with"))
    known = frozenset(document.id for document in documents)
    for entry in golden.entries:
        errors.extend(Finding("error", entry.where, problem) for problem in _problems(entry.question, known))
    return errors


def thin_multis(golden: GoldenSet) -> list[Entry]:
    """Multi-hop questions with a single document: they can be measured, but there is no second hop."""
    return [
        entry for entry in golden.entries if entry.question.type == "multi" and len(entry.question.answer_doc_ids) == 1
    ]


def _problems(question: Question, known: Set[str]) -> Iterator[str]:
    listed = question.answer_doc_ids
    if is_blank(question.text):
        yield f"{question.id} has a blank question; write it or remove the entry"
    if question.answerable and not listed:
        yield f"{question.id} is {question.type} and lists no document; list what answers it, or make it none"
    if not question.answerable and listed:
        yield f"{question.id} is none, yet lists {some(listed)}; empty the list, or make it single or multi"
    missing = [doc_id for doc_id in listed if doc_id not in known]
    if missing:
        yield f"{question.id} lists what the corpus does not hold: {some(missing)}; {_remedy(missing, known)}"


def _remedy(missing: Sequence[str], known: Set[str]) -> str:
    """A file's name is the commonest slip: an id is the path without its suffix."""
    bare = [doc_id.replace("\\", "/").removesuffix(".md").removesuffix(".txt") for doc_id in missing]
    if all(doc_id in known for doc_id in bare):
        return f"an id is a path without its suffix: {some(bare)}"
    return "correct the ids or add them"


def _thin_hops(golden: GoldenSet) -> list[Finding]:
    return [
        Finding(
            "error", entry.where, f"{entry.question.id} is multi with one document; list two or more, or make it single"
        )
        for entry in thin_multis(golden)
    ]


def _proportions(golden: GoldenSet) -> Iterator[Finding]:
    """Too few questions to tell a change from chance; each count also sets the step in which its measure moves."""
    total = len(golden.entries)
    if total < FEWEST_QUESTIONS:
        message = f"holds {total} questions; at least {FEWEST_QUESTIONS} are needed, 100 to 200 for a system in use"
        yield Finding("warning", golden.source, message)
    fewest = max(FEWEST_OF_TYPE, total * SMALLEST_SHARE // 100)
    for kind, measure in (("multi", "recall_multi"), ("none", "refusal_rate")):
        number = sum(question.type == kind for question in golden.questions)
        if number < fewest:
            moves = f"moves in steps of {1 / number:.3f}" if number else "cannot be measured"
            message = f"{number} of {total} questions are {kind}, so {measure} {moves}; have at least {fewest}"
            yield Finding("warning", golden.source, message)
