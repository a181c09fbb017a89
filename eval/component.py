"""How a part that a configuration names is declared: a frozen dataclass whose values are checked when it is built."""

from typing import TypeVar, dataclass_transform

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

T = TypeVar("T")

# Strict: "200" is not a number and true is not 1, so a slip in a YAML file is told instead of guessed at.
_CHECKED = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True, allow_inf_nan=False)


@dataclass_transform(frozen_default=True, field_specifiers=(Field,))
def component(cls: type[T]) -> type[T]:
    """Make ``cls`` a frozen dataclass that refuses unknown names, wrong types and values out of range.

    Ranges stand in the annotations (``Annotated[int, Field(gt=0)]``); a rule between two values is a
    ``pydantic.model_validator(mode="after")`` that raises ``ValueError``.

    Raises:
        pydantic.ValidationError: on building an instance from values that break a rule.
    """
    return dataclass(frozen=True, config=_CHECKED)(cls)  # type: ignore[return-value]  # it is cls, with more
