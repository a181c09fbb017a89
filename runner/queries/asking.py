"""What the query makers that ask a chat model have in common: the request, and which replies give no query."""

from pathlib import Path
from typing import ClassVar

import regex

from eval.chat.messages import ChatFailedError, Completion, Finish
from eval.component import component
from eval.prompting.framing import frame_for
from eval.prompting.prompted import Prompted
from eval.records import Unscored

PROMPTS = Path(__file__).parent / "prompts"
BLANK = "the model's query is blank"
CUT_OFF = "the query was cut off at max_tokens"
FILTERED = "the query was stopped by a content filter"
_FAULTS: dict[Finish, str] = {"length": CUT_OFF, "content_filter": FILTERED}
_WORD = regex.compile(r"[\p{L}\p{N}]")


def has_word(text: str) -> bool:
    """Whether there is anything in ``text`` to search for: a letter or a digit."""
    return _WORD.search(text) is not None


@component
class AskingQuery(Prompted):
    """Asks ``model`` once per question. The question is data: it stands in a marked block, whatever it holds."""

    SHIPPED: ClassVar = PROMPTS
    PLACES: ClassVar = frozenset({"tag", "question"})

    def _asked(self, question: str, usual_tokens: int) -> Completion | Unscored:
        """The model's whole reply; unscored where there is none, or only a part of one."""
        frame = frame_for([question])
        values = {"tag": frame.tag, "question": frame.block("question", question)}
        request = self._prompt.request(values, self.max_tokens, None, min(usual_tokens, self.max_tokens))
        try:
            completion = self.model.complete(request)
        except ChatFailedError as error:
            return Unscored(error.reason, error.raw, error.calls)
        if fault := _FAULTS.get(completion.finish):
            return Unscored(fault, completion.text, completion.calls)
        return completion
