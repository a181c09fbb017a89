"""Texts from elsewhere in the stated form, without what no JSON reader takes."""

import regex

from eval.importing.ledger import Ledger, Thing
from eval.sources.text_file import stated_form

_BROKEN = regex.compile(r"[\ud800-\udfff\0]")
_REASON = "NUL or half a character replaced by U+FFFD"


def whole(text: str, thing: Thing, where: str, ledger: Ledger) -> str:
    """``text`` in the stated form; NUL and halves of characters become U+FFFD, which the ledger is told of."""
    mended, number = _BROKEN.subn("\ufffd", text)
    if number:
        ledger.change(thing, _REASON, where)
    return stated_form(mended)
