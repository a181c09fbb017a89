"""A judge's reply, read strictly: what it lacks or contradicts makes it invalid, and nothing is guessed."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

import regex
from pydantic import ValidationError

from eval.judges.asking import InvalidReplyError, only_object
from eval.judges.quotation import comparable, quoted_from, related
from eval.judges.reply_form import ANCHORS, Judged, JudgeReply
from eval.records import Statement, Verdict
from eval.text.marks import bare

MISSHAPEN = "the judge's reply lacks what was asked for"
MISCOUNTED = "the judge did not judge every statement exactly once"
UNKNOWN_WORD = "the judge gave an unknown verdict"
NO_ANCHOR = "the judge's relevancy is none of the anchors"
CONTRADICTION = "the judge's list of unsupported sentences contradicts its verdicts"
NO_QUOTATION = "the judge called a statement supported without a quotation"
NOT_IN_MATERIAL = "the judge quoted what is not in the material"
UNRELATED = "the judge's quotation has no word of the statement"


_NUMBERED = regex.compile(
    r"(?:statement|sentence|陈述|语句|句子)?[\s#_-]*(?P<number>\d{1,4})\s*(?:[:：.)、-]|$)", regex.IGNORECASE
)
_AROUND = " \n\"'“”„‘’「」"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What one reply says: the statements in their order, each judged, and the relevancy of the answer."""

    statements: tuple[Statement, ...]
    relevancy: float


@dataclass(frozen=True, slots=True)
class _Judgement:
    """A statement, its number, and what the reply says of it."""

    number: int
    text: str
    verdict: Verdict
    quotation: str
    reason: str

    @property
    def statement(self) -> Statement:
        evidence = self.quotation if self.verdict == "supported" else self.reason
        return Statement(self.text, self.verdict, " ".join(evidence.split()))


def read_verdicts(text: str, statements: Sequence[str], material: str) -> Verdicts:
    """The verdicts of a reply about ``statements``, which were numbered from 1.

    Raises:
        InvalidReplyError: anything is missing, unknown or contradictory, or a supported statement has no quotation
            that stands in ``material`` and shares a content term with it.
    """
    reply = _shaped(text)
    judgements = _judgements(sorted(reply.statements, key=lambda each: each.number), statements)
    if reply.relevancy not in ANCHORS:
        raise InvalidReplyError(NO_ANCHOR, f"relevancy must be one of {', '.join(map(str, ANCHORS))}")
    _check_list(judgements, reply.unsupported_sentences or [])
    _check_quotations([each for each in judgements if each.verdict == "supported"], material)
    return Verdicts(tuple(each.statement for each in judgements), reply.relevancy)


def _shaped(text: str) -> JudgeReply:
    try:
        return JudgeReply.model_validate(only_object(text))
    except ValidationError as error:
        places = sorted({".".join(map(str, finding["loc"])) for finding in error.errors()})
        raise InvalidReplyError(MISSHAPEN, f"missing or of a wrong type: {', '.join(places)}") from error


def _judgements(judged: Sequence[Judged], statements: Sequence[str]) -> list[_Judgement]:
    if [each.number for each in judged] != list(range(1, len(statements) + 1)):
        raise InvalidReplyError(MISCOUNTED, f"it must judge {len(statements)} statements, each exactly once")
    found = [
        _Judgement(each.number, text, verdict, each.quotation or "", each.reason or "")
        for each, text in zip(judged, statements, strict=True)
        if (verdict := each.known_verdict) is not None
    ]
    if unknown := {each.number for each in judged} - {each.number for each in found}:
        raise InvalidReplyError(UNKNOWN_WORD, _of(unknown, "the verdict is no known word"))
    return found


def _check_list(judgements: Sequence[_Judgement], listed: Sequence[str | int]) -> None:
    """The list must hold the very statements that are called unsupported: whoever errs in one place shows it here."""
    called = {_sentence(each.text) for each in judgements if each.verdict == "unsupported"}
    if called != {_meant(entry, judgements) for entry in listed}:
        detail = (
            "unsupported_sentences must hold, word for word, the statements whose verdict is unsupported, no others"
        )
        raise InvalidReplyError(CONTRADICTION, detail)


def _meant(entry: str | int, judgements: Sequence[_Judgement]) -> tuple[str, ...]:
    """The sentence that an entry of the list stands for: as its text, by its number, or by both if they agree."""
    text = str(entry).strip(_AROUND)
    sentences = {str(each.number): _sentence(each.text) for each in judgements}
    numbered = _NUMBERED.match(text)
    if _sentence(text) in sentences.values() or numbered is None or numbered["number"] not in sentences:
        return _sentence(text)
    meant, rest = sentences[numbered["number"]], text[numbered.end() :]
    return meant if not rest or _sentence(rest) == meant else _sentence(text)


def _check_quotations(supported: Sequence[_Judgement], material: str) -> None:
    rules: tuple[tuple[str, str, Callable[[_Judgement], bool]], ...] = (
        (NO_QUOTATION, "supported without a quotation", lambda each: bool(each.quotation.strip())),
        (
            NOT_IN_MATERIAL,
            "the quotation does not stand in the material word for word",
            lambda each: quoted_from(each.quotation, material),
        ),
        (
            UNRELATED,
            "the quotation is not about the statement; quote the whole sentence that says it, or judge it anew",
            lambda each: related(each.text, each.quotation),
        ),
    )
    faults: list[tuple[str, str]] = []
    faulty: set[int] = set()
    for reason, detail, holds in rules:
        if broken := {each.number for each in supported if each.number not in faulty and not holds(each)}:
            faults.append((reason, _of(broken, detail)))
            faulty |= broken
    if faults:
        raise InvalidReplyError(faults[0][0], "; ".join(detail for _, detail in faults))


def _of(numbers: Set[int], detail: str) -> str:
    return f"statement {', '.join(map(str, sorted(numbers)))}: {detail}"


def _sentence(text: str) -> tuple[str, ...]:
    return comparable(bare(text))
