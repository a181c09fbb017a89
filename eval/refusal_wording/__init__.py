"""How people and models word a refusal, an apology, an offer of help: one module per language.

The patterns are meant for text after ``eval.text.analyzer.normalise`` (case folded, half-width punctuation), one
clause at a time; ``eval.refusals`` says what they are used for. Every wording of ``REFUSALS`` holds the language's
``CUE``, so that a clause without it is passed over at once.
"""

from collections.abc import Iterator

import regex

from eval.refusal_wording import chinese, dutch, english, french, german, italian, japanese, portuguese, spanish
from eval.refusal_wording.patterns import any_of

_LANGUAGES = (english, chinese, german, french, spanish, japanese, portuguese, italian, dutch)

_REFUSALS = tuple((regex.compile(language.CUE), any_of(language.REFUSALS)) for language in _LANGUAGES)
COURTESY = any_of((pattern for language in _LANGUAGES for pattern in language.COURTESIES), whole=True)
ABOUT_SOURCES = any_of((*english.ABOUT_SOURCES, *chinese.ABOUT_SOURCES), whole=True)
# "Based on the documents" belongs to what is said behind the comma.
SOURCES_NAMED = any_of((*english.SOURCES_NAMED, *chinese.SOURCES_NAMED))
APOLOGY = any_of(
    (
        r"\b(?:sorry|apolog|désolé|leid\b|lo siento|desculpe|lamento|mi dispiace|het spijt)",
        r"抱歉|对不起|不好意思|申し訳|すみません",
    )
)


def refusals_in(clause: str) -> Iterator[regex.Match[str]]:
    """Every wording of a refusal in ``clause``, in whatever language."""
    for cue, wording in _REFUSALS:
        if cue.search(clause):
            yield from wording.finditer(clause)
