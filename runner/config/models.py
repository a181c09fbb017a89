"""On which terms models are asked, and which model may judge which."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from eval.chat.messages import ChatModel
from eval.errors import InputError
from eval.records import Use
from runner.chat.vendors import same_model
from runner.config.parts import checked

_TERMS: dict[str, Any] = {
    "cache": Literal["on", "off", "only"],
    "max_usd": Annotated[float, Field(ge=0, allow_inf_nan=False)] | None,
    "deadline_s": Annotated[float, Field(gt=0, allow_inf_nan=False)] | None,
    "estimate": bool,
}
_USE: dict[str, Any] = {
    "questions": Annotated[int, Field(ge=1)] | None,
    "runs_per_day": Annotated[float, Field(ge=0, allow_inf_nan=False)],
}


@dataclass(frozen=True, slots=True)
class Terms:
    """How models may be asked in one run: with the cache or not, for how much, how long, or not at all."""

    cache: Literal["on", "off", "only"] = "on"
    max_usd: float | None = None
    deadline_s: float | None = None
    estimate: bool = False


KEYS = (*_TERMS, "projection")


def terms_of(config: Mapping[str, Any]) -> Terms:
    """The terms that a configuration names.

    Raises:
        InputError: one of them has no such value.
    """
    return Terms(**{key: checked(key, kind, config[key]) for key, kind in _TERMS.items() if key in config})


def use_of(config: Mapping[str, Any]) -> Use:
    """What a monthly cost is projected for.

    Raises:
        InputError: one of its values is not possible, or it has others.
    """
    given = config.get("projection") or {}
    if not isinstance(given, Mapping):
        raise InputError(f"projection must hold {' and '.join(_USE)} (got {given!r})")
    if unknown := [key for key in given if key not in _USE]:
        raise InputError(f"projection.{unknown[0]} is not an option here; projection has: {', '.join(_USE)}")
    return Use(**{key: checked(f"projection.{key}", kind, given[key]) for key, kind in _USE.items() if key in given})


def refuse_own_judge(generator: Any, judge: Any) -> None:
    """Refuse a model that would judge itself.

    Raises:
        InputError: generator and judge work by the same model.
    """
    for asked, judges in _pairs(generator, judge):
        if same_model(asked.name, judges.name):
            raise InputError(
                f"judge.model is the generator's own, {judges.name}: a model is too kind to what it wrote; choose "
                "another one, or judge=lexical"
            )


def kinship(generator: Any, judge: Any) -> Iterator[str]:
    """A warning where generator and judge come from the same vendor."""
    for asked, judges in _pairs(generator, judge):
        if asked.vendor and asked.vendor == judges.vendor:
            yield (
                f"generator and judge are both by {asked.vendor} ({asked.name}, {judges.name}): models of one family "
                "are kind to each other; a judge by another vendor, or labels by people, would tell"
            )


def _pairs(generator: Any, judge: Any) -> Iterator[tuple[ChatModel, ChatModel]]:
    asked, judges = (getattr(part, "model", None) for part in (generator, judge))
    if isinstance(asked, ChatModel) and isinstance(judges, ChatModel):
        yield asked, judges
