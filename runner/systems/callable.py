"""Any Python callable in the place of a system."""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from eval.component import component
from eval.errors import InputError
from eval.records import Question, Unscored
from eval.sources.finding import WrongValueError
from runner.foreign_text import told
from runner.places import START
from runner.records import Response
from runner.systems.caller import Called, Caller
from runner.systems.notes import unfound
from runner.systems.shapes import ANSWER, CONTEXTS, DOC_ID, has_any, passages_of, value_of


@component
class CallableSystem:
    """Calls ``target`` for each question: a function, or an object of a class with ``__call__``; async or not.

    ``target`` is an import path, ``module.function`` or ``package.module.Class``, also of a module in the folder in
    which the command was started. ``arguments`` build the class, once, before the first question; for a function they
    are passed with each question. It is given the question's text, or with ``passes`` of ``question`` the whole
    ``eval.records.Question``, and gives passages, best first, or an object with an answer and passages: see
    ``runner.systems.shapes``.

    ``answers`` says whether its answers are measured; if not, the generator answers from its passages. ``doc_id_key``
    names the key of a passage or of its metadata that holds its document's id; ``None`` takes the first of the common
    names that is there. An exception leaves its question unscored and the others go on, and so does a call that takes
    longer than ``timeout_s`` seconds: it is left behind, and may still be at work when the next question is asked.

    It is built and called in a thread of its own, with a ``concurrency`` above 1 in several. All that is asynchronous
    runs on one event loop, so that a client may live as long as the run.
    """

    INCIDENTAL: ClassVar = frozenset(
        {"concurrency", "timeout_s"}
    )  # no result follows from them, but whether there is one

    target: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    answers: bool = False
    passes: Literal["text", "question"] = "text"
    doc_id_key: str | None = None
    concurrency: Annotated[int, Field(ge=1)] = 1
    timeout_s: Annotated[float, Field(gt=0)] | None = 120.0

    def __post_init__(self) -> None:
        """Import the target, so that a wrong one is told before anything is asked; raise ``InputError`` for it."""
        _ = self._found, self._caller

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:  # noqa: ARG002  # one form for all systems
        """Build the system before the first question, so that its time does not count for that.

        Raises:
            InputError: it can't be built.
        """
        _ = self._caller.built()
        return ()

    def respond(self, question: Question) -> Response | Unscored:
        """What the callable gives for the question; unscored with type and message of an exception."""
        return self._caller.ask(question.text if self.passes == "text" else question, self._response)

    def stop(self, reason: str) -> None:
        """Give up what is asked, and ask nothing more."""
        self._caller.stop(reason)

    def review(self, responses: Sequence[Response | Unscored]) -> tuple[str, ...]:
        """A note where no passage had the document's id that was looked for."""
        return unfound({"doc_id_key": self.doc_id_key}, responses)

    def _response(self, result: Any) -> Response:
        keys = (self.doc_id_key,) if self.doc_id_key else DOC_ID
        if result is None or isinstance(result, (str, bytes)):
            raise WrongValueError(f"must be a list of passages or an object with answer and contexts (got {result!r})")
        if not has_any(result, CONTEXTS):
            if isinstance(result, Mapping) or has_any(result, ANSWER):
                raise WrongValueError(f"has no passages under any of {', '.join(CONTEXTS)}")
            if self.answers:
                raise WrongValueError("is a list of passages without an answer, and system.answers is true")
            return Response(passages_of(result, keys))
        passages = passages_of(value_of(result, CONTEXTS), keys)
        answer = value_of(result, ANSWER)
        if self.answers and not isinstance(answer, str):
            raise WrongValueError(f"has no answer as text under any of {', '.join(ANSWER)}, and system.answers is true")
        return Response(passages, answer if self.answers else None)

    @cached_property
    def _found(self) -> Callable[..., Any]:
        module_name, _, name = self.target.rpartition(".")
        if not module_name or not all(part.isidentifier() for part in self.target.split(".")):
            raise InputError(f"system.target must be like module.function or module.Class (got {self.target!r})")
        if str(START) not in sys.path:
            sys.path.append(str(START))  # an installed command does not look there; what is installed goes first
        try:
            found = getattr(importlib.import_module(module_name), name)
        except (Exception, SystemExit) as error:  # what importing somebody's module raises is theirs to say
            raise InputError(f"system.target {self.target}: {told(error)}") from error
        if not callable(found):
            raise InputError(f"system.target {self.target} must be a function or a class (got {type(found).__name__})")
        checked: Callable[..., Any] = found
        return checked

    @cached_property
    def _caller(self) -> Caller:
        return Caller(f"system.target {self.target}", self._build, self.timeout_s)

    def _build(self) -> Called:
        if not isinstance(self._found, type):
            return partial(self._found, **self.arguments)
        try:
            built = self._found(**self.arguments)
        except InputError:
            raise
        except (Exception, SystemExit) as error:  # so is what building an object of their class raises
            raise InputError(f"system.target {self.target}: {told(error)}") from error
        if not callable(built):
            raise InputError(f"system.target {self.target} has no __call__; add it, or name a function")
        called: Called = built
        return called
