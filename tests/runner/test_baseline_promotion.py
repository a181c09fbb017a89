"""Promoting runs, on the embedded database, on an MLflow server and on PostgreSQL."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from eval.fingerprints import fingerprint
from eval.gate.anchor import read_anchor
from eval.gate.decide import Baseline, NoBaseline
from eval.gate.rules import Gate
from runner.baseline.candidate import PromotionRefusedError, RegressedError
from runner.baseline.find import Baselines
from runner.baseline.promotion import Promoted, Reason, beside, promote, repair, roll_back
from runner.baseline.registry import BaselineBrokenError, Registry
from runner.baseline.runs import Runs
from runner.tracking.mlflow_store import MlflowTracking
from tests.runner.measured import a_run, log_measured

pytestmark = pytest.mark.xdist_group("servers")
REASON = Reason("Ada", "it is the first")
Name = Callable[[str], str]


@pytest.fixture(params=["embedded", "server", "postgres"])
def tracking(request: pytest.FixtureRequest, root: Path) -> MlflowTracking:
    """Each kind of store, ready to take runs."""
    if request.param == "embedded":
        return MlflowTracking(root=root)
    if request.param == "server":
        return MlflowTracking(uri=request.getfixturevalue("mlflow_server"), root=root, timeout_s=60)
    return MlflowTracking(uri=request.getfixturevalue("postgres_uri"), root=root)


@pytest.fixture
def data(request: pytest.FixtureRequest) -> str:
    """Name of a dataset that no other test uses, as all share one server."""
    return f"d{abs(hash(request.node.nodeid)):x}"


@pytest.fixture
def registry(tracking: MlflowTracking) -> Registry:
    with tracking.opened() as address:
        return Registry.at(address)


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    return tmp_path / "eval" / "baseline-report.json"


def promoted(registry: Registry, run_id: str, anchor: Path, reason: Reason = REASON) -> Promoted:
    return promote(registry, Runs(registry.client).find(run_id), reason, str(anchor))


def found(tracking: MlflowTracking, dataset: str, anchor: Path) -> Baseline | NoBaseline:
    return Baselines().find(tracking, dataset, Gate(anchor=str(anchor)), silent=None)


def test_a_promoted_run_is_found_as_the_baseline_with_who_when_why_and_its_values(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    logged = log_measured(tracking, a_run({3}, dataset=data), root / "runs" / "a")
    assert isinstance(found(tracking, data, anchor), NoBaseline)
    version = promoted(registry, logged.run_id, anchor).version
    assert (version.model, version.version, version.run_id) == (data, 1, logged.run_id)
    baseline = found(tracking, data, anchor)
    assert isinstance(baseline, Baseline)
    assert baseline.against["run"] == logged.run_id
    assert baseline.results.metrics["recall"].value == 15 / 16
    current = registry.current(data)
    assert current is not None
    assert current.promotion["by"] == "Ada"
    assert current.promotion["why"] == "it is the first"
    assert current.tags["evalfirst.metric.recall"] == "0.9375"
    assert current.tags["evalfirst.metric.refusal_rate"] == "1.0000"
    assert current.tags["evalfirst.fingerprint.judge"] == "j" * 16
    held = read_anchor(anchor)
    assert held.promotion == current.promotion
    assert held.results.metrics["recall"].value == 15 / 16
    assert not beside(anchor).exists()


def test_pages_tell_what_the_baseline_is_its_five_measures_and_why(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    first = log_measured(tracking, a_run(dataset=data, name="first"), root / "runs" / "a")
    second = log_measured(tracking, a_run(dataset=data, name="second"), root / "runs" / "b")
    promoted(registry, first.run_id, anchor)
    promoted(registry, second.run_id, anchor, Reason("Bo", "shorter chunks"))
    page = registry.client.get_registered_model(data).description
    assert page.startswith("**Baseline: version 2**, because: shorter chunks.")
    assert "Run **second** (" in page
    for name in ("recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate"):
        assert f"| {name} | 1.0000 |" in page
    version = registry.client.get_model_version(data, "2")
    assert version.description.startswith("shorter chunks.")  # the list of versions shows its first 30 characters
    tags = [registry.client.get_run(logged.run_id).data.tags for logged in (first, second)]
    assert "evalfirst.baseline" not in tags[0]
    assert tags[1]["evalfirst.baseline"] == f"{data} v2"
    assert tags[0]["mlflow.note.content"].startswith("**Gate: no baseline: ")
    start = f"**Baseline [{data} v2](#/models/{data}/versions/2)** since "
    assert tags[1]["mlflow.note.content"].startswith(start)
    assert tags[1]["mlflow.note.content"].split("\n\n")[1] == tags[0]["mlflow.note.content"].split("\n\n")[0]


def test_what_people_type_is_shown_as_they_typed_it(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    logged = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    promoted(registry, logged.run_id, anchor, Reason("A. *B*", "![x](http://example.org/p.png) <b>now</b>\n# big"))
    page = registry.client.get_registered_model(data).description
    assert "because: \\!\\[x\\](http://example.org/p.png) \\<b\\>now\\</b\\> \\# big." in page
    assert "by A. \\*B\\*." in page
    assert read_anchor(anchor).promotion["why"] == "![x](http://example.org/p.png) <b>now</b>\n# big"


def test_a_rollback_returns_to_the_baseline_before_and_keeps_the_history(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    runs = [log_measured(tracking, a_run(dataset=data, name=f"r{n}"), root / "runs" / str(n)) for n in range(3)]
    texts = []
    for logged in runs:
        promoted(registry, logged.run_id, anchor)
        texts.append(anchor.read_text())
    back = roll_back(registry, data, Reason("Ada", "too slow"), anchor)
    assert (back.version, back.run_id) == (2, runs[1].run_id)
    assert anchor.read_text() == texts[1]
    assert roll_back(registry, data, REASON, anchor).version == 1
    assert anchor.read_text() == texts[0]
    with pytest.raises(Exception, match="has no baseline before it"):
        roll_back(registry, data, REASON, anchor)
    versions = registry.versions(data)
    assert [version.is_baseline for version in versions] == [True, False, False]
    assert "too slow" in versions[2].tags["evalfirst.state"]
    # what was taken back is not what a later rollback returns to
    assert promoted(registry, runs[2].run_id, anchor).version.version == 4
    assert roll_back(registry, data, REASON, anchor).version == 1


def test_a_worse_run_is_refused_unless_forced_with_a_reason_which_is_kept(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    good = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    worse = log_measured(tracking, a_run({1, 2}, dataset=data), root / "runs" / "b")
    promoted(registry, good.run_id, anchor)
    before = anchor.read_bytes()
    with pytest.raises(RegressedError, match=r"recall fell from 1\.0000 to 0\.8750") as refused:
        promoted(registry, worse.run_id, anchor)
    assert refused.value.exit_code == 1
    assert anchor.read_bytes() == before
    forced = promoted(registry, worse.run_id, anchor, Reason("Ada", "new corpus", forced="half the cost"))
    assert forced.version.promotion["forced"] == "half the cost"
    assert "half the cost" in registry.client.get_registered_model(data).description


def test_an_incomplete_run_is_never_promoted_not_even_by_force(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    logged = log_measured(tracking, a_run(dataset=data, unscored={1}), root / "runs" / "a")
    with pytest.raises(PromotionRefusedError, match=r"not a complete run.*timeout"):
        promoted(registry, logged.run_id, anchor, Reason("Ada", "please", forced="now"))
    assert registry.current(data) is None
    assert not anchor.exists()


def test_a_run_that_measures_less_than_the_baseline_is_refused(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    full = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    less = log_measured(tracking, a_run(dataset=data, tier="retrieval"), root / "runs" / "b")
    promoted(registry, full.run_id, anchor)
    with pytest.raises(PromotionRefusedError, match="does not measure faithfulness, refusal_rate"):
        promoted(registry, less.run_id, anchor)


def test_a_deleted_or_purged_run_an_alias_that_is_gone_and_files_that_were_changed_are_told_and_never_a_baseline(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    logged = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    other = log_measured(tracking, a_run({1}, dataset=data), root / "runs" / "b")
    promoted(registry, logged.run_id, anchor)
    client = registry.client

    client.delete_run(logged.run_id)
    told = found(tracking, data, anchor)
    assert isinstance(told, NoBaseline)
    assert told.broken
    assert f"mlflow runs restore --run-id {logged.run_id}" in told.because
    client.restore_run(logged.run_id)
    assert isinstance(found(tracking, data, anchor), Baseline)

    report = client.download_artifacts(other.run_id, "report.json", str(root))
    client.log_artifact(logged.run_id, report)
    told = found(tracking, data, anchor)
    assert isinstance(told, NoBaseline)
    assert "are not those that were promoted" in told.because
    client.log_artifact(logged.run_id, str(root / "runs" / "a" / "report.json"))
    assert isinstance(found(tracking, data, anchor), Baseline)

    client.delete_registered_model_alias(data, "baseline")
    told = found(tracking, data, anchor)
    assert isinstance(told, NoBaseline)
    assert told.broken
    assert "its alias baseline is gone" in told.because
    # promoting anew is the way out
    promoted(registry, logged.run_id, anchor)
    assert isinstance(found(tracking, data, anchor), Baseline)


def test_what_was_cut_short_is_finished_or_discarded_by_the_next_promotion(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    first = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    second = log_measured(tracking, a_run(dataset=data), root / "runs" / "b")
    promoted(registry, first.run_id, anchor)
    old = anchor.read_text()
    promoted(registry, second.run_id, anchor)
    # as if it had ended between the alias and the file
    beside(anchor).write_text(anchor.read_text())
    anchor.write_text(old)
    assert json.loads(old)["promotion"]["run"] == first.run_id
    assert repair(registry, data, anchor).run_id == second.run_id
    assert read_anchor(anchor).promotion["run"] == second.run_id
    assert not beside(anchor).exists()
    # as if it had ended before the alias
    beside(anchor).write_text(old)
    assert repair(registry, data, anchor).run_id == second.run_id
    assert read_anchor(anchor).promotion["run"] == second.run_id
    assert not beside(anchor).exists()


def test_a_store_without_a_baseline_is_held_to_the_portable_one(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    good = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    worse = log_measured(tracking, a_run({1, 2}, dataset=data), root / "runs" / "b")
    promoted(registry, good.run_id, anchor)
    registry.client.delete_registered_model(data)  # as in the fresh store of a clone
    with pytest.raises(RegressedError, match=r"is worse than .*’s portable baseline: recall fell"):
        promoted(registry, worse.run_id, anchor)
    told = found(tracking, data, anchor)
    assert isinstance(told, Baseline)
    assert told.remarks[0].startswith(f"baseline: read from {anchor}, as no run of {data} is registered in ")
    assert promoted(registry, good.run_id, anchor).version.version == 1


def test_a_run_is_not_promoted_by_looser_rules_than_the_baselines(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    good = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    loose = log_measured(tracking, a_run({1, 2}, dataset=data, gate={"tolerance": 0.9}), root / "runs" / "b")
    promoted(registry, good.run_id, anchor)
    with pytest.raises(RegressedError, match=r"tolerance 0\.01"):
        promoted(registry, loose.run_id, anchor)
    registry.client.delete_registered_model(data)  # the portable report holds the rules, too
    with pytest.raises(RegressedError, match=r"tolerance 0\.01"):
        promoted(registry, loose.run_id, anchor)


def test_a_run_that_can_not_be_compared_is_promoted_only_by_force(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    good = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    other = a_run(dataset=data)
    other = replace(other, fingerprints={**other.fingerprints, "judge": "k" * 16})
    judged = log_measured(tracking, other, root / "runs" / "b")
    promoted(registry, good.run_id, anchor)
    with pytest.raises(PromotionRefusedError, match="can't be compared with the baseline: faithfulness: another judge"):
        promoted(registry, judged.run_id, anchor)
    registry.client.delete_run(good.run_id)
    anchor.unlink()
    with pytest.raises(PromotionRefusedError, match=r"can't be compared with the baseline: the run of .* was deleted"):
        promoted(registry, judged.run_id, anchor)
    assert promoted(registry, judged.run_id, anchor, Reason("Ada", "a better judge", forced="the old one is gone"))


def test_a_model_that_was_made_by_hand_is_taken_over(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    registry.client.create_registered_model(data)
    logged = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    assert promoted(registry, logged.run_id, anchor).version.version == 1
    assert data in registry.datasets()


def test_a_report_without_its_checksum_is_not_believed(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    logged = log_measured(tracking, a_run(dataset=data), root / "runs" / "a")
    promoted(registry, logged.run_id, anchor)
    registry.client.delete_model_version_tag(data, "1", "evalfirst.checksum")
    told = found(tracking, data, anchor)
    assert isinstance(told, NoBaseline)
    assert "are not those that were promoted" in told.because


def test_a_portable_report_with_other_results_than_the_registered_ones_is_told(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    logged = log_measured(tracking, a_run({5}, dataset=data), root / "runs" / "a")
    promoted(registry, logged.run_id, anchor)
    held = json.loads(anchor.read_text())
    held["promotion"]["why"] = "something else"
    del held["checksum"]
    anchor.write_text(json.dumps({**held, "checksum": fingerprint(held)}))
    told = found(tracking, data, anchor)
    assert isinstance(told, Baseline)
    assert told.remarks == (
        f"baseline: {anchor} holds other results than the registered one; python -m runner.promote --repair writes it "
        "anew",
    )


def test_a_baseline_whose_run_is_gone_cannot_be_returned_to(
    tracking: MlflowTracking, registry: Registry, data: str, anchor: Path, root: Path
) -> None:
    runs = [log_measured(tracking, a_run(dataset=data), root / "runs" / str(n)) for n in range(2)]
    for logged in runs:
        promoted(registry, logged.run_id, anchor)
    before = anchor.read_bytes()
    registry.client.delete_run(runs[0].run_id)
    with pytest.raises(BaselineBrokenError, match="was deleted"):
        roll_back(registry, data, REASON, anchor)
    current = registry.current(data)
    assert current is not None
    assert current.run_id == runs[1].run_id
    assert anchor.read_bytes() == before
