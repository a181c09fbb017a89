"""How people and models word a refusal, an apology, an offer of help.

The patterns are meant for text after ``eval.text.analyzer.normalise`` (case folded, half-width punctuation), one
clause at a time; ``eval.refusals`` says what they are used for.
"""

from eval.refusal_wording import chinese, english, european
from eval.refusal_wording.patterns import any_of

REFUSAL = any_of((*english.REFUSALS, *chinese.REFUSALS, *european.REFUSALS))
COURTESY = any_of((*english.COURTESIES, *chinese.COURTESIES, *european.COURTESIES), whole=True)
ABOUT_SOURCES = any_of((*english.ABOUT_SOURCES, *chinese.ABOUT_SOURCES), whole=True)
APOLOGY = any_of((r"\b(?:sorry|apolog|désolé|leid\b|lo siento)", r"抱歉|对不起|不好意思"))
