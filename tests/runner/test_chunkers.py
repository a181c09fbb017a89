"""What the plain chunkers do with one text each."""

import pytest
from pydantic import ValidationError

from eval.records import Chunk, Document
from runner.chunkers.document import DocumentChunker
from runner.chunkers.fixed import FixedChunker
from runner.chunkers.markdown import MarkdownChunker
from runner.chunkers.sentence import SentenceChunker
from runner.protocols import Chunker
from runner.tokens import token_counter

FAMILY, THUMB = "👨\u200d👩\u200d👧", "👍🏽"  # graphemes of 5 and 2 code points
COUNT = token_counter("o200k_base").count


def cut(chunker: Chunker, text: str, title: str = "") -> list[Chunk]:
    return chunker.chunk(Document("d", text, title))


@pytest.mark.parametrize("chunker", [FixedChunker, SentenceChunker])
@pytest.mark.parametrize("overlap", [10, 11])
def test_an_overlap_not_below_the_size_is_refused_with_both_numbers(chunker: type, overlap: int) -> None:
    with pytest.raises(ValidationError, match=f"smaller than size .got overlap {overlap} and size 10."):
        chunker(size=10, overlap=overlap)


def test_all_wrong_values_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        FixedChunker(size=0, overlap=-1, counter="nope")
    told = str(caught.value)
    assert "equal to 1" in told
    assert "equal to 0" in told
    assert "'nope'" in told
    assert "o200k_base" in told


@pytest.mark.parametrize("value", ["200", 200.0, True, None])
def test_a_size_that_is_no_whole_number_is_refused(value: object) -> None:
    for chunker in (FixedChunker, SentenceChunker, MarkdownChunker):
        with pytest.raises(ValidationError, match="valid integer"):
            chunker(size=value)  # type: ignore[arg-type]  # the slip that is tested


def test_fixed_windows_have_size_and_overlap_in_tokens() -> None:
    text = " ".join(["word"] * 20)  # "word" and " word" are one token each
    chunks = cut(FixedChunker(size=8, overlap=2), text)
    assert [(chunk.start // 5, (chunk.end + 1) // 5) for chunk in chunks] == [(0, 8), (6, 14), (12, 20)]


def test_an_overlap_just_below_the_size_ends_with_the_tail_told_once() -> None:
    text = "abc\n" * 50
    chunks = cut(FixedChunker(size=50, overlap=49), text)
    assert len(chunks) <= len(text)
    assert [chunk.end for chunk in chunks].count(199) == 1
    assert chunks[-1].end == 199


def test_repeated_words_keep_their_own_places() -> None:
    assert [chunk.start for chunk in cut(FixedChunker(size=1), "chunk chunk chunk")] == [0, 6, 12]


def test_a_long_line_without_blanks_loses_no_letter() -> None:
    text = "abcdefghij" * 500
    for chunker in (FixedChunker(size=100), SentenceChunker(size=100), MarkdownChunker(size=100)):
        chunks = cut(chunker, text)
        assert len(chunks) > 1
        assert "".join(chunk.text for chunk in chunks) == text


def test_inner_blanks_are_kept_as_they_are() -> None:
    text = "a b c  \n\n  d e f"
    for chunker in (FixedChunker(), SentenceChunker(), MarkdownChunker(), DocumentChunker()):
        assert [(chunk.start, chunk.text) for chunk in cut(chunker, text)] == [(0, text)]


def test_chinese_is_cut_after_sentences_where_that_fits() -> None:
    text = "年假每年十天。可以结转五天！能否折算工资？"
    chunks = cut(SentenceChunker(size=7), text)
    assert [chunk.text for chunk in chunks] == ["年假每年十天。", "可以结转五天！", "能否折算工资？"]


def test_sentences_are_packed_up_to_the_size_and_shared_whole() -> None:
    text = "Not one day. Not two days. Not six days. Not ten days."  # four tokens each
    packed = cut(SentenceChunker(size=11), text)
    assert [chunk.text for chunk in packed] == ["Not one day. Not two days.", "Not six days. Not ten days."]
    shared = cut(SentenceChunker(size=11, overlap=5), text)
    assert [(chunk.start // 13, -(-chunk.end // 14)) for chunk in shared] == [(0, 2), (1, 3), (2, 4)]


def test_a_sentence_longer_than_the_size_is_cut_and_its_rest_packed() -> None:
    text = "Start. " + "word " * 12 + "end. Last."
    chunks = cut(SentenceChunker(size=8), text)
    assert [chunk.text for chunk in chunks] == ["Start.", "word " * 7 + "word", "word " * 4 + "end. Last."]


def test_emoji_are_kept_whole_where_they_fit() -> None:
    text = f"ab{THUMB}cd{FAMILY}"
    for chunker in (FixedChunker(size=10), SentenceChunker(size=10), MarkdownChunker(size=10)):
        for grapheme in (THUMB, FAMILY):
            assert sum(grapheme in chunk.text for chunk in cut(chunker, text)) == 1


def test_emoji_beyond_the_size_are_cut_between_code_points() -> None:
    chunks = cut(FixedChunker(size=3), f"ab{THUMB}cd{FAMILY}")
    assert "".join(chunk.text for chunk in chunks) == f"ab{THUMB}cd{FAMILY}"
    assert all(COUNT(chunk.text) <= 3 for chunk in chunks)
    assert not any("�" in chunk.text for chunk in chunks)


def test_a_code_point_beyond_the_size_is_a_chunk() -> None:
    assert COUNT("𓀀") > 1
    assert [chunk.text for chunk in cut(FixedChunker(size=1), "𓀀𓀁", "T")] == ["𓀀", "𓀁"]


def test_text_like_a_special_token_is_ordinary_text() -> None:
    text = "The token <|endoftext|> ends text"
    for chunker in (FixedChunker(), SentenceChunker(), MarkdownChunker(), DocumentChunker()):
        assert [chunk.text for chunk in cut(chunker, text)] == [text]


@pytest.mark.parametrize(("text", "expected"), [("", 0), ("   \n", 0), ("\n\n\n", 0), ("\u3000", 0), ("One.", 1)])
def test_blank_documents_have_no_chunks(text: str, expected: int) -> None:
    for chunker in (FixedChunker(), SentenceChunker(), MarkdownChunker(), DocumentChunker()):
        assert len(cut(chunker, text, "Title")) == expected


def test_a_long_run_of_blanks_gives_no_blank_chunk() -> None:
    text = "a" + "\n" * 100_000 + "b"
    for chunker in (FixedChunker(), SentenceChunker(), MarkdownChunker()):
        assert [chunk.text for chunk in cut(chunker, text)] == ["a", "b"]


def test_a_title_counts_unless_it_takes_more_than_half_of_the_size() -> None:
    title = "word word word word"  # 4 tokens
    assert {chunk.title for chunk in cut(FixedChunker(size=8), "word " * 30, title)} == {title}
    assert {chunk.title for chunk in cut(FixedChunker(size=7), "word " * 30, title)} == {""}
    assert cut(DocumentChunker(), "word", title)[0].shown == f"{title}\nword"


def test_a_grapheme_that_fits_only_without_the_title_stands_without_it() -> None:
    size = COUNT(FAMILY)
    chunks = cut(FixedChunker(size=size), f"a {FAMILY} b", "T")
    assert [(chunk.title, chunk.text) for chunk in chunks] == [("T", "a"), ("", FAMILY), ("T", "b")]
