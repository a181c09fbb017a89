"""What the parts that ask a chat model by a prompt have in common."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from eval.chat.messages import ChatModel
from eval.component import component
from eval.prompting.prompt import Prompt, load_prompt


@component
class Prompted:
    """Asks ``model`` by the prompt named ``prompt``: one of the folder ``SHIPPED``, or the path of an own ``.md``."""

    INCIDENTAL: ClassVar = frozenset({"prompt"})  # where the prompt lies; its content counts
    SHIPPED: ClassVar[Path]
    PLACES: ClassVar[frozenset[str]]  # what the prompt is filled with

    model: ChatModel
    prompt: str
    max_tokens: Annotated[int, Field(ge=1)]

    def __post_init__(self) -> None:
        """Read the prompt, so that a wrong one is told before anything is asked; raise ``InputError`` for it."""
        _ = self._prompt

    @cached_property
    def _prompt(self) -> Prompt:
        return load_prompt(self.prompt, self.SHIPPED, self.PLACES)

    @property
    def prompt_version(self) -> str:
        """The hash of the prompt's content."""
        return self._prompt.version

    @property
    def concurrency(self) -> int:
        """How many questions it takes at a time."""
        return self.model.concurrency
