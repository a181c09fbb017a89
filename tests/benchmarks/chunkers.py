"""How fast documents are cut, beside others: python -m tests.benchmarks.chunkers [MEGABYTES]

Each line gives MB per second of the processor (the fastest of several rounds), and for ours the time as a multiple of
counting the same text's tokens once. All cut to 200 tokens of o200k_base, and all count with the same counter, the
package quicktok. Texts: the documents of the shipped handbooks and, where they lie in a folder shared/data beside this
checkout, of public collections, none of them repeated; and made-up ones of one word or one sentence over and over, in
which a chunker that is not linear shows.

langchain-text-splitters cuts at paragraphs, lines and words, or at markdown headings first; it joins pieces whose
tokens it adds up. chonkie does the same with sentences and separators, and remembers up to 4096 pieces by their text,
which repeated text favours. Ours count what is shown, titles included, and keep the exact place of each chunk.
"""

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

import quicktok

from eval.records import Document
from runner.chunkers.document import DocumentChunker
from runner.chunkers.fixed import FixedChunker
from runner.chunkers.markdown import MarkdownChunker
from runner.chunkers.sentence import SentenceChunker
from runner.protocols import Chunker
from runner.shipped import shipped
from runner.tokens import token_counter

COUNTER, SIZE, ROUNDS = "o200k_base", 200, 5
COLLECTIONS = Path(__file__).parents[2].parent / "shared" / "data" / "retrieval"
Cut = Callable[[str], Sequence[Any]]
Make = Callable[[], Cut]  # anew for each round, so that none remembers the text from the one before


def texts(size: int) -> dict[str, list[str]]:
    """Lists of texts of at most about ``size`` bytes together."""
    handbooks = {
        f"{name} handbook": [path.read_text("utf-8") for path in sorted(shipped(f"corpus/{language}").glob("*.md"))]
        for language, name in (("en", "English"), ("zh", "Chinese"))
    }
    samples = {
        "no blank at all": "abcdefghij",
        "a word per line": "word\n",
        "Chinese, no stops": "年假每年十天可结转五天",
    }
    made = {name: [sample * max(1, size // len(sample.encode()))] for name, sample in samples.items()}
    found = {path.parent.name: collection(path, size) for path in sorted(COLLECTIONS.glob("*/corpus.jsonl"))}
    return {**handbooks, **made, **found}


def collection(path: Path, size: int) -> list[str]:
    """The first documents of a public collection."""
    found: list[str] = []
    for line in path.read_text("utf-8").split("\n"):
        if line and size > 0 and (text := json.loads(line)["text"]).strip():
            found.append(text)
            size -= len(text.encode())
    return found


def ours() -> dict[str, Chunker]:
    """Every chunker."""
    return {
        "fixed": FixedChunker(size=SIZE, overlap=0, counter=COUNTER),
        "sentence": SentenceChunker(size=SIZE, overlap=0, counter=COUNTER),
        "markdown": MarkdownChunker(size=SIZE, counter=COUNTER),
        "document": DocumentChunker(),
    }


def langchain() -> dict[str, tuple[str, Make]]:
    """Splitters of langchain-text-splitters, each with our chunker that does its work."""
    library: Any = importlib.import_module("langchain_text_splitters")
    count = token_counter(COUNTER).count
    pieces = library.RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=0, length_function=count)
    headings = [("#" * rank, f"h{rank}") for rank in range(1, 7)]
    sections = library.MarkdownHeaderTextSplitter(headings, strip_headers=False)
    return {
        "langchain RecursiveCharacter": ("sentence", lambda: pieces.split_text),
        "langchain MarkdownHeader+Recursive": (
            "markdown",
            lambda: lambda text: pieces.split_documents(sections.split_text(text)),
        ),
    }


def chonkie() -> dict[str, tuple[str, Make]]:
    """Chunkers of chonkie, each with our chunker that does its work."""
    library: Any = importlib.import_module("chonkie")
    base: Any = importlib.import_module("chonkie.tokenizer").Tokenizer
    encoding = quicktok.get_encoding(COUNTER)

    class Quicktok(base):  # type: ignore[misc]  # it is only known when it is imported
        def __repr__(self) -> str:
            return COUNTER

        def encode(self, text: str) -> list[int]:
            return encoding.encode_ordinary(text)

        tokenize = encode

        def decode(self, tokens: Sequence[int]) -> str:
            return encoding.decode(tokens)

        def decode_batch(self, token_sequences: Sequence[Sequence[int]]) -> list[str]:
            return encoding.decode_batch(token_sequences)

        def count_tokens(self, text: str) -> int:
            return encoding.count(text)

    return {
        "chonkie Token": ("fixed", lambda: library.TokenChunker(Quicktok(), SIZE).chunk),
        "chonkie Sentence": ("sentence", lambda: library.SentenceChunker(Quicktok(), SIZE).chunk),
        "chonkie Recursive": ("markdown", lambda: library.RecursiveChunker(Quicktok(), SIZE).chunk),
    }


def peers() -> Iterator[tuple[str, tuple[str, Make]]]:
    """Those that are installed; a line for each package that is not."""
    for make, package in ((langchain, "langchain-text-splitters"), (chonkie, "chonkie")):
        try:
            found = make()
        except ImportError:
            print(f"{package} is not installed: not compared")
            continue
        print(f"{package} {version(package)}")
        yield from found.items()


def least(make: Make, pieces: Sequence[str]) -> tuple[float, int]:
    """Seconds of the processor in the fastest round, and how many chunks there are."""
    times = []
    for _ in range(ROUNDS):
        cut = make()
        start = process_time()
        count = sum(len(cut(text)) for text in pieces)
        times.append(process_time() - start)
    return min(times), count


def counting() -> Cut:
    """What every chunker does at least."""
    return lambda text: range(token_counter(COUNTER).count(text))


def cutting(chunker: Chunker) -> Make:
    """One of ours, which remember nothing."""
    return lambda: lambda text: chunker.chunk(Document("d", text))


def main(megabytes: float) -> None:
    """Print a line per text and chunker."""
    token_counter(COUNTER).boundaries("warm")
    others = dict(peers())
    for name, pieces in texts(int(megabytes * 1e6)).items():
        size = sum(len(piece.encode()) for piece in pieces) / 1e6
        counted, _ = least(counting, pieces)
        print(f"{name}: {size:.1f} MB in {len(pieces)} texts")
        spent: dict[str, float] = {}
        for own, chunker in ours().items():
            spent[own], count = least(cutting(chunker), pieces)
            print(
                f"  {own:34} {size / spent[own]:7.1f} MB/s, {spent[own] / counted:5.1f} times counting; {count} chunks"
            )
        for other, (own, make) in others.items():
            seconds, count = least(make, pieces)
            ratio = spent[own] / seconds
            print(f"  {other:34} {size / seconds:7.1f} MB/s; {own} takes {ratio:5.2f} of its time; {count} chunks")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
