"""The judge that asks a language model: one verdict per statement, each with the quotation that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from eval.chat.messages import ChatRequest
from eval.component import component
from eval.judges.asking import ask
from eval.judges.reply import read_verdicts
from eval.judges.reply_form import SCHEMA
from eval.judges.statements import claims_nothing, statements_of
from eval.prompting.framing import frame_for
from eval.prompting.prompted import Prompted
from eval.records import Judgement, Statement, Unscored
from eval.refusals import is_refusal
from eval.sources.text_file import is_blank
from eval.text.analyzer import Analyzer

PROMPTS = Path(__file__).parent / "prompts"
PLACES = frozenset({"tag", "material", "question", "answer", "statements", "count"})
_ANALYZER = Analyzer()
_TOKENS_PER_STATEMENT, _TOKENS_BESIDE = 80, 60  # what replies usually take, for an estimate


@dataclass(frozen=True, slots=True)
class _Case:
    """One answer and the statements in it that the model has to judge."""

    question: str
    context: str
    answer: str
    asked: Sequence[str]


@component
class LlmJudge(Prompted):
    """Asks ``model`` once per answer, by the prompt named ``prompt`` (a shipped one, or the path of an own ``.md``).

    Refusals are told by ``eval.refusals``, and without material nothing is supported: neither needs the model. A
    verdict counts only in a reply that is valid as a whole: see ``eval.judges.reply``. What is not valid is asked for
    once more, then unscored.

    Texts can't change a verdict by structure: they stand in blocks whose marks can't be forged, a reply that holds a
    second object is void, a support needs words that stand in the material and are about the statement. What no
    structure prevents: a model that obeys a document may call a statement undecidable, or support it by a sentence
    that shares a word with it and says something else; the probes of injected instructions show such a model. And
    a falsehood that a document states is in the material, by which faithfulness is measured, true or not.
    """

    SHIPPED: ClassVar = PROMPTS
    PLACES: ClassVar = PLACES

    prompt: str = "faithfulness-1"
    max_tokens: Annotated[int, Field(ge=1)] = 2000

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """One statement per sentence of ``answer``, verbatim. Without material the relevancy is 0 as well."""
        if is_refusal(answer):
            return Judgement(refused=True, statements=(), relevancy=0.0)
        statements = statements_of(answer)
        settled = {text: known for text in statements if (known := _settled(text, context))}
        asked = [text for text in dict.fromkeys(statements) if text not in settled]
        if is_blank(context):
            return Judgement(False, tuple(settled[text] for text in statements), 0.0)
        request = self._request(_Case(question, context, answer, asked))
        reply = ask(self.model, request, partial(read_verdicts, statements=asked, material=context))
        if isinstance(reply, Unscored):
            return reply
        judged = settled | {statement.text: statement for statement in reply.value.statements}
        return Judgement(False, tuple(judged[text] for text in statements), reply.value.relevancy, reply.calls)

    def _request(self, case: _Case) -> ChatRequest:
        frame = frame_for([case.context, case.question, case.answer])
        numbered = (frame.block(f"statement-{number}", text) for number, text in enumerate(case.asked, 1))
        values = {
            "tag": frame.tag,
            "material": frame.block("material", case.context),
            "question": frame.block("question", case.question),
            "answer": frame.block("answer", case.answer),
            "statements": "\n".join(numbered),
            "count": str(len(case.asked)),
        }
        usual = _TOKENS_BESIDE + _TOKENS_PER_STATEMENT * len(case.asked)
        return self._prompt.request(values, self.max_tokens, SCHEMA, min(usual, self.max_tokens))


def _settled(text: str, context: str) -> Statement | None:
    """The verdict on a statement that needs no model."""
    if reason := claims_nothing(text, context, _ANALYZER):
        return Statement(text, "undecidable", reason)
    return Statement(text, "unsupported", "there is no material") if is_blank(context) else None
