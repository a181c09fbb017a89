"""Models small enough to be made by a test, with random weights."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

needs_sentence_transformers = pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None,
    reason="the extra sentence-transformers is not installed",
)
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] fee leave api parking the a word".split()


def save_encoder(folder: Path) -> Path:
    """A model that makes vectors of 16 numbers."""
    from transformers import BertModel

    return _save(folder, BertModel)


def save_cross_encoder(folder: Path, outputs: int = 1) -> Path:
    """A model that scores pairs."""
    from transformers import BertForSequenceClassification

    return _save(folder, BertForSequenceClassification, num_labels=outputs)


def _save(folder: Path, kind: Any, **settings: Any) -> Path:
    import torch
    from transformers import BertConfig, BertTokenizerFast

    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=64, initializer_range=1.0, **settings,
    )  # fmt: skip
    kind(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder
