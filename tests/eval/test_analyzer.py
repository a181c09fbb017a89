"""Terms of texts: what is written alike is found alike."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from eval.text.analyzer import Analyzer, normalise
from eval.text.scripts import language_of

ANALYZER = Analyzer()


def test_case_and_width_do_not_matter():
    assert ANALYZER.terms("HELLO Straße ＡＢＣ") == ANALYZER.terms("hello STRASSE abc")


def test_words_are_stemmed_by_snowball_and_can_be_left_alone():
    assert ANALYZER.terms("approvals approved") == ["approv", "approv"]
    assert Analyzer(stemmer=None).terms("approvals approved") == ["approvals", "approved"]


def test_chinese_gives_characters_and_pairs_of_neighbours():
    assert ANALYZER.terms("年假十天") == ["年", "假", "十", "天", "年假", "假十", "十天"]


def test_one_character_words_are_kept():
    assert "税" in ANALYZER.terms("增值税率为六个百分点")


def test_product_codes_stay_whole_and_are_found_by_their_parts_too():
    assert ANALYZER.terms("型号X-900保修")[2:] == ["型号", "x-900", "x", "900", "保", "修", "保修"]
    assert "v2.3.1" in ANALYZER.terms("since v2.3.1")
    assert "mmol/l9.69" in ANALYZER.terms("mmol/L9.69")
    assert ANALYZER.terms("AK47") == ["ak47"]


def test_joined_words_without_digits_are_their_parts():
    assert ANALYZER.terms("on-call") == ANALYZER.terms("on call")


def test_grouped_digits_are_one_number():
    assert ANALYZER.terms("1,000 spans") == ANALYZER.terms("1000 spans")
    assert normalise("1,00 and 12,345,678") == "1,00 and 12345678"


def test_content_terms_leave_function_words_out():
    assert ANALYZER.content_terms("What is the limit of the API?") == ["limit", "api"]
    assert ANALYZER.content_terms("年假的天数是多少") == ["年假", "天数"]


def test_segmented_words_are_a_choice():
    pytest.importorskip("rjieba", reason="the extra zh-words is not installed")
    assert "员工" in Analyzer(chinese="words").terms("新员工入职培训")


@pytest.mark.parametrize("wrong", [{"stemmer": "klingon"}, {"chinese": "words?"}, {"stemmer": 3}, {"colour": "red"}])
def test_wrong_settings_are_refused(wrong: dict):
    with pytest.raises(ValidationError):
        Analyzer(**wrong)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Who approves it?", "en"),
        ("谁批准?", "zh"),
        ("API 的限额是多少", "zh"),
        ("", "en"),
        ("The term 年假 means leave", "en"),
    ],
)
def test_the_language_of_a_question_follows_its_letters(text: str, language: str):
    assert language_of(text) == language


@given(st.text(max_size=200))
def test_any_text_has_terms_and_content_is_part_of_them(text: str):
    terms = set(ANALYZER.terms(text))
    assert "" not in terms
    assert set(ANALYZER.content_terms(text)) <= terms


@given(st.text(st.characters(max_codepoint=127), max_size=100))
def test_a_character_elsewhere_does_not_change_the_terms_of_ascii_text(text: str):
    assert ANALYZER.terms(f"{text} ä") == [*ANALYZER.terms(text), "ä"]


def test_terms_do_not_depend_on_the_hash_seed():
    code = "from eval.text.analyzer import Analyzer; print(Analyzer().terms('年假 X-900 on-call limits the'))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
