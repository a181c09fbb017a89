"""Where runs are tracked, and what speaks against it."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from runner.tracking.address import locate, problem_with
from runner.tracking.mlflow_store import MlflowTracking


def test_no_uri_means_a_database_file_in_mlruns_with_absolute_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = locate(None, Path("mlruns"))
    assert place.uri == f"sqlite:///{tmp_path}/mlruns/mlflow.db"
    assert place.experiment_artifacts("handbook-en") == f"file://{tmp_path}/mlruns/artifacts/handbook-en"


def test_a_relative_database_is_the_same_from_every_folder_once_it_is_located(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = locate("sqlite:///team/runs.db", Path("mlruns"))
    monkeypatch.chdir("/")
    assert place.uri == f"sqlite:///{tmp_path}/team/runs.db"
    assert place.artifacts == tmp_path / "team" / "artifacts"
    assert locate(place.uri, Path("mlruns")).uri == place.uri


def test_a_located_folder_with_signs_that_mean_something_in_a_uri_is_located_again_as_itself(tmp_path: Path) -> None:
    root = tmp_path / "100%25 年?"
    place = locate(None, root)
    assert place.database == root / "mlflow.db"
    assert locate(place.uri, root) == place


def test_a_server_decides_itself_where_files_go_and_is_linked_to_under_its_own_address() -> None:
    place = locate("http://127.0.0.1:8080/", Path("mlruns"))
    assert place.experiment_artifacts("handbook-en") is None
    assert place.link("3", "abc") == "http://127.0.0.1:8080/#/experiments/3/runs/abc"


def test_a_database_is_linked_to_where_the_user_starts_the_ui() -> None:
    assert locate(None, Path("mlruns")).link("3", "abc") == "http://127.0.0.1:5000/#/experiments/3/runs/abc"


@pytest.mark.parametrize("name", ["team/handbook", "..", "a b", "x" * 300, "50%", "年假/手册"])
def test_an_experiment_of_any_name_has_one_folder_of_its_own(name: str, tmp_path: Path) -> None:
    place = locate(None, tmp_path)
    uri = place.experiment_artifacts(name)
    assert uri is not None
    assert uri.startswith(f"{place.artifacts.as_uri()}/")
    assert "/" not in uri.removeprefix(f"{place.artifacts.as_uri()}/")
    assert uri != place.experiment_artifacts(f"{name}/")


@pytest.mark.parametrize("uri", ["./mlruns", "file:./mlruns", "file:///tmp/mlruns", "C:\\mlruns", ""])
def test_the_file_store_is_refused_with_a_hint_when_the_configuration_is_read(uri: str) -> None:
    with pytest.raises(ValidationError, match=r"no longer accepts its file store; use sqlite:///mlruns/mlflow\.db"):
        MlflowTracking(uri=uri)


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        (
            "postgresql+psycopg://postgres@127.0.0.1:notaport/db",
            "Port could not be cast to integer value as 'notaport'",
        ),
        ("http://127.0.0.1:99999", "Port out of range"),
        ("http://[::1", "Invalid IPv6 URL"),
        ("https://", "it names no host"),
        ("http://host\n", "it holds a control character"),
        ("sqlite:///mlruns/\0.db", "it holds a control character"),
    ],
)
def test_an_address_that_cannot_be_read_is_told_in_one_line(uri: str, told: str) -> None:
    problem = problem_with(uri)
    assert problem is not None
    assert problem.startswith(f"uri {uri!r} can't be read: {told}")
    assert "\n" not in problem


@pytest.mark.parametrize(
    "uri",
    [
        "http://[::1]:5000",
        "https://mlflow.example/team",
        "postgresql:///db",
        "sqlite:///年\u3000度/[1:2]/x.db",
        "databricks://scope:prefix",
    ],
)
def test_addresses_of_every_form_are_read(uri: str) -> None:
    assert problem_with(uri) is None


@pytest.mark.parametrize("uri", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(uri: str) -> None:
    with pytest.raises(ValidationError, match="gone with the process"):
        MlflowTracking(uri=uri)


@pytest.mark.parametrize(
    "uri", ["http://me:s3cret@host", "postgresql://me:s3cret@db/x", "postgresql://db/x?password=s3cret"]
)
def test_a_password_in_the_uri_is_refused_without_showing_it(uri: str) -> None:
    problem = problem_with(uri)
    assert problem is not None
    assert "MLFLOW_TRACKING_PASSWORD" in problem
    assert "s3cret" not in problem


def test_a_timeout_must_be_above_zero() -> None:
    with pytest.raises(ValidationError, match="greater than 0"):
        MlflowTracking(timeout_s=0)
