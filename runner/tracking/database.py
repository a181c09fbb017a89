"""Opening the store: created whole or not at all, backed up before a migration, and never migrated by two at once."""

import logging
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import cast

import sqlalchemy
from filelock import FileLock
from mlflow import MlflowClient
from mlflow.entities import Experiment
from mlflow.exceptions import MlflowException
from mlflow.store.db.utils import _get_latest_schema_revision
from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

from runner.tracking.address import Address, sqlite_uri

_LOCK_TIMEOUT_S = 300  # several processes may wait for one that migrates a large database


class StoreRefusedError(Exception):
    """The store answers, but the run has no place in it; says what to do."""


def open_client(address: Address) -> MlflowClient:
    """A client whose store exists and has this MLflow's schema."""
    if address.is_server:
        return MlflowClient(address.uri)
    if address.database is None:
        return _open_database_server(address)
    if _revision(address.database) != _known_revision():
        _bring_up_to_date(address, address.database)
    return MlflowClient(address.uri)


def experiment_id(client: MlflowClient, address: Address, name: str) -> str:
    """The experiment of that name, made if there is none."""
    place = address.experiment_artifacts(name)
    found = client.get_experiment_by_name(name) or _make_experiment(client, name, place)
    if found.lifecycle_stage == "deleted":
        restore = address.shell(f"mlflow experiments restore --experiment-id {found.experiment_id}")
        raise StoreRefusedError(
            f"experiment {name!r} was deleted; restore it with: {restore}, or choose another name with "
            "tracking.experiment=NAME"
        )
    if not found.experiment_id:
        raise StoreRefusedError("the server's answer is not MLflow's; name another with tracking.uri=http://HOST:PORT")
    _check_place(found.artifact_location, address, name)
    return str(found.experiment_id)


def _make_experiment(client: MlflowClient, name: str, place: str | None) -> Experiment:
    try:
        return client.get_experiment(client.create_experiment(name, artifact_location=place))
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    return cast("Experiment", client.get_experiment_by_name(name))  # another process was faster


def _check_place(recorded: str, address: Address, name: str) -> None:
    """MLflow keeps the absolute place of an experiment's files: from another folder it would write to the old one."""
    expected = address.experiment_artifacts(name)
    tail = "/".join((expected or "").rsplit("/", 2)[-2:])
    if not expected or recorded == expected or not recorded.endswith(f"/{tail}"):
        return
    if address.database is None:
        raise StoreRefusedError(
            f"experiment {name!r} keeps its files in {recorded}, the folder of another project or machine; choose a "
            f"name of your own with tracking.experiment=NAME, or track at an MLflow server, which keeps files itself"
        )
    raise StoreRefusedError(
        f"experiment {name!r} keeps its files in {recorded}, but its database now lies elsewhere; move the folder "
        f"back, or choose a new name with tracking.experiment=NAME"
    )


def _open_database_server(address: Address) -> MlflowClient:
    # MLflow tries ten times over 100 seconds before it says that a database can't be reached; once is enough here.
    engine = sqlalchemy.create_engine(address.uri)
    engine.connect().close()
    engine.dispose()
    address.root.mkdir(parents=True, exist_ok=True)
    with FileLock(address.root / ".tracking.lock", timeout=_LOCK_TIMEOUT_S):
        return MlflowClient(address.uri)


def _bring_up_to_date(address: Address, database: Path) -> None:
    database.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(database.with_name(f".{database.name}.lock"), timeout=_LOCK_TIMEOUT_S):
        revision = _revision(database)
        if not database.exists():
            _create(address, database)
        elif revision not in {None, _known_revision()}:
            _back_up(database, database.with_name(f"{database.name}.before-migration-from-{revision}"))
        MlflowClient(address.uri)  # opening it is what migrates it


def _create(address: Address, database: Path) -> None:
    """Build the database under another name first: one that is interrupted in its creation is broken for good."""
    draft = database.with_name(f".{database.name}.new")
    draft.unlink(missing_ok=True)
    store = SqlAlchemyStore(sqlite_uri(draft), address.artifacts.as_uri())  # type: ignore[no-untyped-call]  # MLflow's
    store.engine.dispose()
    draft.replace(database)


def _back_up(database: Path, copy: Path) -> None:
    if copy.exists():
        return
    draft = copy.with_name(f".{copy.name}")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(draft)) as target:
        source.backup(target)
    draft.replace(copy)
    logging.getLogger(__name__).warning("the tracking database is migrated; a copy of it is kept in %s", copy)


def _revision(database: Path) -> str | None:
    """Revision of the schema; None without a file or without a schema."""
    if not database.exists():
        return None
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=rw", uri=True, timeout=20)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(row[0]) if row else None


@cache
def _known_revision() -> str:
    """Revision of the schema that the installed MLflow works with."""
    return str(_get_latest_schema_revision())  # type: ignore[no-untyped-call]  # MLflow's
