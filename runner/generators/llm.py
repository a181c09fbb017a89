"""The generator that asks a language model to answer from the context alone."""

from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from eval.chat.messages import ChatFailedError, ChatRequest, Completion
from eval.component import component
from eval.prompting.framing import frame_for
from eval.prompting.prompted import Prompted
from eval.records import Answer, Context, Question, Unscored
from eval.refusal_wording.sentences import REFUSALS
from eval.sources.text_file import is_blank
from eval.text.scripts import language_of
from runner.generators.citations import citations_in

PROMPTS = Path(__file__).parent / "prompts"
PLACES = frozenset({"tag", "chunks", "question", "refusal"})
CUT_OFF = "the answer was cut off at max_tokens"
FILTERED = "the answer was stopped by a content filter"
NO_SUCH_CHUNK = "cites_no_chunk"  # flag of an answer with a number that no chunk has
BLANK = "the model's answer is blank"
_USUAL_TOKENS = 120  # of an answer, for an estimate


@component
class LlmGenerator(Prompted):
    """Asks ``model`` once per question, by the prompt named ``prompt`` (a shipped one, or the path of an own ``.md``).

    The model sees the context's chunks one by one, numbered from 1 in their order, and is asked to cite the numbers in
    brackets: ids of chunks are paths that models do not copy faithfully. ``runner.generators.citations`` turns the
    numbers into ids. An empty context is refused without asking.
    """

    SHIPPED: ClassVar = PROMPTS
    PLACES: ClassVar = PLACES

    prompt: str = "answer-1"
    max_tokens: Annotated[int, Field(ge=1)] = 512

    def generate(self, question: Question, context: Context) -> Answer | Unscored:
        """The model's answer; unscored where there is none or only a part of one, which must not be judged as one."""
        if not context.chunks:
            return Answer(REFUSALS[language_of(question.text)])
        try:
            completion = self.model.complete(self._request(question, context))
        except ChatFailedError as error:
            return Unscored(error.reason, error.raw, error.calls)
        if fault := _fault(completion):
            return Unscored(fault, completion.text, completion.calls)
        text = completion.text.strip()
        found = citations_in(text, context)
        return Answer(text, completion.calls, found.chunk_ids, (NO_SUCH_CHUNK,) if found.unknown else ())

    def _request(self, question: Question, context: Context) -> ChatRequest:
        shown = [packed.chunk.shown for packed in context.chunks]
        frame = frame_for([*shown, question.text])
        values = {
            "tag": frame.tag,
            "chunks": "\n".join(frame.block(f"chunk-{number}", text) for number, text in enumerate(shown, 1)),
            "question": frame.block("question", question.text),
            "refusal": REFUSALS[language_of(question.text)],
        }
        return self._prompt.request(values, self.max_tokens, None, min(_USUAL_TOKENS, self.max_tokens))


def _fault(completion: Completion) -> str:
    """Why the text is no whole answer; a blank one would else count as a refusal."""
    if completion.finish != "stop":
        return CUT_OFF if completion.finish == "length" else FILTERED
    return BLANK if is_blank(completion.text) else ""
