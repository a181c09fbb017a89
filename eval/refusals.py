"""Whether an answer refuses: told by its wording, so that a right refusal is right however it is put.

Every sentence is read as one of four kinds: it *refuses* (does not know, finds nothing in the sources), it is
*courtesy* (an apology, an offer of help), it only tells what the *sources* are about, or it makes a *claim*.
A rule about the world is a claim however negative it is: "Parking is not available on Sundays" refuses nothing.
"""

from typing import Literal

import regex

from eval.refusal_wording import ABOUT_SOURCES, APOLOGY, COURTESY, SOURCES_NAMED, refusals_in
from eval.refusal_wording.traditional import simplified
from eval.text.analyzer import normalise
from eval.text.marks import bare, marked_for_splitting, without_label
from eval.text.sentences import sentence_spans

Kind = Literal["refusal", "courtesy", "sources", "claim"]
RefusalKind = Literal["full", "partial", "none"]

_LONGEST_REFUSAL = 500  # characters of a clause; bounds the work on endless ones
_DIGIT = regex.compile(r"\d")
_LETTER = regex.compile(r"\p{L}")
_QUOTED = regex.compile(r'"[^"]{1,300}"|“[^”]{1,300}”|「[^」]{1,300}」|『[^』]{1,300}』|„[^“]{1,300}“|«[^»]{1,300}»')
_IN_ITS_PLACE = "_x"
_CLAUSE_END = regex.compile(
    r"[;:—–]|\s-\s|(?<=\p{Han}),(?=\s*\p{Han})"
    r"|,?\s*\b(?:but(?! (?:do|does|did)(?:n't| not))|however|although|though|yet|nevertheless|nonetheless)\b,?"
    r"|,?\s*\b(?:mais|cependant|pero|sin embargo|mas|porém|contudo|ma|però|tuttavia|maar)\b,?"
    # inside a clause these turn nothing: "wird aber nicht genannt"
    r"|(?:,\s*|^)(?:aber|jedoch|echter)\b,?"
    r"|,(?=\s*(?:der|die|das|ein|eine|de|het|een) \p{L}+ (?:wird|werden|ist|sind|wurden?|wordt|worden|is|zijn)\b)"
    r"|(?<=ん|す|い)(?:が|けれども|けど)、"
    r"|,?\s+so\s+(?=(?:i|we|it|the)\b)"
    r"|,?\s+and\s+(?=there's\b|(?:it|they) (?:do|does|did)(?:n't| not)\b|it(?:'s| is) not|it cannot\b)"
    r"|,?\s+(?:and|und|et|y)\s+(?=(?:the|a|an|you|there)\s[^,;]*\b(?:is|are|was|were|costs?|must|can|will|has|have)\b)"
    r"|,(?=\s*(?:i|he|she|they|we)\b)"
    r"|,(?=\s*(?:the|a|an|it|you|there)\s[^,;]*\b(?:is|are|was|were|costs?|must|can|will|has|have)\b)"
    r"|(?<=\p{Han}),?(?:但是|但|不过|然而|可是)"
)
_CONCESSION = regex.compile(
    r"(?:while|although|though|even though|whereas|obwohl|bien que|aunque|embora|sebbene|benché|hoewel)\b"
)
_CONTINUES = regex.compile(r"(?:或|和|以及|及|与|也(?:没有|未|无)?(?!是|可|要|需)|还有)")
_LEADING = regex.compile(
    r"^(?:(?:but|and|so|although|though|while|therefore|however|unfortunately|regrettably|sadly|sorry),?\s+"
    r"|虽然|尽管|因此|所以|可是|并且|而且|只是)+(?=.)"
)
_CONDITION = regex.compile(
    r"\b(?:if|when|whenever|unless|once|where|in case|wenn|falls|sofern|si|cuando|quand|lorsque|als|indien)\b"
    r"|^(?:se|quando)\b"
    r"|(?:如果|若|倘若|假如|凡|除非|一旦|只要|如)(?!何|下|上)"
)
# …的，…者 after the wording: "whoever cannot …", a rule and no refusal
_CONDITION_AFTER = regex.compile(
    r"\p{Han}{0,14}(?:的|者|时)$|的(?!信息|资料|内容|答案|问题|依据)"
    r"|\p{Han}{0,10}?(?:(?<!何)时|的时候)(?=$|[,应须需可请将要会暂立即联补由按再才则就无不])"
    r"|\p{Han}{0,14}?的[^,]{0,10}?[应须可需要请将会被视不]"
    r"|(?:場合|とき|時|人|方)"
)
_STATED_BEFORE = regex.compile(
    r"\d|\b(?:is|are|was|were|has|have|had|costs?|must|can|will|should|who|ist|sind|kostet|est|sont|coûte|son|cuesta)\b"
)
_LEAD_IN = regex.compile(
    r"^.*?\b(?:it (?:is|was) (?:unfortunate|possible) that|the (?:question|answer) (?:is|of|to)\b.*|what is|there is)"
    r"|^(?:whether|who|what|how|when|where|which|why)\b.*|^(?:ob|wer|was|wie|wann|of|wat|wanneer|waar)\b[^,]*,"
    r"|^[^,]*\b(?:based on|according to|as an ai|from|in|regarding|about|for)\b[^,]*,"
)

