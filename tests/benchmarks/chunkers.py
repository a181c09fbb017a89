"""How fast documents are cut: python tests/benchmarks/chunkers.py [MEGABYTES]

Each line gives MB/s, and the time as a multiple of counting the same text's tokens once, taken in the same run. Texts
that are all one word or one sentence are where a chunker that is not linear shows.
"""

import sys
from time import perf_counter

from eval.records import Document
from runner.chunkers.document import DocumentChunker
from runner.chunkers.fixed import FixedChunker
from runner.chunkers.markdown import MarkdownChunker
from runner.chunkers.sentence import SentenceChunker
from runner.protocols import Chunker
from runner.shipped import shipped
from runner.tokens import token_counter

COUNTER = "o200k_base"


def texts(size: int) -> dict[str, str]:
    """Texts of about ``size`` bytes each."""
    handbooks = {
        language: "\n\n".join(path.read_text("utf-8") for path in sorted(shipped(f"corpus/{language}").glob("*.md")))
        for language in ("en", "zh")
    }
    samples = {
        "English handbook": handbooks["en"],
        "Chinese handbook": handbooks["zh"],
        "no blank at all": "abcdefghij",
        "a word per line": "word\n",
        "Chinese, no stops": "年假每年十天可结转五天",
    }
    return {name: sample * max(1, size // len(sample.encode())) for name, sample in samples.items()}


def chunkers() -> dict[str, Chunker]:
    """Every chunker at 200 tokens."""
    return {
        "fixed": FixedChunker(size=200, overlap=0, counter=COUNTER),
        "sentence": SentenceChunker(size=200, overlap=0, counter=COUNTER),
        "markdown": MarkdownChunker(size=200, counter=COUNTER),
        "document": DocumentChunker(),
    }


def main(megabytes: float) -> None:
    """Print one line per text and chunker."""
    counter = token_counter(COUNTER)
    counter.boundaries("warm")
    for name, text in texts(int(megabytes * 1e6)).items():
        size = len(text.encode()) / 1e6
        start = perf_counter()
        counter.count(text)
        counted = perf_counter() - start
        for chunker_name, chunker in chunkers().items():
            start = perf_counter()
            chunks = chunker.chunk(Document("d", text))
            spent = perf_counter() - start
            print(
                f"{name:18} {chunker_name:9} {size:5.1f} MB in {spent:6.2f} s: {size / spent:7.1f} MB/s, "
                f"{spent / counted:6.1f} times counting; {len(chunks)} chunks"
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
