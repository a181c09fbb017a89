"""Names for contents: two things have the same fingerprint exactly when their canonical JSON is the same."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LENGTH = 16  # hexadecimal digits: 64 bits, ample for telling apart the few thousand things of a project


def canonical_json(value: Any) -> str:
    """``value`` as JSON with sorted keys, no blanks and no NaN, so that equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fingerprint(value: Any) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of ``value``'s canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:LENGTH]


def code_fingerprint(packages: Iterable[Path]) -> str:
    """Fingerprint of every Python source below the given package folders, by relative name and content."""
    sources = {
        f"{package.name}/{path.relative_to(package).as_posix()}": hashlib.sha256(path.read_bytes()).hexdigest()
        for package in packages
        for path in package.rglob("*.py")
    }
    return fingerprint(sources)
