"""Any Python callable as a system: how it is found, built and called, and which results are understood."""

import importlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
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


@contextmanager
def closing(found: CallableSystem) -> Iterator[CallableSystem]:
    try:
        yield found
    finally:
        found.stop("the test is over")


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
    with closing(system("patient")) as found:
        assert found.respond(Q1) == Response((Passage("parking", "d1"),))


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
        {"content": "e", "meta": {"document_id": 5}, "score": Fraction(1, 2)},
        Passage("f", "d3"),
    ]
    assert passages(result) == (
        Passage("a"),
        Passage("b", "d1"),
        Passage("c", score=0.5),
        Passage("d", "d2", "7", "T", 2.0),
        Passage("e", "5", score=0.5),
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
        ([("a", "d1", float("nan"))], False, "[0] score must be a finite number (got float nan)"),
        ([("a", "d1", "0.5")], False, "[0] score must be a finite number (got str '0.5')"),
        ([{"text": "a", "score": True}], False, "[0] score must be a finite number (got bool True)"),
        ([{"text": "a", "score": 10**400}], False, "[0] score must be a finite number (got int 1000"),
        ([Passage(None)], False, "[0] has neither a text"),
        ([Passage(5)], False, "[0] has a text that is no text (got int 5)"),  # type: ignore[arg-type]
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


def test_an_async_generator_gives_passages_as_a_plain_one_does() -> None:
    with closing(system("one_by_one")) as found:
        assert found.respond(Q1) == Response((Passage("about parking"), Passage("more")))


@pytest.mark.parametrize("name", ["endless", "endless_async"])
def test_passages_without_end_cost_the_question_and_not_the_memory(name: str) -> None:
    with closing(system(name)) as found:
        response = found.respond(Q1)
    assert isinstance(response, Unscored)
    assert response.reason == "the result must be at most 100000 passages"


def test_an_async_client_lives_as_long_as_the_run_for_all_that_are_asked_together() -> None:
    with closing(system("AsyncClient", concurrency=3)) as found, ThreadPoolExecutor(3) as pool:
        found.ready([])
        said = list(pool.map(found.respond, [Question(f"q{n}", f"{n}", "none") for n in range(6)]))
    assert said == [Response((Passage(f"{n}"),)) for n in range(6)]


def test_a_connection_that_belongs_to_a_thread_is_asked_in_the_thread_that_opened_it() -> None:
    with closing(system("Table")) as found:
        found.ready([])
        assert [found.respond(Q1) for _ in range(3)] == [Response((Passage("parking"),))] * 3


@pytest.mark.parametrize("name", ["hanging", "hanging_async", "hanging_generator"])
def test_a_call_that_hangs_costs_its_question_and_the_others_go_on(name: str) -> None:
    foreign.RELEASED.clear()
    with closing(system(name, timeout_s=0.2)) as found:
        late, in_time = found.respond(Question("q2", "hang", "none")), found.respond(Q1)
        foreign.RELEASED.set()
    assert (late, in_time) == (Unscored("no response within 0.2 s"), Response((Passage("parking"),)))


@pytest.mark.parametrize("name", ["hanging", "hanging_async"])
def test_all_that_wait_go_on_when_it_is_stopped_and_nothing_more_is_asked(name: str) -> None:
    foreign.RELEASED.clear()
    found = system(name, concurrency=2, timeout_s=None)
    found.ready([])
    while foreign.HANGING.acquire(blocking=False):  # what hung in other tests
        pass
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(found.respond, Question(f"q{n}", "hang", "none")) for n in range(2)]
        assert all(foreign.HANGING.acquire(timeout=30) for _ in waiting)
        found.stop("the deadline is over")
        assert [each.result(30) for each in waiting] == [Unscored("the deadline is over")] * 2
    foreign.RELEASED.set()
    found.stop("later")
    assert found.respond(Q1) == Unscored("the deadline is over")


def test_an_interrupt_ends_the_process_whatever_hangs_in_it() -> None:
    code = f"""if True:
        import os, signal, threading
        from eval.records import Question
        from runner.spread import spread
        from runner.systems.callable import CallableSystem
        found = CallableSystem("{HERE}.hanging", concurrency=2, timeout_s=None)
        questions = [Question(f"q{{n}}", "hang", "none") for n in range(3)]
        threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
        try:
            spread(found.respond, questions, 2, lambda: None)
        except KeyboardInterrupt:
            found.stop("interrupted")
            print("interrupted")
    """
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


@pytest.mark.parametrize("name", ["leaving", "leaving_async"])
def test_an_exit_costs_its_question_and_the_others_go_on(name: str) -> None:
    with closing(system(name)) as found:
        said = [found.respond(Question("q", text, "none")) for text in ("3", "base", "parking")]
    assert said == [Unscored("SystemExit: 3"), Unscored("BaseException: base"), Response((Passage("parking"),))]


def test_an_interrupt_that_somebodys_code_raises_is_one() -> None:
    with closing(system("leaving")) as found, pytest.raises(KeyboardInterrupt):
        found.respond(Question("q", "interrupt", "none"))


def test_an_exception_without_words_and_one_that_cant_say_them_are_named() -> None:
    wordless, speechless = (
        system("raising").respond(Question("q", text, "none")) for text in ("wordless", "speechless")
    )
    assert (wordless, speechless) == (Unscored("KeyError"), Unscored("SpeechlessError"))


def test_a_result_that_cant_be_shown_is_unscored() -> None:
    assert understood(foreign.Unshowable()) == Unscored("RuntimeError: no repr")
    assert understood({"contexts": foreign.Unshowable()}).reason == "RuntimeError: no repr"  # type: ignore[union-attr]


def test_a_key_that_an_exception_shows_is_masked() -> None:
    with pytest.raises(InputError, match=r"OSError: no database at postgres://\*\*\*@host/db"):
        system("Secretive").ready([])
    assert system("telling").respond(Q1) == Unscored("ValueError: wrong key ***")


def test_a_key_of_the_documents_id_that_no_passage_has_is_told() -> None:
    found = system("texts", doc_id_key="sorce")
    assert found.review([found.respond(Q1)]) == ("no passage has a 'sorce' (system.doc_id_key); is it the right name?",)
    assert system("texts").review([found.respond(Q1)]) == ()


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
