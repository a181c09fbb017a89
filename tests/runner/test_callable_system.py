"""Any Python callable as a system: how it is found, built and called, and which results are understood."""

import importlib
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf
from pydantic import ValidationError

from eval.errors import InputError
from eval.golden.read import read_golden
from eval.records import Question, Unscored
from eval.sources.folder import read_folder
from runner.records import Passage, Response
from runner.shipped import resolve
from runner.systems.callable import CallableSystem
from runner.systems.pool import pool_of
from tests.runner import foreign

ROOT = Path(__file__).parents[2]
HERE = "tests.runner.foreign"
Q1 = Question("q1", "parking", "single", ("d1",))
EXAMPLES = {
    "langchain_bm25.LangChainBm25": ("langchain_community", "langchain_text_splitters"),
    "llama_index_bm25.LlamaIndexBm25": ("llama_index.core", "llama_index.retrievers.bm25"),
    "haystack_bm25.HaystackBm25": ("haystack",),
}


def system(name: str, **options: Any) -> CallableSystem:
    return CallableSystem(f"{HERE}.{name}", **options)


def understood(result: Any, **options: Any) -> Response | Unscored:
    foreign.RESULTS["q1"] = result
    return system("shaped", passes="question", **options).respond(Q1)


def passages(result: Any, **options: Any) -> tuple[Passage, ...]:
    response = understood(result, **options)
    assert isinstance(response, Response)
    return response.passages


def test_a_function_is_called_with_the_questions_text() -> None:
    assert system("texts").respond(Q1) == Response((Passage("about parking"), Passage("more")))


def test_arguments_are_passed_to_a_function_with_each_question() -> None:
    assert system("limited", arguments={"k": 1}).respond(Q1) == Response((Passage("about parking"),))


def test_a_class_is_built_once_and_before_it_is_asked_if_made_ready() -> None:
    foreign.BUILT.clear()
    counted = system("Counted", arguments={"prefix": "p"})
    assert foreign.BUILT == []
    assert counted.ready([Q1]) == ()
    assert [counted.respond(Q1) for _ in range(2)] == [Response((Passage(f"p parking {number}"),)) for number in (1, 2)]
    assert foreign.BUILT == ["p"]


def test_a_class_is_built_once_by_several_threads() -> None:
    foreign.BUILT.clear()
    counted = system("Counted", arguments={"prefix": "p"}, concurrency=4)
    barrier = threading.Barrier(4)

    def ask(_number: int) -> Response | Unscored:
        barrier.wait()
        return counted.respond(Q1)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, range(4)))
    assert foreign.BUILT == ["p"]


def test_an_async_function_is_waited_for() -> None:
    assert system("patient").respond(Q1) == Response((Passage("parking", "d1"),))


def test_an_exception_leaves_its_question_unscored_and_the_others_go_on() -> None:
    failing = system("failing")
    assert failing.respond(Question("q2", "bad", "none")) == Unscored("ConnectionError: store is down")
    assert isinstance(failing.respond(Q1), Response)


def test_texts_tuples_and_mappings_are_passages() -> None:
    result = [
        "a",
        ("b", "d1"),
        ("c", None, np.float32(0.5)),
        {"text": "d", "doc_id": "d2", "id": 7, "title": "T", "score": 2},
        {"content": "e", "meta": {"document_id": 5}, "score": True},
        Passage("f", "d3"),
    ]
    assert passages(result) == (
        Passage("a"),
        Passage("b", "d1"),
        Passage("c", score=0.5),
        Passage("d", "d2", "7", "T", 2.0),
        Passage("e", "5"),
        Passage("f", "d3"),
    )
    assert passages(iter(["a"])) == (Passage("a"),)
    assert passages([]) == ()


def test_the_objects_of_the_frameworks_are_passages() -> None:
    lang = foreign.LangChainDocument("a", {"source": "d1", "title": "T"})
    result = [
        lang,
        (lang, 0.25),
        foreign.NodeWithScore(foreign.TextNode("b", {"source": "d2"}), 0.5),
        foreign.NodeWithScore(foreign.TextNode("c", {}), None),
        foreign.HaystackDocument("d", {"doc_id": "d3", "source": "file.md"}, 1.5),
    ]
    assert passages(result) == (
        Passage("a", "d1", title="T"),
        Passage("a", "d1", title="T", score=0.25),
        Passage("b", "d2", "node-1", score=0.5),
        Passage("c", "made-up", "node-1"),
        Passage("d", "d3", "hash", score=1.5),
    )


def test_the_key_of_the_documents_id_is_an_option() -> None:
    document = foreign.LangChainDocument("a", {"source": "x", "page": "d1"})
    assert passages([document], doc_id_key="page") == (Passage("a", "d1"),)
    assert passages([foreign.LangChainDocument("a", {"source": " "})]) == (Passage("a"),)


