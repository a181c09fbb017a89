"""The extractive generator answers in the context's own sentences, or refuses recognisably."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from eval.records import Chunk, Context, PackedChunk, Question
from eval.refusal_wording.sentences import REFUSALS
from eval.refusals import is_refusal
from runner.generators.extractive import ExtractiveGenerator
from runner.generators.none import NoGenerator


def context_of(*texts: str, title: str = "") -> Context:
    chunks = [Chunk(f"c{i}", f"d{i}", 0, len(text), text, title) for i, text in enumerate(texts)]
    packed = tuple(PackedChunk(chunk, rank, 1) for rank, chunk in enumerate(chunks, 1))
    return Context(packed, "\n\n".join(chunk.shown for chunk in chunks), len(packed))


def answer(question: str, context: Context, **settings: float) -> str:
    asked = Question("q", question, "single", ("d0",))
    return ExtractiveGenerator(**settings).generate(asked, context).text  # type: ignore[arg-type] # ints and floats


def test_the_best_sentences_are_taken_verbatim_and_in_context_order() -> None:
    context = context_of("The fee is paid monthly. Dogs sleep.", "Cats purr. The parking fee is 40 euro.")
    assert answer("What is the parking fee?", context) == "The fee is paid monthly. The parking fee is 40 euro."
    assert answer("What is the parking fee?", context, max_sentences=1) == "The parking fee is 40 euro."


def test_a_rare_word_of_the_question_weighs_more_than_a_common_one() -> None:
    context = context_of("Leave starts in May. Leave ends in June. Leave is long. Carryover happens once.")
    assert answer("leave carryover", context, max_sentences=1) == "Carryover happens once."


def test_equally_good_sentences_come_in_context_order() -> None:
    context = context_of("Parking costs money. Parking takes space. Parking is dull.")
    assert answer("parking", context, max_sentences=1) == "Parking costs money."


def test_chinese_sentences_are_joined_without_a_blank() -> None:
    context = context_of("年假每年十天。食堂在一楼。年假可以结转五天。")
    assert answer("年假有几天？", context) == "年假每年十天。年假可以结转五天。"


def test_a_part_that_does_not_end_as_a_sentence_is_kept_apart_from_the_next() -> None:
    context = context_of("年假登记如下：\n\n6.1 年假可以结转。食堂在一楼。")
    assert answer("年假如何结转？", context) == "年假登记如下：\n\n6.1 年假可以结转。"


def test_headings_tables_and_code_are_no_answers() -> None:
    table, code = "| parking | fee |\n|---|---|\n| day | 40 |", "```\nparking fee = 40\n```"
    text = f"# Parking fee\n\n{table}\n\n{code}\n\nThe fee is 40 euro."
    assert answer("parking fee", context_of(text, title="Parking fee")) == "The fee is 40 euro."


def test_a_context_that_is_all_table_is_still_answered_from() -> None:
    assert "40" in answer("parking fee", context_of("| parking fee | 40 |\n|---|---|\n| day | 5 |"))


def test_a_sentence_that_overlapping_chunks_repeat_is_said_once() -> None:
    assert answer("fee", context_of("The fee is 40 euro.", "The fee is 40 euro.")) == "The fee is 40 euro."


def test_a_bullet_is_left_out_of_the_answer() -> None:
    assert answer("fee", context_of("- The fee is 40 euro.\n- Dogs sleep."), max_sentences=1) == "The fee is 40 euro."


@pytest.mark.parametrize(("question", "language"), [("What is the fee?", "en"), ("停车费是多少？", "zh")])
def test_an_empty_context_is_refused_in_the_language_of_the_question(question: str, language: str) -> None:
    refusal = answer(question, context_of())
    assert refusal == REFUSALS[language]  # type: ignore[index] # one of the two languages
    assert is_refusal(refusal)


def test_support_below_the_threshold_is_refused_and_at_it_answered() -> None:
    context = context_of("The parking fee is 40 euro.")
    question = "What is the parking fee in winter?"  # two of the three content words are held
    assert answer(question, context, min_support=0.66) == "The parking fee is 40 euro."
    assert is_refusal(answer(question, context, min_support=0.67))


def test_without_a_threshold_any_text_is_answered_from() -> None:
    assert answer("Who pays?", context_of("Penguins swim.")) == "Penguins swim."


def test_a_question_without_content_words_is_answered_from_the_top_unless_support_is_asked_for() -> None:
    context = context_of("First one. Second one. Third one.")
    assert answer("What is it?", context, max_sentences=1) == "First one."
    assert is_refusal(answer("What is it?", context, min_support=0.1))


@pytest.mark.parametrize("wrong", [{"max_sentences": 0}, {"min_support": 1.5}, {"max_sentences": "2"}, {"k": 1}])
def test_settings_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ExtractiveGenerator(**wrong)  # type: ignore[arg-type] # what a YAML file may hold


def test_no_generator_writes_nothing() -> None:
    assert NoGenerator().generate(Question("q", "?", "none"), context_of("text")).text == ""


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=40), st.lists(st.text(max_size=60), max_size=4))
def test_every_answer_is_a_refusal_or_made_of_the_context(question: str, texts: list[str]) -> None:
    said = answer(question, context_of(*texts), max_sentences=1)
    assert said in REFUSALS.values() or any(said in text for text in texts)
