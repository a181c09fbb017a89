"""Datasets as a configuration names them: paths, names, and what travels with the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf
from pydantic import ValidationError

from eval.errors import InputError
from eval.records import Dataset, Document, Question
from runner.datasets.beir import BeirDataset
from runner.datasets.folder import FolderDataset
from runner.datasets.json_lines import JsonLinesDataset
from runner.datasets.name import named
from runner.shipped import resolve, shipped

ROOT = Path(__file__).parents[2]
CHOICES = sorted((ROOT / "conf" / "dataset").glob("*.yaml"))

GOLDEN = '[{"id": "q1", "question": "How long?", "answerDocIds": ["leave"], "type": "single"}]'
DOCUMENT = Document("leave", "25 days")
QUESTION = Question("q1", "How long?", "single", ("leave",))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """One tiny dataset in every form."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text("25 days", encoding="utf-8")
    (tmp_path / "golden.json").write_text(GOLDEN, encoding="utf-8")
    (tmp_path / "golden.jsonl").write_text(GOLDEN[1:-1], encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "leave", "text": "25 days"}', encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "How long?"}', encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q1 0 leave 1\n", encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tleave\t1\n", encoding="utf-8")
    return tmp_path


def test_every_form_of_one_dataset_gives_the_same(home: Path) -> None:
    golden, lines = str(home / "golden.json"), str(home / "golden.jsonl")
    loaded = [
        FolderDataset("x", str(home / "docs"), golden).load(),
        FolderDataset("x", str(home / "docs"), lines).load(),
        JsonLinesDataset("x", str(home / "corpus.jsonl"), golden).load(),
        JsonLinesDataset("x", str(home / "corpus.jsonl"), lines).load(),
        BeirDataset(path=str(home), name="x").load(),
    ]
    assert loaded == [Dataset("x", (DOCUMENT,), (QUESTION,))] * 5


def test_without_a_name_the_source_gives_it(home: Path) -> None:
    golden = str(home / "golden.json")
    assert FolderDataset(None, str(home / "docs"), golden).load().name == "docs"
    assert JsonLinesDataset(None, str(home / "corpus.jsonl"), golden).load().name == "corpus"
    assert BeirDataset(path=f"{home}/qrels/..").load().name == home.name


@pytest.mark.parametrize("name", ["my docs", "a/b", "a:b", "", ".hidden", "-flag", "手册", "a\n"])
def test_a_name_that_no_registry_takes_is_refused_when_built(home: Path, name: str) -> None:
    with pytest.raises(ValidationError, match="English letters, digits and - _"):
        BeirDataset(path=str(home), name=name)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("my docs", "my-docs"),
        ("Q&A (2026)", "Q-A-2026"),
        ("a=b", "a-b"),
        ("---", "dataset"),
        ("资料", "dataset-a21f34f9"),
        ("docs 资料 2", "docs-2-f639422c"),
    ],
)
def test_a_source_whose_name_no_registry_takes_gives_a_safe_one(home: Path, folder: str, name: str) -> None:
    (home / "docs").rename(home / folder)
    dataset = FolderDataset(None, str(home / folder), str(home / "golden.json"))
    assert dataset.dataset_name() == dataset.load().name == name
    assert FolderDataset("mine", str(home / folder), str(home / "golden.json")).load().name == "mine"


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("资料", "文档"),
        ("资料 2026", "文档 2026"),
        ("資料 2026", "2026"),
        ("Отпуск", "Оплата"),
        ("café", "cafè"),
        ("٢٠٢٥", "٢٠٢٦"),
        ("docs ❤", "docs ★"),
        ("x" * 99 + "-2025", "x" * 99 + "-2026"),
        ("年" * 150, "年" * 151),
    ],
)
def test_names_that_differ_in_letters_or_digits_give_different_names(one: str, another: str) -> None:
    names = [named(None, one), named(None, another)]
    assert names[0] != names[1]
    for name in names:
        BeirDataset(path="x", name=name)  # which refuses what no registry takes


def test_an_accent_written_in_two_ways_gives_one_name() -> None:
    assert named(None, "cafe\u0301") == named(None, "caf\u00e9")


def test_what_runs_leave_is_no_part_of_a_corpus(home: Path) -> None:
    (home / "docs" / "mlruns" / "reports").mkdir(parents=True)
    (home / "docs" / "mlruns" / "reports" / "latest.md").write_text("recall 0.5", encoding="utf-8")
    assert FolderDataset(None, str(home / "docs"), str(home / "golden.json")).load().documents == (DOCUMENT,)


def test_a_golden_document_that_is_not_in_the_corpus_is_refused_at_load(home: Path) -> None:
    (home / "docs" / "leave.md").rename(home / "docs" / "absence.md")
    with pytest.raises(InputError, match=r"golden\.json:1: q1 lists what the corpus does not hold: leave"):
        FolderDataset("x", str(home / "docs"), str(home / "golden.json")).load()


def test_problems_of_both_files_are_told_at_once(home: Path) -> None:
    (home / "golden.json").write_text('[{"id": 1}]', encoding="utf-8")
    with pytest.raises(InputError) as raised:
        FolderDataset("x", str(home / "nowhere"), str(home / "golden.json")).load()
    assert len(raised.value.problems) == 5


