"""What holds for every chunker, on made-up and on real text."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from hydra.utils import instantiate
from hypothesis import given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf

from eval.records import Chunk, Document
from eval.text.graphemes import MAY_JOIN, grapheme_end, grapheme_ends
from runner.chunkers.document import DocumentChunker
from runner.chunkers.fixed import FixedChunker
from runner.chunkers.markdown import MarkdownChunker
from runner.chunkers.sentence import SentenceChunker
from runner.protocols import Chunker
from runner.tokens import token_counter

CONF = Path(__file__).parents[2] / "conf" / "chunker"
FAMILY, THUMB = "👨\u200d👩\u200d👧", "👍🏽"  # graphemes of 5 and 2 code points
COUNT = token_counter("o200k_base").count

FRAGMENTS = (
    *(
        "Hello world. ",
        "He works at Acme Inc. in town. ",
        "word ",
        "No! ",
        "<|endoftext|>",
        "supercalifragilistic",
        "x" * 60,
    ),
    *(
        "年假每年十天。",
        "可结转五天！",
        "无标点的中文",
        "“走吧。”",
        THUMB,
        FAMILY,
        "🇩🇪",
        "🇩",
        "e\u0301",
        "क्षि",
        "한",
        "\u0600",
        "\u0301",
        "\u200d",
    ),
    *(
        "\n",
        "\n\n",
        "\n---\n",
        "\n===\n",
        "# A\n",
        "## 二级 B\n",
        "### \n",
        "```\n",
        "````py\n",
        "~~~\n",
        "    code\n",
        "\t",
    ),
    *(
        "\n| a | b |\n|---|---|\n",
        "| 1 | 2 |\n",
        "- item\n",
        "1. one\n",
        "> quote\n",
        "---\nk: v\n---\n",
        "[a]: b\n",
        "<div>\n",
    ),
    *(" ", "  ", "\u3000", "\x1c", "\x85", "\u2028", "\xa0", "\ufeff", "\u200b", "\x00", "�"),
)
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=60).map("".join)
TITLES = st.sampled_from(["", "T", "A", "员工手册", "A title of quite a few words", FAMILY, " \n"])


def cut(chunker: Chunker, text: str, title: str = "") -> list[Chunk]:
    return chunker.chunk(Document("d", text, title))


def check_slices(text: str, chunks: list[Chunk]) -> None:
    """The laws of slices."""
    assert [chunk.id for chunk in chunks] == [f"d#{n}" for n in range(len(chunks))]
    assert {chunk.doc_id for chunk in chunks} <= {"d"}
    for chunk in chunks:
        assert type(chunk.start) is type(chunk.end) is int
        assert text[chunk.start : chunk.end] == chunk.text == chunk.text.strip() != ""
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))
    covered = {place for chunk in chunks for place in range(chunk.start, chunk.end)}
    assert all(character.isspace() or place in covered for place, character in enumerate(text))


def check_sizes(text: str, chunks: list[Chunk], size: int) -> None:
    """The laws of sizes: none too big but a code point that is; no grapheme cut that fits."""
    for chunk in chunks:
        assert COUNT(chunk.shown) <= size or (chunk.shown == chunk.text and len(chunk.text) == 1)
    edges = {edge for chunk in chunks for edge in (chunk.start, chunk.end)}
    for match in regex.finditer(r"\X", text):
        if edges.intersection(range(match.start() + 1, match.end())):
            assert COUNT(match[0]) > size or any(map(str.isspace, match[0]))


def is_partition(chunks: list[Chunk]) -> bool:
    return all(chunk.end <= following.start for chunk, following in pairwise(chunks))


@given(text=TEXTS, title=TITLES, size=st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_without_overlap_every_non_blank_character_is_in_one_chunk_that_fits(text: str, title: str, size: int) -> None:
    for chunker in (FixedChunker(size=size), SentenceChunker(size=size), MarkdownChunker(size=size)):
        chunks = cut(chunker, text, title)
        check_slices(text, chunks)
        check_sizes(text, chunks, size)
        assert is_partition(chunks)


@given(text=TEXTS, title=TITLES, size=st.integers(2, 30), share=st.floats(0, 1, exclude_max=True))
@settings(max_examples=100, deadline=None)
def test_with_overlap_slices_still_move_on_and_fit(text: str, title: str, size: int, share: float) -> None:
    overlap = int(size * share)
    for chunker in (FixedChunker(size=size, overlap=overlap), SentenceChunker(size=size, overlap=overlap)):
        chunks = cut(chunker, text, title)
        check_slices(text, chunks)
        check_sizes(text, chunks, size)
        for chunk, following in pairwise(chunks):
            assert chunk.end < following.end
            assert COUNT(text[following.start : chunk.end]) <= overlap


@given(text=TEXTS, title=TITLES)
@settings(max_examples=50, deadline=None)
def test_the_document_chunker_keeps_a_document_whole(text: str, title: str) -> None:
    chunks = cut(DocumentChunker(), text, title)
    check_slices(text, chunks)
    assert len(chunks) == (1 if text.strip() else 0)


@pytest.mark.parametrize("path", sorted(CONF.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_configuration_builds_a_chunker_that_keeps_the_laws(path: Path) -> None:
    config = OmegaConf.create({"budget": {"counter": "o200k_base"}, "chunker": OmegaConf.load(path)})
    text = "# A\n\nOne. Two.\n\n" + "年假每年十天。" * 100
    check_slices(text, cut(instantiate(config.chunker), text, "T"))
    assert path.read_text(encoding="utf-8").startswith(f"# python -m runner chunker={path.stem}")


@given(st.lists(st.sampled_from(["a", "\u0301", "🇩", "👩", "\u200d", "\u1100", "क", "्", "\u0600", "年"]), max_size=80))
@settings(max_examples=100, deadline=None)
def test_ends_of_graphemes_are_those_of_the_whole_text(characters: list[str]) -> None:
    text = "".join(characters)
    ends = [match.end() for match in regex.finditer(r"\X", text)]
    for start in [0, *ends][:5]:
        expected = [end for end in ends if end > start]
        assert list(grapheme_ends(text, start, len(text))) == expected
        near = min(start + 3, len(text))
        assert list(grapheme_ends(text, start, near)) == [end for end in expected if end <= near]
        assert grapheme_end(text, start) == (expected[0] if expected else len(text))


def test_characters_that_are_taken_to_stand_alone_do() -> None:
    alone = [chr(code) for code in range(0x110000) if not MAY_JOIN.match(chr(code))]
    assert len(alone) > 25_000  # Chinese is among them
    assert all(grapheme_ends(character * 2, 0, 2) == range(1, 3) for character in alone)


@pytest.mark.parametrize("name", ["squad2_dev", "cmrc2018_zh", "anthropic_docs"])
def test_real_documents_keep_the_laws(shared_data: Path, name: str) -> None:
    corpus = shared_data / "retrieval" / name / "corpus.jsonl"
    lines = corpus.read_text(encoding="utf-8").split("\n")[:40]
    for chunker in (FixedChunker(size=64), SentenceChunker(size=64), MarkdownChunker(size=64)):
        for row in map(json.loads, filter(None, lines)):
            chunks = cut(chunker, row["text"], row.get("title", ""))
            check_slices(row["text"], chunks)
            check_sizes(row["text"], chunks, 64)
