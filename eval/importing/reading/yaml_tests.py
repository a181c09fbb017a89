"""The list of tests in a YAML file, with the line of each."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.importing.reading.kinds import require_text
from eval.importing.reading.yaml_questions import compose, shown
from eval.sources.finding import Finding
from eval.sources.strict_json import Parsed, Row, Rows, row_of
from eval.sources.text_file import read_text


def read_yaml(path: Path, key: str) -> tuple[dict[str, Any], Rows]:
    """The file's object without ``key``, and the list that stands under ``key`` or is the whole file.

    Raises:
        InputError: PyYAML is not installed, or the file cannot be read.
    """
    require_text(path)
    if find_spec("yaml") is None:
        raise InputError(f"{path}: reading YAML needs the package PyYAML: pip install pyyaml")
    yaml = import_module("yaml")
    try:
        whole, listed = _parts(yaml, compose(yaml, read_text(path)), key)
        rows: list[Row] = []
        errors: list[Finding] = []
        for node in listed:
            found = _row(yaml, node, f"{path}:{node.start_mark.line + 1}")
            if isinstance(found, Row):
                rows.append(found)
            else:
                errors.extend(found)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(_syntax(path, error)) from error
    return whole, Rows(tuple(rows), tuple(errors))


def _syntax(path: Path, error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    what = shown(" ".join(str(getattr(error, "problem", None) or error).split()))
    line = f":{mark.line + 1}" if mark else ""
    return f"{path}{line}: cannot be read as YAML: {what}"


def _parts(yaml: Any, root: Any, key: str) -> tuple[dict[str, Any], list[Any]]:
    if isinstance(root, yaml.SequenceNode):
        return {}, root.value
    if not isinstance(root, yaml.MappingNode):
        return {}, []
    listed = next((value for name, value in root.value if name.value == key), None)
    kept = [(name, value) for name, value in root.value if value is not listed]
    rest = _constructed(yaml, yaml.MappingNode(root.tag, kept, root.start_mark, root.end_mark))
    if isinstance(listed, yaml.SequenceNode):
        return rest, listed.value
    return {**rest, **({} if listed is None else {key: _constructed(yaml, listed)})}, []


def _row(yaml: Any, node: Any, where: str) -> Row | list[Finding]:
    twice = sorted(set(_repeated(yaml, node, set())))
    problems = tuple(f"key {name!r} stands twice in one object; keep one" for name in twice)
    return row_of(Parsed(_constructed(yaml, node), 0, problems), where)


def _constructed(yaml: Any, node: Any) -> Any:
    return yaml.SafeLoader("").construct_document(node)


def _repeated(yaml: Any, node: Any, seen: set[int]) -> Iterator[str]:
    """Keys that stand twice: readers of YAML keep the last in silence. A node that is referred to is met once."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        names = [name.value for name, _ in node.value if isinstance(name.value, str)]
        yield from (name for name in names if names.count(name) > 1)
    if isinstance(node, yaml.MappingNode | yaml.SequenceNode):
        for item in node.value:
            yield from _repeated(yaml, item[1] if isinstance(item, tuple) else item, seen)
