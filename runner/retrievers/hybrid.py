"""Several retrievers side by side, their rankings made into one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from numpy.typing import NDArray
from pydantic import Field, SkipValidation, model_validator

from eval.component import component
from eval.records import Chunk, Ranking
from runner.protocols import Foresighted, Index, Restoring, Retriever, Storable
from runner.retrievers.fusion import head, reciprocal_rank_fusion, weighted_fusion

VECTOR = "vector"
Fusion = Literal["rrf", "weighted"]
_NAME = re.compile(r"[\w-]+")  # without the slash that stands between a part's name and an array's


@component
class HybridRetriever:
    """Ranks by all of ``retrievers`` and fuses what they give: by their ranks (``rrf``) or scores (``weighted``).

    ``vector_weight`` is the weight of the retriever named ``vector``, the others share the rest equally; ``None``
    gives all the same. A retriever of weight 0 is neither built nor asked, and a ranking that is left alone stays as
    it is, scores and all. ``k`` is the constant of ``rrf``, whose weights are scaled to a mean of 1. ``depth`` ends a
    ranking, ``None`` keeps all that the retrievers give. Hybrids may be nested.

    The order in which the retrievers are named changes nothing: they are taken by name.
    """

    retrievers: Mapping[str, SkipValidation[Retriever]]
    fusion: Fusion = "rrf"
    vector_weight: Annotated[float, Field(ge=0, le=1)] | None = 0.5
    k: Annotated[int, Field(ge=0, le=1_000_000)] = 60
    depth: Annotated[int, Field(ge=1)] | None = 1000

    @model_validator(mode="after")
    def _parts_fit(self) -> "HybridRetriever":
        known = ", ".join(self.retrievers) or "none"
        problems = [
            f"retrievers.{name} must be a retriever (got {part!r}): choose one by its _target_"
            for name, part in self.retrievers.items()
            if not callable(getattr(part, "build", None))
        ]
        problems += [
            f"a retriever's name must be of letters, digits, _ and - (got {name!r})"
            for name in self.retrievers
            if not _NAME.fullmatch(name)
        ]
        if len(self.retrievers) < 2:
            problems.append(f"retrievers must be two or more (got {known}): a single one needs no hybrid")
        elif self.vector_weight is not None and VECTOR not in self.retrievers:
            problems.append(f"vector_weight needs a retriever named {VECTOR} (got {known}); null weighs all alike")
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def build(self, chunks: Sequence[Chunk]) -> "HybridIndex":
        """Index the chunks with each retriever that counts.

        Raises:
            InputError: one of them can't index these chunks.
        """
        return self._index({name: self.retrievers[name].build(chunks) for name in self._weights()})

    def restore(self, chunks: Sequence[Chunk], arrays: Mapping[str, NDArray[Any]]) -> "HybridIndex":
        """The index that gave ``arrays``; there are some only where each retriever that counts can do the same.

        Raises:
            TypeError: one of them can't, so that the arrays are from other settings.
        """
        parts: dict[str, Index] = {}
        for name in self._weights():
            part = self.retrievers[name]
            if not isinstance(part, Restoring):
                raise TypeError(f"retrievers.{name} can't be restored from arrays: build the index anew")
            own = f"{name}/"
            parts[name] = part.restore(
                chunks, {key.removeprefix(own): array for key, array in arrays.items() if key.startswith(own)}
            )
        return self._index(parts)

    def _index(self, parts: Mapping[str, Index]) -> "HybridIndex":
        restoring = all(isinstance(self.retrievers[name], Restoring) for name in parts)
        return HybridIndex(parts, tuple(self._weights().values()), self.fusion, self.k, self.depth, restoring)

    def _weights(self) -> dict[str, float]:
        """Weights by name, in the order of the names, of the retrievers whose weight is above 0; their sum is 1."""
        names = sorted(self.retrievers)
        if self.vector_weight is None:
            return dict.fromkeys(names, 1 / len(names))
        rest = (1 - self.vector_weight) / (len(names) - 1)
        weights = {name: self.vector_weight if name == VECTOR else rest for name in names}
        return {name: weight for name, weight in weights.items() if weight > 0}


@dataclass(frozen=True, eq=False)
class HybridIndex:
    """The indexes of the retrievers that count, by name, and their weights in the same order."""

    parts: Mapping[str, Index]
    weights: tuple[float, ...]
    fusion: Fusion
    k: int
    depth: int | None
    restoring: bool

    def rank(self, query: str) -> Ranking:
        """Chunks that any of the indexes ranks, best first, equal scores in corpus order."""
        rankings = [index.rank(query) for index in self.parts.values()]
        if len(rankings) == 1:
            return head(rankings[0], self.depth)
        if self.fusion == "weighted":
            return weighted_fusion(rankings, self.weights, self.depth)
        scaled = [weight * len(self.weights) for weight in self.weights]
        return reciprocal_rank_fusion(rankings, scaled, self.k, self.depth)

    def foresee(self, queries: Sequence[str]) -> None:
        """Tell those of the indexes that work faster when they know."""
        for index in self.parts.values():
            if isinstance(index, Foresighted):
                index.foresee(queries)

    def arrays(self) -> Mapping[str, NDArray[Any]] | None:
        """The arrays of all indexes, each behind its retriever's name; ``None`` where one of them can't be kept."""
        kept: dict[str, NDArray[Any]] = {}
        for name, index in self.parts.items():
            arrays = index.arrays() if self.restoring and isinstance(index, Storable) else None
            if arrays is None:
                return None
            kept |= {f"{name}/{key}": array for key, array in arrays.items()}
        return kept
