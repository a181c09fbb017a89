"""What retrievers over stores of others share: contents give the names, and secrets are known by a variable's name."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator

from eval.errors import InputError, MissingExtraError
from eval.fingerprints import canonical_json
from eval.records import Chunk, Ranking
from runner.protocols import Embedder

_FORMAT = 1  # of what is kept; a higher one leaves what older versions wrote aside
_BLOCK = 4096  # texts embedded before they are written, so that memory stays bounded
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")


def _name_of_a_variable(name: str) -> str:
    """Refuse what is no variable's name without showing it: somebody may have typed the secret itself."""
    if not _VARIABLE.fullmatch(name):
        raise ValueError("must be the NAME of an environment variable, in capitals, such as EVALFIRST_POSTGRES")
    return name


VariableName = Annotated[str, AfterValidator(_name_of_a_variable)]
"""Name of an environment variable that holds a secret."""


def value_of(variable: str, what: str) -> str:
    """What the variable holds.

    Raises:
        InputError: it is not set or empty.
    """
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InputError(f"the environment variable {variable} is not set: it must hold {what}")
    return value


def masked_line(error: BaseException, secrets: Iterable[str | None]) -> str:
    """The first line of an error's message, without any of the secrets."""
    line = (str(error).strip() or type(error).__name__).splitlines()[0]
    for secret in filter(None, secrets):
        line = line.replace(secret, "***")
    return line


def need(part: object, package: str, extra: str) -> None:
    """Raise ``MissingExtraError`` where the package of an extra is not installed."""
    if find_spec(package) is None:
        raise MissingExtraError(type(part).__name__, package, extra)


def content_name(kind: str, settings: Any, chunks: Sequence[Chunk]) -> str:
    """``kind`` and 32 hexadecimal digits that follow from ``settings`` (JSON) and the chunks' ids and texts."""
    digest = hashlib.sha256(canonical_json([_FORMAT, settings]).encode())
    for chunk in chunks:
        digest.update(canonical_json([chunk.id, chunk.shown]).encode("utf-8", "surrogatepass"))
    return f"{kind}_{digest.hexdigest()[:32]}"


def embedded(model: Embedder, chunks: Sequence[Chunk]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float32]]]:
    """Blocks of positions (n,) and vectors (n, dimensions) of the chunks that are not blank.

    Raises:
        InputError: all of them are blank.
    """
    places = [place for place, chunk in enumerate(chunks) if chunk.shown.strip()]
    if not places:
        raise InputError(f"nothing to index: all of the {len(chunks)} chunks are blank; fill the documents")
    for start in range(0, len(places), _BLOCK):
        block = places[start : start + _BLOCK]
        yield np.array(block), model.documents([chunks[place].shown for place in block])


Found = Callable[[int], tuple[NDArray[np.int32], NDArray[np.float64]]]
"""The best of an engine, at most as many as the number says: positions and scores, both of shape (n,), in its order."""

_BITS = 20  # of a score that count: engines add up 24 of them in an order of their own


def best_first(search: Found, depth: int | None, most: int) -> Ranking:
    """The engine's ``depth`` best with equal scores in corpus order, also where the ranking ends.

    Scores are rounded, so that equal texts have equal ones. ``most`` is the largest number that ``search`` may be
    asked for: with more equal scores than that at the end of a ranking, which of them are in it is the engine's choice.
    """
    depth = min(depth or most, most)
    limit = min(depth + 1, most)
    while True:
        positions, scores = search(limit)
        rounded = _rounded(scores)
        if len(rounded) < limit or limit == most or rounded[-1] < rounded[depth - 1]:
            break
        limit = min(2 * limit, most)
    order = np.lexsort((positions, -rounded))[:depth]
    return Ranking(positions[order], rounded[order])


def _rounded(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    fractions, exponents = np.frexp(scores)
    rounded: NDArray[np.float64] = np.ldexp(np.round(fractions * 2**_BITS), exponents - _BITS)
    return rounded
