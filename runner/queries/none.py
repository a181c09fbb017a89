"""No other query: the question is searched for as it was asked."""

from eval.component import component
from runner.protocols import Search
from runner.records import Query


@component
class AsAsked:
    """Leaves every question as it is."""

    def make(self, question: str, search: Search) -> Query:  # noqa: ARG002 - the Protocol's
        """The question itself."""
        return Query(question)
