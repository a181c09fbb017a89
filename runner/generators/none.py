"""No generator: a run measures retrieval alone."""

from eval.component import component
from eval.records import Answer, Context, Question


@component
class NoGenerator:
    """Writes nothing. A run that sees it leaves answers out, and with them all measures of answers."""

    def generate(self, question: Question, context: Context) -> Answer:  # noqa: ARG002 - the Protocol's
        """An empty answer; runs never ask for it."""
        return Answer("")
