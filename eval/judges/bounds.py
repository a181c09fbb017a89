"""Whether a number is the least or the most of something: at least 3, 不超过880元, up to 5 days."""

from typing import Literal

import regex

Bound = Literal["", "least", "most", "above", "below"]
"""``least`` and ``most`` hold the number itself; ``above`` and ``below`` do not."""

_NEAR = 24  # characters looked at on either side
_GAP = r"(?:\s|[$€£¥~≈约]|of|about|人民币|rmb|eur|usd)*$"
_MOST = (
    r"\bat most|\b(?:no|not) (?:more|longer|later|higher|greater|larger) than|\bup to|\bmax(?:imum|\.)?|\bwithin"
    r"|\bnot (?:to )?exceed(?:ing)?|\bhöchstens|\bmaximal|\bbis zu|\bau plus|\bjusqu'à|\bcomo máximo|\bal massimo|≤"
    r"|至多|最多|不(?:得|能|应|可|会)?(?:超过|高于|大于|多于|长于|晚于)"
)
_LEAST = (
    r"\bat least|\b(?:no|not) (?:less|fewer|shorter|earlier|lower|smaller) than|\bmin(?:imum|\.)|\bmindestens"
    r"|\bau moins|\bal menos|\bcomo mínimo|\balmeno|≥|至少|最少|不(?:得|能|应|可|会)?(?:低于|少于|小于|短于|早于)"
)
_ABOVE = r"\b(?:more|longer|higher|greater|larger) than|\b(?:above|over|exceed(?:s|ing)?)|超过|高于|大于|多于|>"
_BELOW = r"\b(?:less|fewer|shorter|lower|smaller) than|\b(?:below|under)|低于|少于|小于|不足|不到|不满|<"
_MOST_BEHIND = r"\s*(?:or (?:less|fewer|below|under)|at most|\(?max\b|以下|以内|之内|及以下|或以下)"
_LEAST_BEHIND = r"\s*(?:or (?:more|higher|above|over|longer|later)|at least|以上|及以上|或以上)"

_BEFORE: tuple[tuple[Bound, regex.Pattern[str]], ...] = (
    ("most", regex.compile(rf"(?:{_MOST}){_GAP}")),
    ("least", regex.compile(rf"(?:{_LEAST}){_GAP}")),
    ("above", regex.compile(rf"(?:{_ABOVE}){_GAP}")),
    ("below", regex.compile(rf"(?:{_BELOW}){_GAP}")),
)
_BEHIND: tuple[tuple[Bound, regex.Pattern[str]], ...] = (
    ("most", regex.compile(_MOST_BEHIND)),
    ("least", regex.compile(_LEAST_BEHIND)),
)
_OTHER_END: dict[Bound, Bound] = {"most": "least", "least": "most", "above": "below", "below": "above"}


def bound_of(text: str, start: int, end: int) -> Bound:
    """What the number with its unit in ``text[start:end]`` (normalised) bounds."""
    before, behind = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    found = (bound for bound, words in _BEFORE if words.search(before))
    return next(found, "") or next((bound for bound, words in _BEHIND if words.match(behind)), "")


def other_end(one: Bound, other: Bound) -> bool:
    """Whether one is the upper and the other the lower end.

    "Above 18" beside "at most 18" is no contrary: of a rule and its complement one says this and one says that.
    """
    return bool(one) and _OTHER_END[one] == other
