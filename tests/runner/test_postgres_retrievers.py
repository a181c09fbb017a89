"""PostgreSQL's full text search and pgvector, against a real server that is started for the tests."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from eval.errors import EvalfirstError, InputError
from tests.runner.vector_servers import VARIABLE, WordEmbedder, by_numpy, chunks

psycopg = pytest.importorskip("psycopg", exc_type=ImportError, reason="the extra postgres is not installed")
from runner.retrievers.postgres_text import PostgresTextRetriever  # noqa: E402 - only where there is something to test
from runner.retrievers.postgres_vector import Hnsw, PostgresVectorRetriever  # noqa: E402 - as above

pytestmark = pytest.mark.xdist_group("pgvector")

CHECKOUT = Path(__file__).parents[2]
OWN: dict[str, Any] = {}
ENGLISH = {"configuration": "english"}


def ranked(query: str, *texts: str, **options: Any) -> list[int]:
    index = PostgresTextRetriever(**options).build(chunks(*texts))
    return [int(place) + 1 for place in index.rank(query).positions]


def tables(uri: str) -> list[str]:
    with psycopg.connect(uri) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'evalfirst' ORDER BY 1")
        return [name for (name,) in found]


@pytest.fixture
def emptied(database: str) -> str:
    """A database without any table of ours."""
    with psycopg.connect(database) as connection:
        connection.execute("DROP SCHEMA IF EXISTS evalfirst CASCADE")
    return database


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("options", [OWN, ENGLISH, {"function": "ts_rank_cd"}, {"normalization": 0}])
def test_a_term_ranks_its_chunk_alone_and_an_unknown_one_ranks_none(options: dict[str, Any]) -> None:
    texts = "refund within ten days", "parking costs five euro"
    assert ranked("refund", *texts, **options) == [1]
    assert ranked("REFUNDS", *texts, **options) == [1]
    for query in ("zzz", "", "…", "' | 'refund", "\\", "\0"):
        assert ranked(query, *texts, **options) == ([1] if "refund" in query else [])


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("options", [OWN, ENGLISH])
def test_a_term_in_every_chunk_scores_above_zero(options: dict[str, Any]) -> None:
    ranking = PostgresTextRetriever(**options).build(chunks("leave policy", "leave form")).rank("leave")
    assert ranking.scores[0] == ranking.scores[1] > 0


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("options", [OWN, ENGLISH])
def test_ties_keep_corpus_order_where_the_ranking_ends_too(options: dict[str, Any]) -> None:
    texts = ["the fee"] * 30
    assert ranked("fee", *texts, **options) == list(range(1, 31))
    assert ranked("fee", *texts, **options, depth=7) == list(range(1, 8))


@pytest.mark.parametrize("options", [OWN, ENGLISH])
def test_blank_chunks_are_never_found_and_nothing_to_index_is_told(emptied: str, options: dict[str, Any]) -> None:
    assert ranked("fee", "", "fee", "!!", "fee", **options) == [2, 4]
    for texts in ((), ("?", "!!")):
        with pytest.raises(InputError, match="nothing to index"):
            PostgresTextRetriever(**options).build(chunks(*texts))
    assert len(tables(emptied)) == 1  # of what failed nothing is left


@pytest.mark.usefixtures("database")
def test_chinese_matches_by_our_analysis_and_not_by_postgresqls() -> None:
    assert ranked("年假", "年假每年十天", "报销需要发票") == [1]
    assert ranked("税", "增值税率为六个百分点", "报销需要发票") == [1]
    assert ranked("年假", "年假每年十天", "报销需要发票", configuration="simple") == []


@pytest.mark.usefixtures("database")
def test_a_product_code_finds_its_own_chunk_first() -> None:
    assert ranked("X-900", "型号X-900保修两年", "型号X-901保修一年")[0] == 1


@pytest.mark.usefixtures("database")
def test_a_chunk_with_more_of_the_questions_words_is_better() -> None:
    texts = "parking costs", "parking costs five euro a day", "euro"
    assert ranked("parking euro day", *texts)[0] == 2
    assert ranked("parking euro day", *texts, match="all") == [2]


@pytest.mark.usefixtures("database")
def test_what_postgresql_cannot_hold_is_left_out() -> None:
    texts = "nul \0 and half \ud800 a pair", "it's a\\b 'quoted' & | ! <-> word", "x" * 5000 + " tail"
    assert ranked("half", *texts) == ranked("half", *texts, **ENGLISH) == [1]
    assert ranked("quoted", *texts) == ranked("it's \\b 'quoted' & |", *texts) == [2]
    assert ranked("tail", *texts) == ranked("tail " + "x" * 5000, *texts) == [3]


@pytest.mark.usefixtures("database")
def test_a_ranking_repeats_itself_and_holds_no_chunk_twice() -> None:
    texts = [f"fee {'word ' * (number % 7)} w{number % 3}" for number in range(60)]
    whole = ranked("fee word w1", *texts, depth=None)
    assert sorted(whole) == list(range(1, 61))
    assert ranked("fee word w1", *texts, depth=9) == whole[:9]
    scores = PostgresTextRetriever().build(chunks(*texts)).rank("fee word w1").scores
    assert (np.diff(scores) <= 0).all()


@pytest.mark.usefixtures("database")
def test_an_unknown_configuration_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"simple, spanish.*\(got klingon\)"):
        PostgresTextRetriever(configuration="klingon").build(chunks("fee"))


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("dimensions", [1, 16, 2500])
@pytest.mark.parametrize("hnsw", [None, Hnsw(ef_search=500)])
def test_vectors_rank_as_their_cosines_do(dimensions: int, hnsw: Hnsw | None) -> None:
    if hnsw and dimensions > 2000:
        return
    model = WordEmbedder(dimensions)
    texts = [f"w{number % 17} w{number % 5}" for number in range(100)]
    ranking = PostgresVectorRetriever(model=model, hnsw=hnsw, depth=500).build(chunks(*texts)).rank("w3 w4")
    cosines = by_numpy(model, texts, "w3 w4")
    assert sorted(ranking.positions.tolist()) == list(range(100))
    np.testing.assert_allclose(ranking.scores, cosines[ranking.positions], atol=1e-6)
    order = list(zip((-ranking.scores).tolist(), ranking.positions.tolist(), strict=True))
    assert order == sorted(order)


@pytest.mark.usefixtures("database")
def test_equal_vectors_keep_corpus_order_where_the_ranking_ends_too() -> None:
    model, texts = WordEmbedder(), ["fee", "leave"] * 20
    ranking = PostgresVectorRetriever(model=model, depth=7).build(chunks(*texts)).rank("fee")
    assert ranking.positions.tolist() == [0, 2, 4, 6, 8, 10, 12]


@pytest.mark.usefixtures("emptied")
def test_blank_chunks_have_no_vector_and_a_blank_question_finds_nothing() -> None:
    index = PostgresVectorRetriever(model=WordEmbedder(), depth=None).build(chunks("fee", " \n", "leave"))
    index.foresee(["fee", " "])
    assert index.rank("fee").positions.tolist() == [0, 2]
    assert index.rank(" ").positions.tolist() == []
    with pytest.raises(InputError, match="nothing to index: all of the 1 chunks are blank"):
        PostgresVectorRetriever(model=WordEmbedder()).build(chunks(" "))


@pytest.mark.usefixtures("database")
def test_longer_vectors_than_pgvector_takes_are_told() -> None:
    with pytest.raises(InputError, match=r"indexes at most 2000 dimensions \(got 2001 of words-1 in 2001\)"):
        PostgresVectorRetriever(model=WordEmbedder(2001), hnsw=Hnsw()).build(chunks("fee"))


def test_a_complete_table_is_used_again_and_another_model_has_its_own(emptied: str) -> None:
    model, other = WordEmbedder(), WordEmbedder(name="words-2")
    for _ in range(2):
        PostgresVectorRetriever(model=model).build(chunks("fee", "leave"))
    assert model.asked == [2]
    PostgresVectorRetriever(model=other).build(chunks("fee", "leave"))
    PostgresVectorRetriever(model=model, hnsw=Hnsw()).build(chunks("fee", "leave"))
    assert (other.asked, model.asked, len(tables(emptied))) == ([2], [2, 2], 3)


def test_a_table_that_lost_rows_is_written_again(emptied: str) -> None:
    assert ranked("fee", "fee", "fee") == [1, 2]
    (name,) = tables(emptied)
    with psycopg.connect(emptied) as connection:
        connection.execute(
            psycopg.sql.SQL("DELETE FROM {} WHERE position = 0").format(psycopg.sql.Identifier("evalfirst", name))
        )
    assert ranked("fee", "fee", "fee") == [1, 2]


def test_every_table_says_what_it_is(emptied: str) -> None:
    PostgresVectorRetriever(model=WordEmbedder(name="it's")).build(chunks("fee"))
    with psycopg.connect(emptied) as connection:
        ((note,),) = connection.execute(
            "SELECT obj_description(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE nspname = 'evalfirst' AND relkind = 'r'"
        )
    assert note == "evalfirst: vectors of 1 chunks by it's in 16"


SLOW = """
import sys, time
from tests.runner.vector_servers import WordEmbedder, chunks
from runner.retrievers.postgres_vector import PostgresVectorRetriever
class Slow(WordEmbedder):
    def documents(self, texts):
        print("writing", flush=True)
        time.sleep(float(sys.argv[1]))
        return super().documents(texts)
