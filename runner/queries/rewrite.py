"""A chat model turns the question into words to search with."""

from typing import Annotated

import regex
from pydantic import Field

from eval.component import component
from eval.records import Unscored
from runner.protocols import Search
from runner.queries.asking import BLANK, AskingQuery, has_word
from runner.records import Query

_USUAL_TOKENS = 15  # of a query, for an estimate
# What a model puts around its query although it was asked not to.
_FENCE = regex.compile(r"\s*(?:`{3,}|~{3,})\w*\s*")
_INTRODUCTION = regex.compile(r"[:：]\**\s*$")
_BULLET = regex.compile(r"^\s*[-*•>#]+\s+")
_LABEL = regex.compile(
    r"^\**(?:(?:the|my|rewritten|improved|optimi[sz]ed|better|final|new|search)\s+)*query\s*[:：]\**\s*"
    r"|^\**(?:改写后的?|优化后的?|新的?)?(?:搜索|检索|查询)(?:查询|语句|问题|词|式)?\s*[:：]\**\s*",
    regex.IGNORECASE,
)
# One mark at either end and none of its kind between, so that "a" or "b" and __init__ stay whole.
_WRAPPED = regex.compile(
    r"""^(?:(\*{1,3}|["'`])(?P<in>(?:(?!\1).)+)\1|“(?P<in>[^“”]+)”|‘(?P<in>[^‘’]+)’|«(?P<in>[^«»]+)»"""
    r"""|「(?P<in>[^「」]+)」|『(?P<in>[^『』]+)』)$"""
)


@component
class RewriteQuery(AskingQuery):
    """Searches for what ``model`` makes of the question, by the prompt named ``prompt``.

    The query is the first line of the reply that is more than an introduction, without marks around it.
    """

    prompt: str = "rewrite-1"
    max_tokens: Annotated[int, Field(ge=1)] = 128

    def make(self, question: str, search: Search) -> Query | Unscored:  # noqa: ARG002 - the Protocol's
        """The model's query; unscored where there is none or only a part of one."""
        reply = self._asked(question, _USUAL_TOKENS)
        if isinstance(reply, Unscored):
            return reply
        text = query_in(reply.text)
        return Query(text, reply.calls) if text else Unscored(BLANK, reply.text, reply.calls)


def query_in(reply: str) -> str:
    """The query in a model's reply: its first line that has a word and introduces nothing; empty without one."""
    lines = [line for line in reply.splitlines() if not _FENCE.fullmatch(line)]
    said = [bare for line in lines if has_word(bare := _bare(line))]
    return next((line for line in said[:-1] if not _INTRODUCTION.search(line)), said[-1] if said else "")


def _bare(line: str) -> str:
    """A line without bullet, label and the marks around it, its blanks made single."""
    text = _LABEL.sub("", _BULLET.sub("", " ".join(line.split())))
    return _WRAPPED.sub(r"\g<in>", text).strip()
