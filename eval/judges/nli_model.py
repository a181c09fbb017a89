"""A sequence-classification model of the transformers library, loaded from a folder or by its name on a hub."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from eval.errors import InputError, MissingExtraError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PairClassifier:
    """Classifies pairs of texts on ``device``, ``batch`` at a time, the first text cut so that both fit."""

    tokenizer: Any
    network: Any
    max_length: int
    batch: int
    device: str

    def length(self, text: str) -> int:
        """Tokens of ``text`` alone."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def room(self, statement: str) -> int:
        """Tokens that are left for a premise beside ``statement``."""
        return self.max_length - len(self.tokenizer("", statement)["input_ids"])

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Of each output, for each pair of premise and statement: (pairs, outputs), each row summing to 1."""
        batches = [pairs[start : start + self.batch] for start in range(0, len(pairs), self.batch)]
        return np.concatenate([self._of_batch(batch) for batch in batches])

    def _of_batch(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        import torch  # optional: an extra

        premises, statements = zip(*pairs, strict=True)
        encoded = self.tokenizer(
            list(premises),
            list(statements),
            truncation=True,
            max_length=self.max_length,
            padding=True,
            return_tensors="pt",
        )
        with torch.no_grad():
            logits = self.network(**encoded.to(self.device)).logits
        found: NDArray[np.float64] = torch.softmax(logits.double(), dim=-1).cpu().numpy()
        return found


def outputs_of(model: str) -> dict[int, str]:
    """The names of the model's outputs by place, without loading its weights; errors as for ``load``."""
    transformers = _transformers()
    named: dict[int, str] = _read(model, lambda: transformers.AutoConfig.from_pretrained(model)).id2label
    return named


def load(model: str, max_length: int, batch: int, device: str) -> PairClassifier:
    """Load tokenizer and weights, ready to classify.

    Raises:
        MissingExtraError: a package is not installed.
        InputError: the model is not there or is of another kind, or there is no such device.
    """
    transformers = _transformers()
    tokenizer = _read(model, lambda: transformers.AutoTokenizer.from_pretrained(model))
    network = _read(model, lambda: transformers.AutoModelForSequenceClassification.from_pretrained(model))
    try:
        network = network.to(device).eval()
    except (RuntimeError, AssertionError) as error:  # what torch raises for a device that it does not know or find
        raise InputError(f"judge.device must be a device of this machine, as cpu or cuda (got {device!r})") from error
    return PairClassifier(tokenizer, network, max_length, batch, device)


def _transformers() -> Any:
    try:
        import torch  # noqa: F401 - the other package cannot load a model without it
        import transformers  # optional: an extra
    except ImportError as error:
        raise MissingExtraError("judge=nli", error.name or "transformers", "nli") from error
    return transformers


def _read(model: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except (OSError, ValueError, KeyError) as error:  # missing, no network, not of this kind
        said = str(error).strip().split("\n")[0]
        raise InputError(
            f"judge.model must be a folder with a sequence-classification model, or the name of one on the hub "
            f"(got {model!r}: {said}); save one with save_pretrained and give its path"
        ) from error
