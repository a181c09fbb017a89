"""The BEIR layout, written and read again."""

from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize

from hypothesis import given, settings
from hypothesis import strategies as st

from eval.exporting.beir import beir_files
from eval.records import Document, Question
from eval.sources.beir import read_beir
from eval.writing import write_files

NAMES = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=6).map(lambda name: f"n{name}")
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r\ufeff"), max_size=20)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NAMES, TEXTS), min_size=2, max_size=5, unique_by=lambda pair: pair[0]), TEXTS)
def test_any_set_survives_the_way_to_beir_and_back(named: list[tuple[str, str]], text: str) -> None:
    ids = list(dict.fromkeys(normalize("NFC", name) for name, _ in named))
    documents = [Document(name, content) for name, (_, content) in zip(ids, named, strict=False)]
    questions = [Question("q", text, "single", tuple(ids), text or None), Question("n", text, "none")]
    with TemporaryDirectory() as folder:
        write_files(beir_files(documents, questions), Path(folder))
        read, golden = read_beir(Path(folder))
    assert read == documents
    assert list(golden.questions) == questions