index = PostgresVectorRetriever(model=Slow()).build(chunks("fee", "leave"))
print(index.rank("leave").positions.tolist(), flush=True)
"""


def _start(wait: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", SLOW, str(wait)]
    return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_table_whose_writing_was_interrupted_is_written_again(emptied: str, how: signal.Signals) -> None:
    with _start(600) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        process.send_signal(how)
    assert tables(emptied) == []
    index = PostgresVectorRetriever(model=WordEmbedder()).build(chunks("fee", "leave"))
    assert index.rank("leave").positions.tolist() == [1, 0]


def test_of_two_processes_one_writes_and_the_other_uses_it(emptied: str) -> None:
    with _start(1) as first, _start(1) as second:
        told = sorted([first.communicate()[0], second.communicate()[0]])
    assert told == ["[1, 0]\n", "writing\n[1, 0]\n"]
    assert len(tables(emptied)) == 1


def test_a_server_that_ends_the_connection_is_told_in_one_line(database: str) -> None:
    index = PostgresTextRetriever().build(chunks("fee"))
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'evalfirst'")
    with pytest.raises(EvalfirstError, match=r"PostgreSQL at 127\.0\.0\.1:\d+/postgres can't be reached: .*") as told:
        index.rank("fee")
    assert "\n" not in str(told.value)


SECRET = "hunter2hunter2"  # noqa: S105 - nobody's


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (f"postgresql://somebody:{SECRET}@127.0.0.1:1/base", "PostgreSQL at 127.0.0.1:1/base can't be reached"),
        (f"postgresql://somebody:{SECRET}@127.0.0.1:x/base?colour={SECRET}", f"{VARIABLE} can't be read"),
        (SECRET, f"{VARIABLE} can't be read"),
        ("", f"{VARIABLE} is not set"),
    ],
)
def test_no_error_shows_the_password(monkeypatch: pytest.MonkeyPatch, value: str, says: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(EvalfirstError, match=re.escape(says)) as told:
        PostgresTextRetriever().build(chunks("fee"))
    assert SECRET not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_user_who_may_not_make_a_schema_is_told_so(emptied: str) -> None:
    with psycopg.connect(emptied, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS visitor")
        connection.execute("CREATE ROLE visitor LOGIN")
    os.environ[VARIABLE] = emptied.replace("postgres@", "visitor@")  # the fixture puts it back
    with pytest.raises(EvalfirstError, match="refused: permission denied for database postgres"):
        PostgresTextRetriever().build(chunks("fee"))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: PostgresTextRetriever(uri_env="postgresql://u:p@h/d"), "must be the NAME of an environment variable"),
        (lambda: PostgresTextRetriever(configuration="x'; DROP"), "configuration"),
        (lambda: PostgresTextRetriever(normalization=64), "less than or equal to 63"),
        (lambda: PostgresVectorRetriever(model=WordEmbedder(), depth=None, hnsw=Hnsw()), "at most hnsw.ef_search"),
        (lambda: Hnsw(m=16, ef_construction=31), r"at least twice hnsw.m \(got 31 and 16\)"),
    ],
)
def test_settings_that_cannot_be_are_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        make()
