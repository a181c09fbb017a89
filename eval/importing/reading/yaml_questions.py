"""YAML with question marks: PyYAML reads version 1.1, where ``{question: How long?}`` is a slip; in 1.2 it is none."""

from collections.abc import Iterator
from typing import Any

import regex

# after anything but a blank, a bracket or a comma a question mark is a character of the text, and no sign of YAML
_IN_TEXT = regex.compile(r"(?<=[^\s,\[{])\?")
_STAND_IN = "\ufdd0"  # no character at all, and promised never to be one


def compose(yaml: Any, text: str) -> Any:
    """The node of the document in ``text``, by the module ``yaml``; what it raises may hold the stand-in.

    Raises:
        yaml.YAMLError: the text is no YAML.
    """
    if _STAND_IN in text:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    root = yaml.compose(_IN_TEXT.sub(_STAND_IN, text), Loader=yaml.SafeLoader)
    for node in _scalars(yaml, root, set()):
        node.value = shown(node.value)
    return root


def shown(text: str) -> str:
    """``text`` with its question marks."""
    return text.replace(_STAND_IN, "?")


def _scalars(yaml: Any, node: Any, seen: set[int]) -> Iterator[Any]:
    """Every text in the tree; a node that is referred to is met once."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode | yaml.SequenceNode):
        for item in node.value:
            for part in item if isinstance(item, tuple) else (item,):
                yield from _scalars(yaml, part, seen)
