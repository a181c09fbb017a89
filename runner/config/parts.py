"""Parts built from the nodes that name them; all that is wrong with a node's values is told at once."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from hydra.utils import get_object
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from eval.errors import InputError


def checked(key: str, kind: Any, value: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        raise InputError(*_explain(key, error, value)) from error


def part_named(key: str, node: Mapping[str, Any]) -> type:
    """The class that a node names; anything else is not called, as a configuration is no program."""
    try:
        target = get_object(str(node["_target_"]))
    except Exception as error:  # what importing somebody's own module raises is theirs to say
        raise InputError(f"{key}: {type(error).__name__}: {_one_line(error)}") from error
    if not isinstance(target, type):
        raise InputError(f"{key}: {node['_target_']} is no class; name one with _target_")
    return target


def construct(key: str, node: Any, wrap: Callable[[Any], Any]) -> Any:
    """Call what ``_target_`` names with the other values, nested parts first; each part built goes through ``wrap``.

    Hydra's own ``instantiate`` does the same and reads every text as a possible interpolation once more, although
    all are resolved by now: a literal ``${…}`` in a separator or a prompt would not survive it.
    """
    if isinstance(node, list):
        return [construct(f"{key}.{place}", value, wrap) for place, value in enumerate(node)]
    if not isinstance(node, Mapping):
        return node
    values = {str(name): construct(f"{key}.{name}", value, wrap) for name, value in node.items() if name != "_target_"}
    if "_target_" not in node:
        return values
    target = part_named(key, node)
    try:
        built = target(**values)
    except ValidationError as error:
        raise InputError(*_explain(key, error, node)) from error
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # what a part of somebody's own raises when it is built is theirs to say
        raise InputError(f"{key}: {type(error).__name__}: {_one_line(error)}") from error
    try:
        return wrap(built)
    except InputError as error:
        raise InputError(*(f"{key}: {problem}" for problem in error.problems)) from error


def takes(node: Mapping[str, Any], name: str) -> bool:
    """Whether the part that ``node`` names may be given such an option; unless it is known not to, it may."""
    try:
        part = get_object(str(node.get("_target_")))
    except Exception:  # noqa: BLE001 – what names no part is told when it is built
        return True
    return not is_dataclass(part) or name in _options(part)


def _options(part: Any) -> list[str]:
    return [field.name for field in fields(part)] if is_dataclass(part) else []


def _not_an_option(place: str, key: str, node: Any) -> str:
    known = ", ".join(_options(get_object(str(node["_target_"]))))
    has = f"has: {known}" if known else f"has none as it was chosen: choose another one, as in {key}=NAME"
    return f"{place} is not an option here; {key} {has}"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _explain(key: str, error: ValidationError, given: Any) -> list[str]:
    """Pydantic's findings as lines of ours: full key, rule, value."""
    lines = []
    for finding in error.errors():
        place = ".".join([key, *(str(part) for part in finding["loc"])])
        rule = rule_of(finding)
        if finding["type"] == "value_error":
            lines.append(f"{place}: {rule}" if finding["loc"] else f"{key}.{rule}")
        elif finding["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
            lines.append(_not_an_option(place, key, given))
        elif finding["type"] in {"missing", "missing_argument"}:
            lines.append(f"{place} is not set and has no default: add {place}=…")
        else:
            lines.append(f"{place}: {rule}")
    return lines


def rule_of(finding: ErrorDetails) -> str:
    """What one of pydantic's findings asks for, as we say it; with the value, unless it names that itself."""
    if finding["type"] == "value_error":
        return finding["msg"].removeprefix("Value error, ")
    said = finding["msg"].replace("Input should", "must", 1)
    return f"{said[0].lower()}{said[1:]} (got {finding['input']!r})"