_OWN_VERB = regex.compile(
    r"\b(?:is|are|was|were|(?:has|have) been|can|could)\s*$"
    r"|\b(?:ist|sind|wird|werden|est|sont|es|está|son|è|é|sono|são|zijn|wordt) (?:\w+ )?"
    r"(?:in|im|aus|dans|en|ne\w+|em|n[oa]s?)(?: \w+)?\s*$"
)


def refusal_kind(answer: str) -> RefusalKind:
    """Whether the answer refuses as a whole (``full``), beside what it claims (``partial``), or not (``none``).

    Full: no sentence makes a claim, and at least one refuses or apologises. Partial: "The fee is 40 euro. The
    documents do not say who pays." A blank answer states nothing and counts as a full refusal. Citations such as [2]
    or 【1】 make no difference. Languages: see ``eval.refusal_wording``.
    """
    kinds = {kind for sentence in _sentences(answer) for kind in _kinds_of(sentence)}
    if "claim" in kinds:
        return "partial" if "refusal" in kinds else "none"
    full = not kinds or "refusal" in kinds or APOLOGY.search(simplified(normalise(answer)))
    return "full" if full else "none"


def is_refusal(answer: str) -> bool:
    """Whether the whole answer refuses."""
    return refusal_kind(answer) == "full"


def kind_of(sentence: str) -> Kind:
    """What one sentence does; a sentence that refuses one thing and claims another is a claim."""
    kinds = _kinds_of(sentence)
    for kind in ("claim", "refusal", "sources"):
        if kind in kinds:
            return kind
    return "courtesy"


def _kinds_of(sentence: str) -> set[Kind]:
    readable = simplified(normalise(without_label(bare(sentence))))
    return {_kind_of_clause(clause) for clause in _clauses(_without_quotations(readable))}


def _without_quotations(sentence: str) -> str:
    """What is quoted is not said, unless nothing stands around it: The system replies "I don't know"."""
    rest = _QUOTED.sub(_IN_ITS_PLACE, sentence)
    return rest if _LETTER.search(rest.replace(_IN_ITS_PLACE, "")) else sentence


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
        clause = _LEADING.sub("", piece.strip(" ,.!?。'\"()[]<>"))
        if clauses and (_CONTINUES.match(clause) or SOURCES_NAMED.match(f"{clauses[-1]}\n{clause}")):
            clauses[-1] += f",{clause}"
        elif clause:
            clauses.append(clause)
    return clauses


def _kind_of_clause(clause: str) -> Kind:
    if len(clause) > _LONGEST_REFUSAL:
        return "claim"
    if COURTESY.match(clause):
        # an offer of help that gives a number or an address is more than courtesy
        return "claim" if _DIGIT.search(clause) else "courtesy"
    if any(_refuses(clause, match) for match in refusals_in(clause)):
        return "refusal"
    return "sources" if ABOUT_SOURCES.match(clause) else "claim"


def _refuses(clause: str, match: regex.Match[str]) -> bool:
    """Whether the wording found is what the clause says, not a condition in it or the end of another statement."""
    before, after = clause[: match.start()], clause[match.end() :]
    if _CONDITION.search(before) or _STATED_BEFORE.search(_OWN_VERB.sub("", _LEAD_IN.sub("", before))):
        return False
    return not _CONDITION_AFTER.match(after)
