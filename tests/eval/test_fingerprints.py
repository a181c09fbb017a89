"""Equal contents have equal fingerprints, and any difference shows."""

from pathlib import Path

import pytest

from eval.fingerprints import canonical_json, code_fingerprint, fingerprint
from eval.records import Dataset, Document, Question

QUESTION = Question("q1", "Who?", "multi", ("a", "b"))


def test_key_order_does_not_matter_and_list_order_does():
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint([1, 2]) != fingerprint([2, 1])
    assert fingerprint(0) != fingerprint(None) != fingerprint("0")
    assert len(fingerprint("x")) == 16


def test_nan_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


def test_a_question_is_its_text_documents_and_type():
    same = Question("another id", "Who?", "multi", ("b", "a"), answer="x", tags=("t",))
    assert same.fingerprint == QUESTION.fingerprint
    changed = [Question("q1", "Whom?", "multi", ("a", "b")), Question("q1", "Who?", "multi", ("a", "c"))]
    changed.append(Question("q1", "Who?", "single", ("a", "b")))
    assert len({question.fingerprint for question in [QUESTION, *changed]}) == 4


def test_a_corpus_is_its_documents_in_any_order():
    first, second = Document("a", "x"), Document("b", "y")

    def corpus(*documents: Document) -> str:
        return Dataset("n", documents, ()).corpus_fingerprint

    assert corpus(first, second) == corpus(second, first)
    assert corpus(first, second) != corpus(first, Document("b", "z"))
    assert corpus(first) != corpus(Document("a", "x", title="T"))


def test_code_is_its_sources_by_name_and_content(tmp_path: Path):
    (tmp_path / "one.py").write_text("a = 1\n")
    before = code_fingerprint([tmp_path])
    (tmp_path / "notes.txt").write_text("not code")
    assert code_fingerprint([tmp_path]) == before
    (tmp_path / "one.py").write_text("a = 2\n")
    changed = code_fingerprint([tmp_path])
    (tmp_path / "one.py").rename(tmp_path / "two.py")
    assert len({before, changed, code_fingerprint([tmp_path])}) == 3
