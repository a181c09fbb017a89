"""A chat model writes the passage that would answer the question; both together are searched for."""

from typing import Annotated

from pydantic import Field

from eval.component import component
from eval.records import Unscored
from runner.protocols import Search
from runner.queries.asking import BLANK, AskingQuery, has_word
from runner.records import Query

_USUAL_TOKENS = 100  # of a passage, for an estimate


@component
class ExpandByModel(AskingQuery):
    """The question, ``question_times`` over, and behind it a passage that ``model`` makes up, by ``prompt``.

    Words that an answer would hold find what the question's own words miss (query2doc, Wang, Yang & Wei, EMNLP 2023,
    with the question five times for a lexical retriever; after HyDE, Gao et al., ACL 2023, where the passage stands
    alone). Nobody is shown the passage and nothing is answered from it, so it may be wrong.
    """

    prompt: str = "passage-1"
    max_tokens: Annotated[int, Field(ge=1)] = 512
    question_times: Annotated[int, Field(ge=0, le=20)] = 5

    def make(self, question: str, search: Search) -> Query | Unscored:  # noqa: ARG002 - the Protocol's
        """Question and passage in one line; unscored where there is no passage or only a part of one."""
        reply = self._asked(question, _USUAL_TOKENS)
        if isinstance(reply, Unscored):
            return reply
        if not has_word(reply.text):
            return Unscored(BLANK, reply.text, reply.calls)
        return Query(" ".join([*[question] * self.question_times, *reply.text.split()]), reply.calls)
