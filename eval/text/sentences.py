"""Sentences of English and Chinese text, with their places."""

import regex

# Abbreviations after which a full stop does not end a sentence, and those before a number only.
_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs cf al mr mrs ms dr prof st dept approx est inc ltd co corp jr sr a.m p.m z.b d.h u.a bzw ca evtl"
    " ggf inkl zzgl".split()
)
_BEFORE_NUMBERS = frozenset("no nos nr fig figs eq sec max min art abs para p pp vol ext tel".split())
_AMOUNT = regex.compile(r"\d\s?\p{L}+$")  # 5 min. and 10 sec. are units
_CLOSING = r"[\"'”’)\]}」』）》】〉]*"
_BOUNDARY = regex.compile(
    rf"""
      (?P<wide>[。！？；｡]+{_CLOSING}\s*)            # full-width marks end a sentence wherever they stand
    | (?<![.!?…])(?P<dot>[.!?…]++{_CLOSING}+)(?P<gap>\s+)  # half-width marks only before a blank; one look per run
    | (?<=\p{{Han}})[!?]++(?=\p{{Han}})               # or between Chinese characters, where no blank follows
    | (?P<line>\n(?:[^\S\n]*\n)+\s*                  # a blank line
    | \n(?=[^\S\n]*(?:\#{{1,6}}\s|[-*+]\s|\d+[.)]\s|\||```|~~~|>))  # a line that opens a heading, item, row or fence
    )
    | (?P<heading>(?<=^|\n)\#{{1,6}}\s[^\n]*\n)      # the line of a heading is a sentence of its own
    """,
    regex.VERBOSE,
)
_LAST_WORD = regex.compile(r"[\p{L}.]+$")
_ITEM_NUMBER = regex.compile(r"^[^\S\n]*\d{1,3}$", regex.MULTILINE)
_LONGEST_ABBREVIATION = 24  # characters looked back at; bounds the work per full stop


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Cut ``text`` into sentences.

    Returns:
        Half-open ranges in order that together cover the whole text, each with the blanks that follow its sentence.
        An empty text has none. Linear in the length of the text.
    """
    ends = [match.end() for match in _BOUNDARY.finditer(text) if not _inside_sentence(text, match)]
    if text and (not ends or ends[-1] != len(text)):
        ends.append(len(text))
    return list(zip([0, *ends[:-1]], ends, strict=True)) if ends else []


def sentences(text: str) -> list[str]:
    """The sentences of ``text`` without surrounding blanks; blank ones are left out."""
    return [stripped for start, end in sentence_spans(text) if (stripped := text[start:end].strip())]


def _inside_sentence(text: str, match: regex.Match[str]) -> bool:
    """Whether a single full stop ends only an abbreviation, an initial or an item's number: Dr. Smith, J. Smith, 1."""
    start = match.start()
    if match.lastgroup != "gap" or text[start] != "." or text[start + 1] == ".":
        return False
    return _abbreviates(text, start, match.end()) and "\n\n" not in match["gap"]


def _abbreviates(text: str, stop: int, following: int) -> bool:
    looked_back = max(0, stop - _LONGEST_ABBREVIATION)
    before = text[looked_back:stop]
    word = before.rpartition(" ")[2]
    if not word.isalpha():  # else it is what the search would find, and most are
        found = _LAST_WORD.search(before) if word else None
        if found is None:
            may_be = looked_back == 0 or "\n" in before
            return may_be and _ITEM_NUMBER.search(text, looked_back, stop) is not None
        word = found[0]
    folded = word.casefold().lstrip(".")
    if folded in _BEFORE_NUMBERS:
        return text[following : following + 1].isdigit() and not _AMOUNT.search(text, looked_back, stop)
    return folded in _ABBREVIATIONS or (len(word) == 1 and word.isupper() and word != "I")
