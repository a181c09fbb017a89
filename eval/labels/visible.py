"""Texts of others on a terminal: what would steer it is shown instead of done."""

import regex

# Control characters but line ends and tabs; marks that turn the direction of writing; halves of surrogate pairs.
_STEERING = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069--[\n\t]]", regex.V1)


def visible(text: str) -> str:
    """``text`` with characters that a terminal obeys as their escapes, such as ``\\x1b``; line ends stay."""
    return _STEERING.sub(_escaped, text.replace("\r\n", "\n"))


def _escaped(found: "regex.Match[str]") -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
