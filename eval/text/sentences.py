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
    if match["dot"] is None or not match["dot"].startswith(".") or match["dot"].startswith(".."):
        return False
    if "\n\n" in match["gap"]:
        return False
    looked_back = max(0, match.start() - _LONGEST_ABBREVIATION)
    before = _LAST_WORD.search(text, looked_back, match.start())
    if before is None:
        return _ITEM_NUMBER.search(text, looked_back, match.start()) is not None
    word, following = before[0].casefold().lstrip("."), text[match.end() : match.end() + 1]
    if word in _BEFORE_NUMBERS:
        return following.isdigit() and not _AMOUNT.search(text, looked_back, match.start())
    return word in _ABBREVIATIONS or (len(before[0]) == 1 and before[0].isupper() and before[0] != "I")
