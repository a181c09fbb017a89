"""Rerankers that work on this machine."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from eval.errors import EvalfirstError, InputError, MissingExtraError
from runner.embedders.remembered import RememberedEmbedder
from runner.rerankers.cross_encoder import CrossEncoderReranker
from runner.rerankers.embedding import EmbeddingReranker
from runner.rerankers.none import NoReranker
from runner.vector_store import VectorStore
from tests.runner.fake_embedders import Fixed, WordCounter, chunks_of
from tests.runner.tiny_models import needs_sentence_transformers, save_cross_encoder, save_encoder


def by_embedding(depth: int = 50) -> EmbeddingReranker:
    return EmbeddingReranker(model=RememberedEmbedder(WordCounter(), VectorStore(None)), depth=depth)


def test_none_reads_nothing_and_scores_all_alike():
    assert NoReranker().depth == 0
    assert NoReranker().score("fee", chunks_of("fee", "leave")).scores.tolist() == [0, 0]


def test_embedding_scores_by_cosine_in_the_order_given():
    reranked = by_embedding().score("fee", chunks_of("leave", "fee fee fee leave leave leave leave", "fee"))
    assert reranked.scores == pytest.approx([0, 0.6, 1], abs=1e-6)
    assert (reranked.scores.dtype, reranked.calls) == (np.float64, ())


def test_embedding_puts_a_blank_chunk_last_and_leaves_the_order_for_a_blank_question():
    assert by_embedding().score("fee", chunks_of("fee", " ", "leave")).scores == pytest.approx([1, -1, 0])
    assert len(set(by_embedding().score(" ", chunks_of("fee", "leave", "")).scores.tolist())) == 1
    assert by_embedding().score("fee", []).scores.shape == (0,)


def test_embedding_scores_do_not_depend_on_the_other_chunks():
    texts = [f"fee {'leave ' * number}" for number in range(1, 9)]
    together = by_embedding().score("fee leave", chunks_of(*texts)).scores
    alone = [by_embedding().score("fee leave", chunks_of(text)).scores[0] for text in texts]
    assert together.tolist() == alone


def test_embedding_raises_where_vectors_can_not_be_compared():
    with pytest.raises(EvalfirstError, match=r"^the model fixed 1 gave NaN or infinity"):
        EmbeddingReranker(Fixed(np.full((1, 3), np.nan, dtype=np.float32))).score("fee", chunks_of("fee"))


def test_a_depth_below_one_is_refused():
    with pytest.raises(ValidationError, match="depth"):
        by_embedding(depth=0)


@pytest.mark.skipif(importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_the_missing_package_is_named_with_the_extra_that_has_it():
    with pytest.raises(MissingExtraError, match=r"reranker=cross_encoder needs the package sentence-transformers"):
        CrossEncoderReranker(model="somebody/model")


@needs_sentence_transformers
def test_a_cross_encoder_scores_pairs_by_its_plain_outputs_whatever_the_batch(tmp_path: Path):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = str(save_cross_encoder(tmp_path / "model"))
    texts = ["leave", "the fee " * 9, "api parking", "leave", "a fee"]
    scores = CrossEncoderReranker(model=folder, batch=2).score("the fee", chunks_of(*texts)).scores
    network, tokenizer = (
        AutoModelForSequenceClassification.from_pretrained(folder),
        AutoTokenizer.from_pretrained(folder),
    )
    with torch.no_grad():
        alone = [float(network(**tokenizer("the fee", text, return_tensors="pt")).logits[0, 0]) for text in texts]
    assert scores == pytest.approx(alone, abs=2e-5)
    assert scores[0] == scores[3]
    assert len(set(scores.tolist())) == 4
    for batch in (1, 3, 16):
        other = CrossEncoderReranker(model=folder, batch=batch).score("the fee", chunks_of(*texts)).scores
        assert other == pytest.approx(scores, abs=1.1e-5)
    assert CrossEncoderReranker(model=folder).score("fee", []).scores.shape == (0,)


@needs_sentence_transformers
def test_a_pair_that_is_too_long_is_cut_and_scored(tmp_path: Path):
    reranker = CrossEncoderReranker(model=str(save_cross_encoder(tmp_path / "model")), max_length=16)
    first, second = reranker.score("the fee", chunks_of("leave " * 50, "leave " * 60)).scores
    assert first == second


@needs_sentence_transformers
@pytest.mark.filterwarnings("ignore")  # the library's own, on weights that are missing
def test_a_model_that_does_not_score_pairs_is_refused(tmp_path: Path):
    three = CrossEncoderReranker(model=str(save_cross_encoder(tmp_path / "three", outputs=3)))
    with pytest.raises(InputError, match=r"^reranker\.model must give one score for a pair \([^\n]*3 outputs\)"):
        three.score("fee", chunks_of("fee", "leave"))
    vectors_only = CrossEncoderReranker(model=str(save_encoder(tmp_path / "encoder")))
    with pytest.raises(InputError, match=r"^reranker\.model must be a cross-encoder \([^\n]*a BertModel\)"):
        vectors_only.score("fee", chunks_of("fee"))
    with pytest.raises(InputError, match=r"^reranker\.model must be a folder"):
        CrossEncoderReranker(model=str(tmp_path)).score("fee", chunks_of("fee"))


@needs_sentence_transformers
def test_the_identity_of_a_cross_encoder_follows_from_its_files(tmp_path: Path):
    one, three = save_cross_encoder(tmp_path / "a" / "m"), save_cross_encoder(tmp_path / "b" / "m", outputs=3)
    assert CrossEncoderReranker(model=str(one)).identity != CrossEncoderReranker(model=str(three)).identity
