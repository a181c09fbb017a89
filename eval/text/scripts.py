"""Writing systems: which text has blanks between its words, and which language a short text is in."""

from typing import Literal

import regex

Language = Literal["en", "zh"]

# Scripts written without blanks between words (Unicode script names, and the long-vowel mark of Japanese).
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー"

_HAN = regex.compile(r"\p{Han}")
_LETTER = regex.compile(r"\p{L}")


def language_of(text: str) -> Language:
    """``zh`` when at least a third of the letters are Han characters, else ``en``.

    A third, because Chinese text about technology is full of Latin names: one Han character is about half a word,
    one Latin letter a fifth.
    """
    letters = len(_LETTER.findall(text))
    return "zh" if letters and 3 * len(_HAN.findall(text)) >= letters else "en"
