"""What speaks against a statement whose words a context holds: other figures or names, the contrary, the reverse."""

import regex

from eval.judges.bounds import other_end
from eval.judges.evidence import Evidence, Sentence
from eval.judges.figures import Figure
from eval.judges.names import is_chinese
from eval.judges.opposites import opposite, other_degree
from eval.judges.order import changed, holds, limits, swapped

# Where something holds under a condition only, its denial may say the same the other way round.
_CONDITION = regex.compile(
    r"\b(?:if|unless|when|whereas|ensure|make sure|otherwise)\b|如果|若|除非|否则|确保", regex.IGNORECASE
)
_HALF = 0.5  # share of a sentence's terms below which it is mostly about something else
_NEARLY_THE_SAME = 0.8  # share of a statement's terms in one sentence from which a difference in the rest counts
# With these a number may stand without its sign: -5 % is a fall of 5 %.
_LESS = regex.compile(
    r"\b(?:minus|below|loss(?:es)?|lost|f[ae]ll\w*|decreas\w*|declin\w*|drop\w*|less|negative|reduc\w*|deficit)"
    r"|下降|减少|下跌|降低|亏损|零下|[负低缩]",
    regex.IGNORECASE,
)
_SPEAKER = regex.compile(r"\b(?:I|i|my|My|me|mine|myself)\b(?! ?\.)")
# What a system says of its own reading: I found that …, I can confirm that …
_READER = regex.compile(
    r"\b[Ii] (?:can |could |would |will |have |also |do |did |don't |do n't )*(?:find|found|see|think|believe"
    r"|understand|hope|recommend|suggest|confirm|say|tell|note)\b"
)


def contradiction(statement: Sentence, evidence: Evidence, min_overlap: float) -> str:
    """The first thing that speaks against ``statement``, in few words; empty if nothing does.

    Figures have to stand in the windows that hold the share ``min_overlap`` of the statement's terms; names anywhere;
    a denial, a contrary and a reverse are looked for in the closest sentences.
    """
    closest = evidence.closest(statement)
    return (
        _other_figure(statement, evidence, min_overlap, closest)
        or _other_name(statement, evidence, closest)
        or _other_speaker(statement, evidence)
        or (_reversed(statement, closest) if closest else "")
    )


def _other_figure(statement: Sentence, evidence: Evidence, min_overlap: float, closest: list[Sentence]) -> str:
    """The first figure that the supporting windows do not hold, or hold in another unit only."""
    near = evidence.figures(statement.terms, min_overlap)
    less = _LESS.search(statement.text)
    for figure in dict.fromkeys(statement.figures):
        alike = [other for other in near if figure.found_in(other) or (less and figure.unsigned_in(other))]
        if alike and _in_another_unit(figure, alike, closest):
            return f"number {figure.written} is in another unit in the context"
        if alike and all(other_end(figure.bound, other.bound) for other in alike):
            return f"number {figure.written} bounds the other end in the context"
        # a statement that is a figure and nothing else is about that figure, in a word or not
        full = figure.force == "full" or not statement.terms
        if not alike and (full or (figure.force == "soft" and _replaces(statement, closest))):
            return f"number {figure.written} is not in the context"
    return ""


def _in_another_unit(figure: Figure, alike: list[Figure], closest: list[Sentence]) -> bool:
    """Whether none of the figures ``alike`` has its unit, and what the closest sentences give has another."""
    if any(figure.unit.readings & other.unit.readings and not figure.unit.contradicts(other.unit) for other in alike):
        return False
    beside = [other for sentence in closest for other in sentence.figures if figure.found_in(other)]
    return any(figure.unit.contradicts(other.unit) for other in beside or alike)


def _replaces(statement: Sentence, closest: list[Sentence]) -> bool:
    """Whether the closest sentence gives another number where the statement has a small one in a word."""
    return bool(closest) and all(sentence.readings - statement.readings for sentence in closest)


def _other_name(statement: Sentence, evidence: Evidence, closest: list[Sentence]) -> str:
    """The first name of which the context holds no part.

    Capitals show less than a Chinese title or verb: there, the closest sentence must say the same of another name.
    """
    for name in statement.names:
        parts = name.split()
        if any(evidence.holds(part.removesuffix("s")) for part in parts):
            continue
        others = len(statement.polarity.affirmed) - len(parts)
        if is_chinese(name) or all(_names_another(s, statement, others) for s in closest):
            return f"name {name} is not in the context"
    return ""


def _names_another(sentence: Sentence, statement: Sentence, terms: int) -> bool:
    return bool(set(sentence.names) - set(statement.names)) and _nearly_the_same(statement, sentence, terms)


def _other_speaker(statement: Sentence, evidence: Evidence) -> str:
    """A statement of the answerer about itself, whom a context that is told by nobody can't know."""
    if not _SPEAKER.search(statement.text) or _READER.search(statement.text):
        return ""
    told = any(_SPEAKER.search(sentence.text) for sentence in evidence.sentences)
    return "" if told else "speaks of the answerer, whom the context does not know"


def _reversed(statement: Sentence, closest: list[Sentence]) -> str:
    """How all the closest sentences say the contrary of ``statement``, or say it the other way round."""
    quoted = closest[0].text
    if all(_opposed(statement, sentence) for sentence in closest):
        return f"negated against: {quoted}"
    if all(_contrary(statement, sentence) for sentence in closest):
        return f"contrary to: {quoted}"
    if any(holds(sentence.tokens, statement.tokens) and not _change(statement, sentence) for sentence in closest):
        return ""
    if change := _changed(statement, closest):
        return f"{change[0] or 'nothing'} in the place of {change[1] or 'nothing'}: {quoted}"
    turned = any(swapped(statement.tokens, sentence.tokens) for sentence in closest)
    return f"other way round than: {quoted}" if turned else ""


def _changed(statement: Sentence, closest: list[Sentence]) -> tuple[str, str] | None:
    """The degree that differs from the sentences that say the same in the same words; none behind a condition."""
    if any(_CONDITION.search(sentence.text) for sentence in closest):
        return None
    found = [change for sentence in closest if (change := _change(statement, sentence))]
    return found[0] if found and all(limits(change[1].split()) or other_degree(*change) for change in found) else None


def _change(statement: Sentence, sentence: Sentence) -> tuple[str, str] | None:
    return changed(statement.tokens, sentence.tokens)


def _opposed(one: Sentence, other: Sentence) -> bool:
    mine, theirs = one.polarity, other.polarity
    if _CONDITION.search(one.text) or _CONDITION.search(other.text):
        return False
    if mine.negative == theirs.negative or not _nearly_the_same(one, other, len(mine.affirmed)):
        return False
    return bool(mine.negated & theirs.affirmed or theirs.negated & mine.affirmed)


def _contrary(one: Sentence, other: Sentence) -> bool:
    """Alike but for words that are opposites of each other, and not because one of them is negated as well."""
    if one.polarity.negative != other.polarity.negative or not opposite(one.directions, other.directions):
        return False
    shared = len(one.polarity.affirmed & other.polarity.affirmed)
    return _nearly_the_same(one, other, len(one.polarity.affirmed) - len(one.directions)) and (
        shared >= _HALF * (len(other.polarity.affirmed) - len(other.directions))
    )


def _nearly_the_same(one: Sentence, other: Sentence, terms: int) -> bool:
    return len(one.polarity.affirmed & other.polarity.affirmed) >= _NEARLY_THE_SAME * terms
