"""Characters as readers see them (extended grapheme clusters, Unicode Standard Annex 29)."""

import regex

_CLUSTER = regex.compile(r"\X")
# How far back a cluster that holds a place may begin; longer ones exist only as mischief, and may be cut.
_REACH = 64


def whole_until(text: str, place: int) -> int:
    """The last place at or before ``place`` where no cluster is cut in two; ``place`` itself if one is too long."""
    if place >= len(text):
        return len(text)
    start = max(0, place - _REACH)
    for match in _CLUSTER.finditer(text, start, min(len(text), place + _REACH)):
        if match.end() >= place:
            return place if match.end() == place or match.start() == start > 0 else match.start()
    return place
