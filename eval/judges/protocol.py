"""What a judge must offer."""

from typing import Protocol

from eval.records import Judgement, Unscored


class Judge(Protocol):
    """Says of one answer whether it refuses, what its context supports, and whether it meets the question."""

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """Judge one answer by the context it was given; never raises for what a text holds."""
        ...
