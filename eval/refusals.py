"""Whether an answer refuses: told by its wording, so that a right refusal is right however it is put.

Every sentence is read as one of four kinds: it *refuses* (does not know, finds nothing in the sources), it is
*courtesy* (an apology, an offer of help), it only tells what the *sources* are about, or it makes a *claim*.
A rule about the world is a claim however negative it is: "Parking is not available on Sundays" refuses nothing.
"""

from typing import Literal

import regex

from eval.refusal_wording import ABOUT_SOURCES, APOLOGY, COURTESY, REFUSAL
from eval.text.analyzer import normalise
from eval.text.marks import bare, marked_for_splitting
from eval.text.sentences import sentence_spans

Kind = Literal["refusal", "courtesy", "sources", "claim"]

_DIGIT = regex.compile(r"\d")
_CLAUSE_END = regex.compile(
    r"[;:—–]|\s-\s|(?<=\p{Han}),(?=\s*\p{Han})"
    r"|,?\s*\b(?:but(?! (?:do|does|did)(?:n't| not))|however|although|though|yet|nevertheless|nonetheless)\b,?"
    r"|,?\s*\b(?:aber|jedoch|mais|cependant|pero)\b,?"
    r"|,?\s+(?:and|und|et|y)\s+(?=(?:the|a|an|you|there)\s[^,;]*\b(?:is|are|was|were|costs?|must|can|will|has|have)\b)"
    r"|,(?=\s*(?:i|he|she|they|we)\b)"
    r"|,(?=\s*(?:the|a|an|it|you|there)\s[^,;]*\b(?:is|are|was|were|costs?|must|can|will|has|have)\b)"
    r"|(?<=\p{Han}),?(?:但是|但|不过|然而|可是)"
)
_CONCESSION = regex.compile(r"(?:while|although|though|even though|whereas|obwohl|bien que|aunque)\b")
_CONTINUES = regex.compile(r"(?:或|和|以及|及|与|也(?:没有|未|无)?(?!是|可|要|需)|还有)")
_CONDITION = regex.compile(
    r"\b(?:if|when|whenever|unless|once|where|in case|wenn|falls|si|cuando)\b"
    r"|(?:如果|若|倘若|假如|凡|除非|一旦|只要|如)(?!何|下|上)"
)
# …的，…者 after the wording: "whoever cannot …", a rule and no refusal
_CONDITION_AFTER = regex.compile(r"\p{Han}{0,14}(?:的|者|时)$|的(?!信息|资料|内容|答案|问题|依据)")
_STATED_BEFORE = regex.compile(
    r"\d|\b(?:is|are|was|were|has|have|had|costs?|must|can|will|should|who|ist|sind|kostet|est|sont|coûte|son|cuesta)\b"
)
_LEAD_IN = regex.compile(
    r"^.*?\b(?:it (?:is|was) (?:unfortunate|possible) that|the (?:question|answer) (?:is|of|to)\b.*|what is|there is)"
    r"|^[^,]*\b(?:based on|according to|as an ai|from|in|regarding|about|for)\b[^,]*,"
)

_OWN_VERB = regex.compile(r"\b(?:is|are|was|were|(?:has|have) been|can|could)\s*$")


def is_refusal(answer: str) -> bool:
    """Whether the whole answer refuses: no sentence makes a claim, and at least one refuses or apologises.

    A blank answer states nothing and counts as a refusal. A partial refusal ("The fee is 40 euro. The documents do
    not say who pays.") is none. Citations such as [2] or 【1】 make no difference. English and Chinese, and the
    common wordings of German, French and Spanish.
    """
    kinds = [kind_of(sentence) for sentence in _sentences(answer)]
    if "claim" in kinds:
        return False
    return not kinds or "refusal" in kinds or bool(APOLOGY.search(normalise(answer)))


def kind_of(sentence: str) -> Kind:
    """What one sentence does; a sentence that refuses one thing and claims another is a claim."""
    kinds = {_kind_of_clause(clause) for clause in _clauses(normalise(bare(sentence)))}
    for kind in ("claim", "refusal", "sources"):
        if kind in kinds:
            return kind
    return "courtesy"


def _sentences(answer: str) -> list[str]:
    readable = marked_for_splitting(answer)
    pieces = [readable[start:end] for start, end in sentence_spans(readable)]
    return [piece for piece in pieces if regex.search(r"[\p{L}\p{N}]", piece)]


def _clauses(sentence: str) -> list[str]:
    """The parts between which an answer turns from refusing to claiming."""
    if _CONCESSION.match(sentence):
        sentence = sentence.replace(",", ";", 1)
    clauses: list[str] = []
    for piece in _CLAUSE_END.split(sentence):
        clause = piece.strip(" ,.!?。'\"")
        if clauses and _CONTINUES.match(clause):
            clauses[-1] += f",{clause}"
        elif clause:
            clauses.append(clause)
    return clauses


def _kind_of_clause(clause: str) -> Kind:
    if COURTESY.match(clause):
        # an offer of help that gives a number or an address is more than courtesy
        return "claim" if _DIGIT.search(clause) else "courtesy"
    if any(_refuses(clause, match) for match in REFUSAL.finditer(clause)):
        return "refusal"
    return "sources" if ABOUT_SOURCES.match(clause) else "claim"


def _refuses(clause: str, match: regex.Match[str]) -> bool:
    """Whether the wording found is what the clause says, not a condition in it or the end of another statement."""
    before, after = clause[: match.start()], clause[match.end() :]
    if _CONDITION.search(before) or _STATED_BEFORE.search(_OWN_VERB.sub("", _LEAD_IN.sub("", before))):
        return False
    return not _CONDITION_AFTER.match(after)
