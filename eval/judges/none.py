"""No judge: answers are kept, and nothing is claimed about them."""

from eval.component import component
from eval.records import Judgement, Unscored


@component
class NoJudge:
    """Leaves every answer unscored."""

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:  # noqa: ARG002 - the Protocol's
        """Unscored, whatever the answer."""
        return Unscored("no judge configured")
