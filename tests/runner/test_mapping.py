"""Which document a passage is from: by id, by text, or not to be said."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.records import Document
from eval.sources.jsonl import read_corpus
from runner.chunkers.sentence import SentenceChunker
from runner.records import Passage
from runner.systems.mapping import Origin, described, origins

FEES = Document(
    "fees", "# Fees\n\nParking costs **five** euro a day.\nIt is paid at the gate, in cash.\n\nSee FAQ.", "Fees"
)
LEAVE = Document("leave", "# Leave\n\nStaff have 25 days of leave each year, and five may be carried over.\n\nSee FAQ.")
HOLIDAY = Document("zh/holiday", "员工每年享有十天带薪年假。\n未休完的年假可以结转五天到下一年。")
CORPUS = [FEES, LEAVE, HOLIDAY]


def origin(passage: Passage, documents: list[Document] = CORPUS) -> Origin:
    return origins([passage], documents)[0]


def test_an_id_that_the_corpus_holds_decides_whatever_the_text() -> None:
    assert origin(Passage("Staff have 25 days of leave each year", "fees")) == Origin("fees", "by id")
    assert origin(Passage(None, "leave")) == Origin("leave", "by id")
    assert origin(Passage("x", "zh/holiday")) == Origin("zh/holiday", "by id")


def test_an_accent_may_be_typed_in_either_way() -> None:
    assert origin(Passage("x", "cafe\u0301"), [Document("caf\u00e9", "y")]) == Origin("caf\u00e9", "by id")


@pytest.mark.parametrize(
    "text",
    [
        "Parking costs **five** euro a day.",
        "Parking costs **five** euro a day. It is paid at the gate,",
        "king costs **five** euro a day.\n\n  It is paid at the ga",
    ],
)
def test_a_text_that_stands_in_one_document_is_from_there_with_any_blanks_and_cut_words(text: str) -> None:
    assert origin(Passage(text)) == Origin("fees", "exactly")


def test_chinese_text_is_found() -> None:
    assert origin(Passage("每年享有十天带薪年假。 未休完的年假可以")) == Origin("zh/holiday", "exactly")
    assert origin(Passage("…员工每年享有十天带薪年假。未休完的年假可以结转五天…")) == Origin("zh/holiday", "nearly")


@pytest.mark.parametrize(
    "text",
    [
        "…Parking costs five euro a day. It is paid at the gate…",
        "The fees\nParking costs five euro a day. It is paid at the gate, in cash. See FAQ.",
        "parking costs FIVE euro a day it is paid at the gate in cash",
    ],
)
def test_a_cleaned_up_text_is_from_the_document_that_holds_most_of_it(text: str) -> None:
    assert origin(Passage(text)) == Origin("fees", "nearly")


def test_text_that_several_documents_hold_is_from_none_of_them() -> None:
    assert origin(Passage("See FAQ.")) == Origin("", "ambiguous")
    assert origin(Passage("See FAQ.", "elsewhere")) == Origin("", "ambiguous")


def test_what_the_system_says_besides_tells_several_documents_apart() -> None:
    assert origin(Passage("See FAQ.", "docs\\leave.md")) == Origin("leave", "exactly")
    assert origin(Passage("See FAQ.", id="my/fees.txt")) == Origin("fees", "exactly")
    assert origin(Passage("See FAQ.", title=" fees ")) == Origin("fees", "exactly")
    assert origin(Passage("See FAQ.", title="holiday")) == Origin("", "ambiguous")


def test_near_copies_are_ambiguous() -> None:
    copies = [Document("v1", f"{LEAVE.text} First."), Document("v2", f"{LEAVE.text} Second.")]
    passage = Passage("Staff have 25 days of leave, each year; and five may be carried over")
    assert origin(passage, copies) == Origin("", "ambiguous")


def test_text_of_nowhere_and_an_unknown_id_are_told_apart() -> None:
    assert origin(Passage("The canteen opens at noon on every working day.")) == Origin("", "not found")
    assert origin(Passage("The canteen opens at noon on every working day.", "d9")) == Origin("", "unknown id")
    assert origin(Passage(None, "d9")) == Origin("", "unknown id")


def test_an_unknown_id_does_not_hide_the_text() -> None:
    assert origin(Passage("Staff have 25 days of leave each year", "https://intranet/7")) == Origin("leave", "exactly")


@pytest.mark.parametrize("text", ["", " \n", "…", "---", None])
def test_without_a_word_nothing_is_found(text: str | None) -> None:
    assert origin(Passage(text)) == Origin("", "not found")


def test_a_few_words_in_common_are_no_evidence() -> None:
    assert origin(Passage("!a day it is paid at!")).found != "nearly"
    half = "Parking costs five euro a day, while the bicycle shed behind the main building remains free of charge"
    assert origin(Passage(half)) == Origin("", "not found")


def test_every_way_is_described_with_up_to_three_examples() -> None:
    passages = [
        Passage("x", "fees"),
        *(Passage(f"nothing like it {number}", id=f"p{number}") for number in range(4)),
        Passage("See FAQ."),
        Passage(None, "d9"),
    ]
    assert described(passages, origins(passages, CORPUS)) == (
        '1 of 7 passages is from the document that the system names: fees "x"',
        '1 of 7 passages is mapped to no document: several hold their text: "See FAQ."',
        "1 of 7 passages is mapped to no document: the corpus holds neither the id that the system names nor their "
        "text: d9",
        '4 of 7 passages are mapped to no document: no document holds their text: p0 "nothing like it 0"; '
        'p1 "nothing like it 1"; p2 "nothing like it 2"',
    )


def test_ids_throughout_need_no_word() -> None:
    passages = [Passage("x", "fees"), Passage("y", "leave")]
    assert described(passages, origins(passages, CORPUS)) == ()
    assert described([], []) == ()


WORDS = st.lists(st.sampled_from("alpha beta gamma delta 年 假 fee day".split()), min_size=1, max_size=30)


@settings(max_examples=100, deadline=None)
@given(texts=st.lists(WORDS.map(" ".join), min_size=1, max_size=4), passage=WORDS.map(" ".join))
def test_exactly_means_in_one_document_and_in_no_other(texts: list[str], passage: str) -> None:
    """Whole words of a text in a sentence of its own: a plain search for the text is the reference."""
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    holding = [document.id for document in documents if f" {passage} " in f" {document.text} "]
    found = origin(Passage(passage), documents)
    if len(holding) == 1 and sum(passage in text for text in texts) == 1:
        assert found == Origin(holding[0], "exactly")
    elif len(holding) > 1:
        assert found == Origin("", "ambiguous")
    else:
        assert found.found != "ambiguous" or not holding


def test_slices_of_a_public_collection_are_mapped_where_they_come_from(shared_data: Path) -> None:
    """Cleaned up, cut and with a title put before; the share that can be mapped is below 1, a wrong one is an error."""
    documents = read_corpus(shared_data / "retrieval" / "cranfield" / "corpus.jsonl")
    chunks = [chunk for document in documents for chunk in SentenceChunker(size=100).chunk(document)]
    slices = random.Random(7).sample(chunks, 300)  # noqa: S311  # nothing secret depends on it
    given = [Passage(f"{each.title}\n…{each.text[: len(each.text) * 4 // 5].upper()} ...") for each in slices]
    found = origins(given, documents)
    wrong = [each for each, chunk in zip(found, slices, strict=True) if each.doc_id not in ("", chunk.doc_id)]
    assert wrong == []
    assert sum(bool(each.doc_id) for each in found) >= 270
