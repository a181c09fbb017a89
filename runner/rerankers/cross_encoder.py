"""The reranker that reads question and chunk together (Nogueira & Cho, arXiv:1901.04085): a cross-encoder."""

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from eval.component import component
from eval.errors import EvalfirstError, InputError, MissingExtraError
from eval.records import Chunk
from runner.records import Reranked
from runner.saved_models import EXTRA, PACKAGE, model_identity, read_model

_ONE_AT_A_TIME = threading.Lock()  # the tokenizer bears one thread
DECIMALS = 5  # which chunks share a batch changes a score by some 1e-7


@component
class CrossEncoderReranker:
    """Scores the ``depth`` best chunks with a model of sentence-transformers, ``batch`` pairs at a time.

    ``model`` is a folder or a name on the hub, which ``revision`` pins; code that a model brings is never run. A pair
    is cut after ``max_length`` tokens, ``None`` is the model's own limit. Scores are the model's plain outputs
    (logits), rounded to 5 decimals, so that what differs by its place in a batch alone is a tie.
    """

    model: Annotated[str, Field(pattern=r"\S")]
    revision: str | None = None
    depth: Annotated[int, Field(ge=1)] = 50
    max_length: Annotated[int, Field(ge=8)] | None = 512
    batch: Annotated[int, Field(ge=1)] = 16
    device: str = "cpu"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if find_spec(PACKAGE) is None:
            raise MissingExtraError("reranker=cross_encoder", EXTRA, EXTRA)
        return self

    @cached_property
    def identity(self) -> str:
        """Package, version, model, and the setting that changes a score."""
        return f"{model_identity(self.model, self.revision)} {self.max_length}"

    def score(self, question: str, chunks: Sequence[Chunk]) -> Reranked:
        """Logits of the pairs of question and chunk as shown; equal texts are read once and have equal scores.

        Raises:
            InputError: the model is not there, or is of another kind.
            EvalfirstError: it gave a score that is no number.
        """
        places = {text: place for place, text in enumerate(dict.fromkeys(chunk.shown for chunk in chunks))}
        if not places:
            return Reranked(np.zeros(0))
        with _ONE_AT_A_TIME:
            found = self._outputs([(question, text) for text in places])
        if found.ndim != 1:
            raise InputError(
                f"reranker.model must give one score for a pair (got {self.model!r} with {found.shape[1]} outputs); "
                "use a model for ranking"
            )
        if not np.isfinite(found).all():
            raise EvalfirstError(f"the model {self.identity} gave NaN or infinity as a score of {question[:60]!r}")
        return Reranked(found.round(DECIMALS)[[places[chunk.shown] for chunk in chunks]])

    def _outputs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        import torch  # comes with the extra

        plain = torch.nn.Identity()  # a sigmoid would make all high scores equal
        found = self._encoder.predict(pairs, batch_size=self.batch, activation_fn=plain, show_progress_bar=False)
        return np.asarray(found, dtype=np.float64)

    @cached_property
    def _encoder(self) -> Any:
        from sentence_transformers import CrossEncoder  # optional: an extra

        def read(model: str, local: bool) -> Any:
            return CrossEncoder(
                model,
                revision=self.revision,
                device=self.device,
                max_length=self.max_length,
                local_files_only=local,
            )

        encoder = read_model("reranker", self.model, self.device, read)
        network, saved = type(encoder.model).__name__, encoder.config.architectures or []
        if network not in saved:  # it would be filled up with random weights
            raise InputError(
                f"reranker.model must be a cross-encoder (got {self.model!r}, a {', '.join(saved) or 'nothing'}); "
                "a model that only makes vectors is for reranker=embedding"
            )
        return encoder.eval()
