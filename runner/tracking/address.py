"""Where runs are tracked: an embedded database, a database server or an MLflow server, and the links into its UI."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from eval.fingerprints import fingerprint

_LOCAL_UI = "http://127.0.0.1:5000"  # where `mlflow ui` listens unless told otherwise
_SQLITE = "sqlite:///"
SCHEMES = ("sqlite", "http", "https", "postgresql", "mysql", "mssql", "databricks")


@dataclass(frozen=True)
class Address:
    """A store, the folder that runs leave their files in, and the file of an embedded database."""

    uri: str
    root: Path
    database: Path | None = None

    @property
    def is_server(self) -> bool:
        """Whether an MLflow server stands between us and the database; it then chooses where files go."""
        return self.uri.startswith(("http://", "https://"))

    @property
    def artifacts(self) -> Path:
        """Folder of all experiments' files, beside the database that points to it."""
        return (self.database.parent if self.database else self.root) / "artifacts"

    def experiment_artifacts(self, experiment: str) -> str | None:
        """URI of the folder for one experiment's files; None where the server decides."""
        if self.is_server:
            return None
        safe = re.sub(r"[^\w-]+", "-", experiment)[:60]
        name = safe if safe == experiment else f"{safe}-{fingerprint(experiment)[:8]}"
        return (self.artifacts / name).as_uri()

    def link(self, experiment_id: str, run_id: str) -> str:
        """Address of a run's page in the MLflow UI."""
        return f"{self._ui}/#/experiments/{experiment_id}/runs/{run_id}"

    def shell(self, command: str) -> str:
        """A command of MLflow's, as it is typed so that it works on this store."""
        return f"MLFLOW_TRACKING_URI={shlex.quote(self.uri)} {command}"

    def model_link(self, name: str) -> str:
        """Address of a registered model's page in the MLflow UI, to which its menus do not always lead."""
        return f"{self._ui}/#/models/{name}"

    @property
    def _ui(self) -> str:
        return self.uri.rstrip("/") if self.is_server else _LOCAL_UI


def problem_with(uri: str) -> str | None:
    """Why runs cannot be tracked at ``uri`` and what to write instead; None if nothing speaks against it."""
    hint = "use sqlite:///mlruns/mlflow.db, or null for that default"
    if re.search(r"://[^/@]*:[^/@]*@|[?&]password=", uri):
        return (
            "uri holds a password, which the run's files would show; leave it out and set MLFLOW_TRACKING_USERNAME and "
            "MLFLOW_TRACKING_PASSWORD for an MLflow server, PGPASSWORD for PostgreSQL"
        )
    if "://" not in uri or uri.startswith("file:"):
        return f"uri {uri!r} names a folder, and MLflow no longer accepts its file store; {hint}"
    scheme = uri.partition(":")[0].partition("+")[0]
    if scheme not in SCHEMES:
        return f"uri {uri!r} is of no kind that MLflow has a store for ({', '.join(SCHEMES)}); {hint}"
    if (slip := _misspelt(uri, scheme)) is not None:
        return f"uri {uri!r} can't be read: {slip}; {hint if scheme == 'sqlite' else f'write {scheme}://HOST:PORT'}"
    if uri.partition("?")[0] in {"sqlite://", _SQLITE, f"{_SQLITE}:memory:"}:
        return f"uri {uri!r} names a database in memory, gone with the process; {hint}"
    return None


def _misspelt(uri: str, scheme: str) -> str | None:
    """What keeps an address from being read."""
    if re.search(r"[\x00-\x1f\x7f]", uri):
        return "it holds a control character"
    try:
        parts = urlsplit(uri)
        if scheme != "databricks":  # what stands there in the place of a port is no number
            _ = parts.port
    except ValueError as error:
        return str(error)
    return "it names no host" if scheme in {"http", "https"} and not parts.hostname else None


def sqlite_uri(database: Path) -> str:
    """URI of a database file; the two characters that have a meaning of their own in it are escaped."""
    return _SQLITE + database.as_posix().replace("%", "%25").replace("?", "%3F")


def locate(uri: str | None, root: Path) -> Address:
    """The store at ``uri``, or ``root``/mlflow.db; relative paths start at the current folder, links are followed."""
    root = root.resolve()
    if uri is not None and not uri.startswith(_SQLITE):
        return Address(uri, root)
    database = Path(unquote(uri.removeprefix(_SQLITE).partition("?")[0])).resolve() if uri else root / "mlflow.db"
    return Address(sqlite_uri(database), root, database)
