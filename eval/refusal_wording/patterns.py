"""How patterns of wording are put together from lists of words."""

from collections.abc import Iterable

import regex


def one_of(words: str) -> str:
    """A group that matches any of ``words``, which stand with blanks between them; ``_`` is a blank in a word."""
    return f"(?:{'|'.join(word.replace('_', ' ') for word in words.split())})"


def any_of(patterns: Iterable[str], whole: bool = False) -> regex.Pattern[str]:
    """One pattern out of many; ``whole``: they must reach the end of the text."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return regex.compile(f"(?:{joined})$" if whole else joined)
