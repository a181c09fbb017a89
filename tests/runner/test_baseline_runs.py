"""Which run a person means."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from eval.errors import InputError
from runner.baseline.registry import Registry
from runner.baseline.runs import Runs
from runner.tracking.mlflow_store import MlflowTracking
from tests.runner.measured import a_run, log_measured


@pytest.fixture
def tracking(root: Path) -> MlflowTracking:
    return MlflowTracking(root=root)


@pytest.fixture
def runs(tracking: MlflowTracking) -> Runs:
    with tracking.opened() as address:
        return Runs(Registry.at(address).client)


def test_a_run_is_found_by_id_the_beginning_of_it_name_folder_and_as_the_latest(
    tracking: MlflowTracking, runs: Runs, root: Path
) -> None:
    first = log_measured(tracking, a_run(name="it's the first"), root / "runs" / "a")
    second = log_measured(
        tracking, a_run(name="second", dataset="other"), root / "runs" / "b", started=1_800_000_000_000
    )
    found = {given: runs.find(given).info.run_id for given in (first.run_id, first.run_id[:12], "it's the first")}
    assert set(found.values()) == {first.run_id}
    assert runs.find(str(root / "runs" / "a")).info.run_id == first.run_id
    assert runs.find("latest").info.run_id == second.run_id


def test_runs_of_another_dataset_are_not_meant(tracking: MlflowTracking, runs: Runs, root: Path) -> None:
    mine = log_measured(tracking, a_run(), root / "runs" / "a")
    other = log_measured(tracking, a_run(dataset="other"), root / "runs" / "b", started=1_800_000_000_000)
    assert Runs(runs.client, "tiny").find("latest").info.run_id == mine.run_id
    with pytest.raises(InputError, match="is of other, not of tiny"):
        Runs(runs.client, "tiny").find(other.run_id)
    with pytest.raises(InputError, match="no run is called"):
        Runs(runs.client, "tiny").find(other.run_id[:10])
    with pytest.raises(InputError, match="there is no run of third yet"):
        Runs(runs.client, "third").find("latest")


def test_a_name_of_several_runs_is_answered_with_their_ids(tracking: MlflowTracking, runs: Runs, root: Path) -> None:
    logged = [log_measured(tracking, a_run(name="same"), root / "runs" / name).run_id for name in "ab"]
    with pytest.raises(InputError, match="2 runs are meant by 'same'") as refused:
        runs.find("same")
    assert all(run_id in str(refused.value) for run_id in logged)


@pytest.mark.parametrize("given", ["nothing", "0123abcd", "0" * 32, "' OR 1=1 --", "a\"b'c", "", "%"])
def test_a_run_that_is_not_there_is_told(runs: Runs, given: str) -> None:
    with pytest.raises(InputError, match=r"^no run is called .*: give a run's id"):
        runs.find(given)


def test_without_any_run_there_is_no_latest(runs: Runs) -> None:
    with pytest.raises(InputError, match="there is no run yet"):
        runs.find("latest")


def test_a_run_that_was_not_logged_to_its_end_is_not_the_latest(
    tracking: MlflowTracking, runs: Runs, root: Path
) -> None:
    first = log_measured(tracking, a_run(), root / "runs" / "a")
    runs.client.create_run(first.experiment_id, start_time=1_900_000_000_000, run_name="half")
    assert runs.find("latest").info.run_id == first.run_id


def _sweep(tracking: MlflowTracking, root: Path, lost: dict[str, set[int]]) -> dict[str, str]:
    folder = root / "sweeps" / "s"
    folder.mkdir(parents=True)
    (folder / "sweep.json").write_text(
        '{"name": "three", "experiment": "tiny", "status": "FINISHED", "started": 1, "ended": 2}'
    )
    logged = {
        name: log_measured(tracking, a_run(missed, name=name), folder / name, sweep="s").run_id
        for name, missed in lost.items()
    }
    return logged | {"three": tracking.log_sweep(folder).run_id}


def test_the_best_of_a_sweep_is_chosen_by_the_leaderboard_or_by_a_measure(
    tracking: MlflowTracking, runs: Runs, root: Path
) -> None:
    logged = _sweep(tracking, root, {"worst": {1, 2, 3}, "best": set(), "middle": {1}})
    for rule in ("leaderboard", "recall", "mrr"):
        chosen, told = runs.choose("three", rule)
        assert chosen.info.run_id == logged["best"]
        assert told == f"Best of 3 by {rule}: best ({logged['best']})"
    with pytest.raises(InputError, match="is a sweep of 3 runs: give one of them, or --best leaderboard"):
        runs.choose("three", None)
    with pytest.raises(InputError, match="--best is for sweeps"):
        runs.choose("best", "recall")
    with pytest.raises(InputError, match="--best is leaderboard or a measure"):
        runs.choose("three", "price")


def test_lower_is_better_for_false_refusals(tracking: MlflowTracking, runs: Runs, root: Path) -> None:
    _sweep(tracking, root, {"a": set(), "b": {1}})
    runs_of = {run.info.run_name: run for run in runs.children(runs.find("three"))}
    runs.client.log_metric(runs_of["a"].info.run_id, "measures/false_refusal_rate", 0.5)
    assert runs.choose("three", "false_refusal_rate")[0].info.run_name == "b"


def test_a_run_beyond_the_first_thousand_is_found(tracking: MlflowTracking, runs: Runs, root: Path) -> None:
    logged = log_measured(tracking, a_run(name="many"), root / "runs" / "a")
    with closing(sqlite3.connect(root / "mlflow.db")) as connection, connection:
        columns = [
            row[1] for row in connection.execute("PRAGMA table_info(runs)") if row[1] not in {"run_uuid", "name"}
        ]
        listed = ", ".join(columns)
        for number in range(1500):
            connection.execute(
                f"INSERT INTO runs (run_uuid, name, {listed}) SELECT ?, name, {listed} FROM runs WHERE run_uuid = ?",  # noqa: S608 – names of columns
                (f"{number:032x}", logged.run_id),
            )
            for key, value in (("mlflow.parentRunId", logged.run_id), ("mlflow.runName", "many")):
                tag = (key, value, f"{number:032x}")
                connection.execute("INSERT INTO tags (key, value, run_uuid) VALUES (?, ?, ?)", tag)
    assert len(runs.children(runs.find(logged.run_id))) == 1500
    with pytest.raises(InputError, match=r"1501 runs are meant by 'many'.* and 1491 more"):
        runs.find("many")
