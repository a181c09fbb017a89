"""What a judge must offer."""

from typing import Protocol

from eval.records import Judgement, Unscored


class Judge(Protocol):
    """Says of one answer whether it refuses, what its context supports, and whether it meets the question.

    One that works by a prompt says which in an attribute ``prompt_version``: answers judged by another prompt are not
    compared.
    """

    def judge(self, question: str, context: str, answer: str) -> Judgement | Unscored:
        """Judge one answer by the context it was given; never raises for what a text holds."""
        ...