@pytest.mark.parametrize(
    "result",
    [
        {"answer": "five", "contexts": ["a"]},
        {"response": "five", "source_documents": ["a"]},
        foreign.Reply("five", ["a"]),
    ],
)
def test_answers_count_only_where_that_is_chosen(result: Any) -> None:
    assert understood(result, answers=True) == Response((Passage("a"),), "five")
    assert understood(result) == Response((Passage("a"),))


@pytest.mark.parametrize(
    ("result", "answers", "reason"),
    [
        (None, False, "must be a list of passages or an object with answer and contexts (got None)"),
        ("five", True, "must be a list of passages or an object with answer and contexts (got 'five')"),
        (7, False, "must be a list of passages (got int 7)"),
        ({"answer": "five"}, True, "has no passages under any of contexts, "),
        ({"answer": "five", "contexts": None}, True, "must be a list of passages (got NoneType None)"),
        (["a"], True, "is a list of passages without an answer, and system.answers is true"),
        ({"contexts": ["a"]}, True, "has no answer as text under any of answer, "),
        (["a", 7], False, "[1] must be text or an object with text or a document's id (got int 7)"),
        ([("a", "d1", 0.1, "x")], False, "[0] must be (text, doc_id), (text, doc_id, score) or (object, score)"),
        ([()], False, "[0] must be (text, doc_id)"),
        ([("a", 0.5)], False, "[0] the second of a tuple must be an id (got float 0.5)"),
        ([{"text": ["a"]}], False, "[0] has a text that is no text (got list ['a'])"),
        ([foreign.HaystackDocument(None)], False, "[0] has neither a text (text, page_content, content) nor"),
    ],
)
def test_what_is_not_understood_is_unscored_and_says_why(result: Any, answers: bool, reason: str) -> None:
    response = understood(result, answers=answers)
    assert isinstance(response, Unscored)
    assert response.reason.startswith(f"the result {reason}")
    assert response.raw == repr(result)


def test_an_async_generator_is_not_understood() -> None:
    assert isinstance(system("endless").respond(Q1), Unscored)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nothing", "must be like module.function or module.Class (got 'nothing')"),
        ("a b.c", "must be like module.function"),
        ("no_such_module.f", "no_such_module.f: ModuleNotFoundError: No module named 'no_such_module'"),
        (f"{HERE}.absent", "AttributeError: "),
        (f"{HERE}.RETRIEVER", "must be a function or a class (got object)"),
    ],
)
def test_a_wrong_target_is_told_before_anything_is_asked(target: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        CallableSystem(target)
    assert message in raised.value.problems[0]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("Broken", {}, "FileNotFoundError: no index"),
        ("Mute", {}, "has no __call__"),
        ("Counted", {"arguments": {"prefx": 1}}, "TypeError: "),
    ],
)
def test_a_class_that_gives_no_system_is_told(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        system(name, **options).ready([Q1])
    assert message in raised.value.problems[0]


def test_no_question_at_a_time_is_refused() -> None:
    with pytest.raises(ValidationError):
        system("texts", concurrency=0)


def test_a_module_in_the_folder_of_the_command_is_found(tmp_path: Path) -> None:
    (tmp_path / "my_module.py").write_text("def search(question):\n    return [question]\n", encoding="utf-8")
    code = "from runner.systems.callable import CallableSystem; CallableSystem('my_module.search')"
    # -P: as an installed command, which does not look into the current folder
    subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, check=True, timeout=60)


@pytest.mark.parametrize("choice", ["callable", "pipeline"])
def test_the_configuration_builds_it(choice: str) -> None:
    path = ROOT / "conf" / "system" / f"{choice}.yaml"
    assert path.read_text(encoding="utf-8").startswith(f"# python -m runner system={choice}")
    config = OmegaConf.load(path)
    if choice == "callable":
        config["target"] = f"{HERE}.texts"
    instantiate(config, _convert_="all")


@pytest.fixture(params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> str:
    for module in EXAMPLES[request.param]:
        try:
            importlib.import_module(module)
        except ImportError as error:
            pytest.skip(f"the framework is not installed: {error}")
    name: str = request.param
    return name


# the frameworks' own warnings are theirs to heed
@pytest.mark.filterwarnings("ignore")
def test_a_frameworks_retriever_finds_what_answers(example: str) -> None:
    retriever = CallableSystem(f"runner.systems.examples.{example}", {"folder": "shipped:corpus/en"})
    retriever.ready([])
    asked = [
        question for question in read_golden(resolve("shipped:eval/golden-set.json")).questions if question.answerable
    ]
    pooled = pool_of([retriever.respond(question) for question in asked], read_folder(resolve("shipped:corpus/en")))
    assert set(pooled.counts) == {"by id"}
    for question, ranking in zip(asked, pooled.rankings, strict=True):
        found = {pooled.chunks[place].doc_id for place in ranking.positions}
        assert found.intersection(question.answer_doc_ids)