def test_a_wrong_type_is_refused_when_built() -> None:
    with pytest.raises(ValidationError):
        BeirDataset(path=7)  # type: ignore[arg-type]  # what a slip in a YAML file gives


def test_paths_are_absolute_and_count_from_the_folder_of_the_start() -> None:
    assert resolve("docs") == Path.cwd() / "docs"
    assert resolve("/somewhere/docs") == Path("/somewhere/docs")
    assert resolve("~/docs") == Path.home() / "docs"


def test_a_job_that_moves_to_another_folder_reads_the_same_file(home: Path) -> None:
    code = "import os; from runner.shipped import resolve; os.chdir('/'); print(resolve('docs'))"
    assert ran(code, home, ROOT) == str(home / "docs")


def test_a_blank_path_is_refused() -> None:
    with pytest.raises(InputError, match="must not be blank"):
        resolve(" ")


def test_shipped_things_are_found_in_a_clone() -> None:
    assert shipped("conf") == ROOT / "conf"
    assert shipped("conf/dataset/beir.yaml") == ROOT / "conf" / "dataset" / "beir.yaml"
    assert resolve("shipped:corpus/en") == ROOT / "corpus" / "en"
    assert resolve("shipped:eval/golden-set.json") == ROOT / "eval" / "golden-set.json"


@pytest.mark.parametrize(
    "path", ["corpus/fr", "corpus", "eval/records.py", "corpus/en/../../pyproject.toml", "", "/etc"]
)
def test_what_is_not_shipped_is_told_with_what_is(path: str) -> None:
    with pytest.raises(InputError, match=r"is not shipped; shipped are conf, corpus/en, corpus/zh, eval/.*golden-set"):
        shipped(path)


def ran(code: str, folder: Path, packages: Path) -> str:
    """What ``code`` prints in ``folder`` with the packages that lie in ``packages``."""
    environment = {**os.environ, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_shipped_things_are_found_where_a_wheel_puts_them(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    (site / "runner").mkdir(parents=True)
    for source in ("runner/__init__.py", "runner/places.py", "runner/shipped.py"):
        shutil.copy(ROOT / source, site / source)
    shutil.copytree(ROOT / "eval", site / "eval", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("conf", "corpus"):
        shutil.copytree(ROOT / folder, site / "runner" / "shipped" / folder)
    code = "from runner.shipped import shipped as s; print(s('conf'), s('corpus/zh'), s('eval/golden-set.json'))"
    assert ran(code, tmp_path, site).split() == [
        str(site / "runner" / "shipped" / "conf"),
        str(site / "runner" / "shipped" / "corpus" / "zh"),
        str(site / "eval" / "golden-set.json"),
    ]


@pytest.mark.parametrize("choice", CHOICES, ids=[path.stem for path in CHOICES])
def test_every_choice_says_its_command_and_builds_what_loads(choice: Path, home: Path) -> None:
    assert choice.read_text(encoding="utf-8").startswith(f"# python -m runner dataset={choice.stem}")
    given = {"path": str(home), "golden": str(home / "golden.json"), "corpus": str(home / "corpus.jsonl")}
    given |= {"queries": str(home / "queries.jsonl"), "qrels": str(home / "qrels.txt")}
    if choice.stem == "folder":
        given["path"] = str(home / "docs")
    config = OmegaConf.load(choice)
    for key in OmegaConf.missing_keys(config):
        OmegaConf.update(config, key, given[key])
    dataset = instantiate(config, _convert_="all").load()
    assert dataset.documents
    assert dataset.questions


@pytest.mark.parametrize("name", ["handbook_en", "handbook_zh"])
def test_the_shipped_datasets_load_without_notes(name: str) -> None:
    dataset = instantiate(OmegaConf.load(ROOT / "conf" / "dataset" / f"{name}.yaml")).load()
    kinds = [question.type for question in dataset.questions]
    assert dataset.name == name
    assert len(kinds) >= 20
    assert kinds.count("multi") >= 3
    assert kinds.count("none") >= 3
    assert dataset.notes == ()


def test_blank_documents_of_a_public_collection_are_noted(shared_data: Path) -> None:
    dataset = BeirDataset(path=str(shared_data / "retrieval" / "cranfield")).load()
    assert dataset.notes == ("2 blank documents give no chunks: 471, 995",)


def test_a_collection_can_be_read_so_that_any_judged_document_answers(home: Path) -> None:
    (home / "corpus.jsonl").write_text('{"_id": "a", "text": "x"}\n{"_id": "b", "text": "y"}', encoding="utf-8")
    query = '{"_id": "q1", "text": "How long?", "metadata": {"type": "multi"}}'
    (home / "queries.jsonl").write_text(query, encoding="utf-8")
    judgements = "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t1\n"
    (home / "qrels" / "test.tsv").write_text(judgements, encoding="utf-8")
    assert BeirDataset(path=str(home)).load().questions[0].type == "multi"
    dataset = BeirDataset(path=str(home), any_document_answers=True).load()
    assert dataset.questions == (Question("q1", "How long?", "single", ("a", "b")),)
    assert dataset.notes == ("1 multi questions are read as single: any document answers",)
