"""Text that comes from code and servers of others: fit for files and terminals, and without the secrets they let slip.

A secret is masked where it is known as one: the value of an environment variable that is named like a key, user and
password in an address, what the usual vendors' keys look like, and what stands behind ``password=`` and the like.
"""

import os
import re

from eval.sources.text_file import stated_form

REASON = 200  # characters of a reason
RAW = 2000  # characters that are kept of what was not understood
_LOOKED_AT = 10_000  # characters of a message; a secret that is cut in two might not be known as one
_LEAST_SECRET, _SURELY_SECRET = 8, 20  # characters of a secret with a digit, and of one without

_HALF = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and line end
_ADDRESS = re.compile(r"\b0x[0-9A-Fa-f]{9,16}\b|(?<=\bat )0x[0-9A-Fa-f]{4,}\b")  # of an object; error codes are shorter

_VARIABLE = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)$", re.IGNORECASE)
_DIGIT = r"(?=[\w.~+/=-]{0,200}?\d)"
_NAMED = r"((?:password|passwd|pwd|secret|credentials?|(?:api|access|account|private)[-_ ]?key)[\"']?\s*[=:]\s*[\"']?)"
_GUESSED = r"((?:token|key|sig|signature|authorization)(?:=|[\"']\s*:\s*[\"']|:\s*(?=\S{16})))(?=\S{8})" + _DIGIT
_VALUE = r"(?!\*\*\*)[^\s\"',;&)\]}]+"
_SECRETS = (
    (re.compile(r"(://)[^\s/?#\"']*@"), r"\1***@"),
    (re.compile(rf"\b(bearer|basic)\s+{_DIGIT}[\w.~+/=-]{{8,}}", re.IGNORECASE), r"\1 ***"),
    (
        re.compile(rf"\b(?:sk|pk|rk|gsk|hf|r8|gh[a-z]|glpat|xox[a-z]|nvapi|pcsk|tvly|lsv2)[-_]{_DIGIT}[\w-]{{8,}}"),
        "***",
    ),
    (re.compile(r"\bgithub_pat_\w{8,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}\.[\w.-]+"), "***"),
    (re.compile(_NAMED + _VALUE, re.IGNORECASE), r"\1***"),
    (re.compile(_GUESSED + _VALUE, re.IGNORECASE), r"\1***"),
)


def cleaned(text: str) -> str:
    """``text`` without what no file or terminal should get.

    Halves of characters become U+FFFD, control characters blanks; line ends are ``\\n``, tabs stay.
    """
    if _HALF.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # two halves may be one character
    return _CONTROL.sub(" ", stated_form(text))


def masked(text: str) -> str:
    """``text`` with ``***`` in the place of what looks like a key or a password."""
    for secret in _in_the_environment():
        text = text.replace(secret, "***")
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def excerpt(text: str, most: int = RAW) -> str:
    """The beginning of ``text``, clean, masked, and without addresses of objects, which differ from run to run."""
    plain = _ADDRESS.sub("0x…", masked(cleaned(text[:_LOOKED_AT])))
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def reason(text: str) -> str:
    """``text`` as one line that says why something failed: as ``excerpt``, and short."""
    return excerpt(" ".join(text[:_LOOKED_AT].split()), REASON)


def told(error: BaseException) -> str:
    """Type and message of an exception of somebody else's code, as a reason."""
    return reason(f"{type(error).__name__}: {_message(error)}".removesuffix(": "))


def shown(value: object) -> str:
    """The beginning of how Python shows a value of somebody else's class, as ``excerpt``."""
    try:
        return excerpt(repr(value))
    except Exception:  # noqa: BLE001  # even that is code of others
        return type(value).__name__


def _message(error: BaseException) -> str:
    try:
        return str(error).strip()
    except Exception:  # noqa: BLE001  # even that is code of others
        return ""


def _in_the_environment() -> list[str]:
    """The values of variables that are named like a key, the longest first."""
    named = {value.strip() for name, value in os.environ.items() if _VARIABLE.search(name)}
    surely = (value for value in named if len(value) >= (_LEAST_SECRET if re.search(r"\d", value) else _SURELY_SECRET))
    return sorted(surely, key=lambda value: (-len(value), value))
