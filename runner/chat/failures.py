"""From what a server said to the failure that it means, whichever library passed it on."""

import email.utils
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from runner.chat.endpoint import CallFailedError, Exhausted, Overloaded, Refused

# Errors that arrive inside a stream, or in a body under the status 200, have a type in place of a status.
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "insufficient_quota": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
# Some rate limits name billing pages and quotas in their messages, so of those only plain words count.
_NO_MONEY = re.compile(r"(?i)credit balance is too low|out of credits|insufficient (?:balance|funds|credits)")
_NO_MONEY_CODE = re.compile(r"insufficient_quota|insufficient_user_quota|billing|credit|arrearage", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"(?i)context_length_exceeded|maximum context|context (?:length|window|size)|prompt is too long|too many tokens"
)
_FILTERED = re.compile(r"(?i)content_filter|content_policy|content management policy|moderation|safety system")
_OPTION_REFUSED = frozenset({"unsupported_parameter", "unsupported_value"})
_EXHAUSTED = {
    401: "the key was refused (401)",
    402: "insufficient quota",
    403: "access was denied (403)",
    404: "no such model or address (404)",
}
_TRY_AGAIN = frozenset({408, 409, 425})
_TOO_BUSY = frozenset({429, 503, 529})
FILTERED = "stopped by the content filter"


@dataclass(frozen=True, slots=True)
class Said:
    """What a server said of a failure. ``status`` is HTTP's, or 200 where the error came inside of a reply."""

    status: int
    code: str
    kind: str
    param: str
    message: str

    @property
    def everything(self) -> str:
        """All its words, to search in."""
        return f"{self.code} {self.kind} {self.message}"


def said(status: int, body: Any, text: str = "") -> Said:
    """Read an error's body, in whichever of the usual shapes it comes; ``text`` is for those that have none."""
    if isinstance(body, list) and body:
        body = body[0]
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(inner, Mapping):
        return Said(status, "", "", "", str(inner or text))
    message = inner.get("message") or inner.get("detail") or text or inner
    code, kind, param = (str(inner.get(name) or "") for name in ("code", "type", "param"))
    return Said(status, code, kind, param, str(message))


def failure(told: Said, headers: Mapping[str, str] | None = None) -> CallFailedError:
    """The failure that it means."""
    status = _status(told)
    if status in {400, 402, 403, 429} and _is_out_of_money(told):
        return Exhausted(_EXHAUSTED[402])
    if status in _EXHAUSTED:
        return Exhausted(_EXHAUSTED[status])
    if 300 <= status < 400:
        return Exhausted(f"the address redirects ({status}); its base_url must be the final one")
    if status in _TOO_BUSY or status in _TRY_AGAIN or status >= 500:
        reason = "rate limited" if status == 429 else f"server error {status}"
        billed = told.status == 200  # it had begun to reply
        return Overloaded(reason, retry_after(headers or {}), slow_down=status in _TOO_BUSY, maybe_billed=billed)
    return _refusal(status, told)


def _is_out_of_money(told: Said) -> bool:
    return bool(_NO_MONEY_CODE.search(f"{told.code} {told.kind}") or _NO_MONEY.search(told.message))


def _status(told: Said) -> int:
    """HTTP's status, or the one that an error inside of a reply stands for; 500 where that can't be told."""
    if told.status >= 300:
        return told.status
    if told.code.isdigit() and 400 <= int(told.code) < 600:
        return int(told.code)
    return _STATUS_OF_TYPE.get(told.code) or _STATUS_OF_TYPE.get(told.kind, 500)


def _refusal(status: int, told: Said) -> CallFailedError:
    if told.code in _OPTION_REFUSED and told.param:
        return Exhausted(f"the model refuses the option {told.param} ({status})")
    if _FILTERED.search(told.everything):
        return Refused(FILTERED, told.message)
    if status == 413 or _TOO_LONG.search(told.everything):
        return Refused(f"the prompt is too long ({status})", told.message)
    return Refused(f"the request was refused ({status})", told.message)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait, given in milliseconds, seconds or as an HTTP date; ``None`` if it doesn't."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(milliseconds) / 1000)
        return None if (value := headers.get("retry-after")) is None else _seconds(value)
    except (ValueError, OverflowError):
        return None


def _seconds(value: str) -> float:
    try:
        return max(0.0, float(value))
    except ValueError:
        moment = email.utils.parsedate_to_datetime(value)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
