"""Lists that a table holds as text: JSON, or as Python prints them."""

import ast
import io
import tokenize
from itertools import pairwise

from eval.importing.ledger import UnusableError
from eval.importing.reading.values import texts_of


def parse_list(cell: str, name: str) -> list[str]:
    """The texts of the list; a cell that is no list at all is one text, a blank one is none.

    Raises:
        UnusableError: it begins as a list and can't be read as one without guessing.
    """
    text = cell.strip()
    if not text:
        return []
    if not (text.startswith("[") and text.endswith("]")):
        return [cell]
    if _lacks_commas(text):
        raise UnusableError(f"{name} is a printed array without commas; save the set as JSON lines")
    try:
        found = ast.literal_eval(text.replace("\r", "\\r"))  # JSON's escapes of characters are Python's, too
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise UnusableError(f"{name} begins like a list and is none", str(error)) from error
    return texts_of(found, name)


def _lacks_commas(text: str) -> bool:
    """Whether two quoted texts follow each other: Python would read them as one."""
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return False
    return any(left.type == right.type == tokenize.STRING for left, right in pairwise(tokens))
