"""Corpus, queries and judgements as TREC hands them out."""

from pathlib import Path

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from eval.errors import InputError
from eval.records import Dataset, Document, Question
from eval.sources.qrels import read_trec_qrels
from runner.datasets.trec import TrecDataset
from runner.records import Response
from runner.systems.pool import pool_of
from runner.systems.replay import Replay

CORPUS = '{"_id": "d1", "text": "five euro"}\n{"_id": "d2", "text": "25 days"}\n{"_id": "d3", "text": "other"}\n'
QUERIES = "1\tWhat does parking cost?\r\n2\tHow long is leave?\n\n3\tWho pays?\n"
QRELS = "1 0 d1 2\n1 0 d2 1\n1 0 d3 0\n2\tQ0\td2\t1\n3 0 d1 -1\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    (tmp_path / "queries.tsv").write_text(QUERIES, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    return tmp_path


def dataset(home: Path, corpus: str | None = "corpus.jsonl", queries: str = "queries.tsv") -> Dataset:
    path = None if corpus is None else str(home / corpus)
    return TrecDataset(queries=str(home / queries), qrels=str(home / "qrels.txt"), corpus=path).load()


def test_any_document_judged_above_zero_answers_and_ids_stay_text(home: Path) -> None:
    assert dataset(home) == Dataset(
        "qrels",
        (Document("d1", "five euro"), Document("d2", "25 days"), Document("d3", "other")),
        (
            Question("1", "What does parking cost?", "single", ("d1", "d2")),
            Question("2", "How long is leave?", "single", ("d2",)),
        ),
        ("1 queries without a type and without an answer document are left out",),
    )


def test_queries_may_be_json_lines_with_types(home: Path) -> None:
    rows = (
        '{"_id": "1", "text": "a", "metadata": {"type": "multi"}}\n{"id": "2", "text": "b"}\n{"_id": "3", "text": "c"}'
    )
    (home / "queries.jsonl").write_text(rows, encoding="utf-8")
    assert [question.type for question in dataset(home, queries="queries.jsonl").questions] == ["multi", "single"]


def test_without_a_corpus_documents_are_the_judged_ids_and_that_is_told(home: Path) -> None:
    loaded = dataset(home, corpus=None)
    assert loaded.documents == (Document("d1", ""), Document("d2", ""), Document("d3", ""))
    assert "documents are known by their ids alone" in loaded.notes[1]


def test_a_run_is_measured_by_its_ranks_alone(home: Path) -> None:
    """A document that nobody judged keeps its rank, and is none that answers."""
    (home / "my.run").write_text("1 Q0 d9 1 3 me\n1 Q0 d1 2 2 me\n", encoding="utf-8")
    loaded, replay = dataset(home, corpus=None), Replay(str(home / "my.run"))
    responses = [replay.respond(question) for question in loaded.questions]
    assert responses[1] == Response(())
    pooled = pool_of(responses, loaded.documents)
    assert [pooled.chunks[place].doc_id for place in pooled.rankings[0].positions] == ["", "d1"]
    assert pooled.counts == {"unknown id": 1, "by id": 1}


def test_everything_wrong_is_told_with_file_and_line(home: Path) -> None:
    (home / "queries.tsv").write_text("1\tWhat does parking cost?\nno tab here\n1\tagain\n", encoding="utf-8")
    (home / "qrels.txt").write_text("1 0 d1 1\n1 d1 1\n1 0 d1 2\n1 0 d1 1\n8 0 d1 x\n9 0 d7 1\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        dataset(home)
    assert [problem.replace(f"{home}/", "") for problem in raised.value.problems] == [
        "queries.tsv:2: must be an id, a tab and the question's text",
        "queries.tsv:3: id '1' is taken by queries.tsv:1; give each its own",
        "qrels.txt:2: must have the 4 columns qid 0 docid rel (got 3)",
        "qrels.txt:3: query '1' with document 'd1' has another score at qrels.txt:1; keep one",
        "qrels.txt:5: score must be a number (got 'x')",
        "qrels.txt:6: judges queries that are not there: 9; correct the ids or add them",
        "qrels.txt:6: judges documents that are not there: d7; correct the ids or add them",
    ]


def test_files_that_are_not_there_are_told_together(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        dataset(tmp_path)
    assert len(raised.value.problems) == 3


def test_a_pair_judged_twice_alike_counts_once(home: Path) -> None:
    (home / "qrels.txt").write_text("1 0 d1 1\n1 0 d1 1\n", encoding="utf-8")
    read = read_trec_qrels(home / "qrels.txt")
    assert (len(read.rows), read.repeats, read.errors) == (1, 1, ())


def test_the_configuration_builds_it(home: Path) -> None:
    choice = Path(__file__).parents[2] / "conf" / "dataset" / "trec.yaml"
    assert choice.read_text(encoding="utf-8").startswith("# python -m runner dataset=trec ")
    config = OmegaConf.load(choice)
    config.update({"queries": str(home / "queries.tsv"), "qrels": str(home / "qrels.txt")})
    assert len(instantiate(config).load().questions) == 2
