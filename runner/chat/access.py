"""Keys and addresses: a key is known by the name of its environment variable, and shows up nowhere."""

import json
import os
import re
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator

from eval.errors import InputError

# In capitals, as names of variables are and keys are not: whoever typed the key itself is told before it is written.
_VARIABLE = re.compile(r"(?!AKIA)[A-Z_][A-Z0-9_]{0,63}")
_SECRET_QUERY = re.compile(r"key|token|secret|signature|sig|password|auth", re.IGNORECASE)
_SECRET_HEADER = re.compile(f"{_SECRET_QUERY.pattern}|cookie|credential|session", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"(?:bearer|basic|token)\s|(?:sk|pk|ghp|xox[a-z])[-_]", re.IGNORECASE)
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
_SET_BY_US = frozenset("accept accept-encoding connection content-length content-type host transfer-encoding".split())
_LEAST_SECRET, _SURELY_SECRET = 8, 20  # characters of a key with a digit, and of one without


def is_variable(name: str) -> bool:
    """Whether this can be the name of a variable that holds a key."""
    return _VARIABLE.fullmatch(name) is not None


def _name_of_a_variable(name: str) -> str:
    """Refuse what is no variable's name without showing it: somebody may have typed the key itself."""
    if not is_variable(name):
        raise ValueError("must be the NAME of an environment variable, in capitals, such as OPENAI_API_KEY")
    return name


def _is_address(url: str) -> str:
    """Refuse a base URL that can't be one, or that holds a secret, without showing it."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in {"http", "https"}:
        raise ValueError("must be an address such as http://127.0.0.1:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError("holds a user or a password: leave them out, and name the key's variable with key_env")
    if any(_SECRET_QUERY.search(name) for name, _ in parse_qsl(parts.query, keep_blank_values=True)):
        raise ValueError("holds a key in its query: leave it out, and name the key's variable with key_env")
    return url.rstrip("/")


def _names_a_header(name: str) -> str:
    """Refuse what can be no header's name, without showing it."""
    if not _HEADER.fullmatch(name):
        raise ValueError("must be the name of a header, such as api-key")
    return name


def _plain_headers(headers: dict[str, str]) -> dict[str, str]:
    """Refuse headers that may hold a secret, that say how a request is sent, or that can't be sent; show no value."""
    for name, value in headers.items():
        _names_a_header(name)
        if _SECRET_HEADER.search(name) or _SECRET_VALUE.match(value):
            raise ValueError(f"must not hold {name}: a key is named by key_env, and its header by key_header")
        if name.lower() in _SET_BY_US:
            raise ValueError(f"must not hold {name}: it is set by how a request is sent")
        if not value.isascii() or not value.isprintable():
            raise ValueError(f"holds signs under {name} that no header has")
    return headers


HeaderName = Annotated[str, AfterValidator(_names_a_header)]
"""Name of a header of HTTP."""

PlainHeaders = Annotated[dict[str, str], AfterValidator(_plain_headers)]
"""Headers with values that everybody may see."""

KeyVariable = Annotated[str, AfterValidator(_name_of_a_variable)]
"""Name of an environment variable that holds a key."""

Address = Annotated[str, AfterValidator(_is_address)]
"""Base URL of a server, without any secret in it."""


def key_in(variable: str | None) -> str | None:
    """The key that the environment holds; ``None`` for a server without keys.

    Raises:
        InputError: the variable is not set, or can't be a key.
    """
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError(
            f"the environment variable {variable} holds no key: set it; a server without keys is asked with key_env "
            "null, and cached replies need none (cache=only)"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"the environment variable {variable} holds no key: it has blanks or signs that no key has")
    return key


def without(key: str | None, text: str) -> str:
    """``text`` with the key replaced: servers echo keys. A placeholder such as "lm-studio" is no secret and stays."""
    if key is None or len(key) < _LEAST_SECRET or not (re.search(r"\d", key) or len(key) >= _SURELY_SECRET):
        return text
    return text.replace(key, "***").replace(json.dumps(key)[1:-1], "***")
