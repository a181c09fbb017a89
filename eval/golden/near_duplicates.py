"""Questions that ask the same: each further one weighs a document more without testing anything new."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from eval.golden.entry import Entry
from eval.records import Question
from eval.sources.finding import Finding
from eval.text.analyzer import Analyzer

# Jaccard similarity from which two questions count as one: 4 of 5 different terms are shared.
_SHARED, _OF = 4, 5
_TELLING = 3  # with fewer content terms, the function words tell questions apart: who is the CEO, where is the CEO

_ANALYZER = Analyzer()


def near_duplicate_warnings(entries: Sequence[Entry]) -> list[Finding]:
    """One warning for each question that is much like an earlier one, naming the first such."""
    return [
        Finding(
            "warning",
            entries[later].where,
            f"{entries[later].question.id} asks almost what {entries[earlier].question.id} asks "
            f"({entries[earlier].where}); keep one, or ask for something else",
        )
        for later, earlier in near_duplicates([entry.question for entry in entries])
    ]


def near_duplicates(questions: Sequence[Question]) -> list[tuple[int, int]]:
    """Pairs of places (later, earlier) of questions whose terms have a Jaccard similarity of at least 0.8.

    No pair are questions that differ in a term with a digit, as they ask for different things; and an answerable and
    an unanswerable one, as a near miss is a good test of refusing, unless both hold the very same terms in order.

    Only pairs that share one of their rarest terms are compared: others cannot reach the similarity (prefix
    filtering, Chaudhuri et al. 2006), so the work stays far below all pairs.
    """
    signatures = [_Signature.of(question) for question in questions]
    frequency = Counter(term for signature in signatures for term in signature.terms)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    pairs: list[tuple[int, int]] = []
    for later, signature in enumerate(signatures):
        terms = signature.terms
        by_rarity = sorted(terms, key=lambda term: (frequency[term], term))
        rarest = by_rarity[: len(terms) - -(-_SHARED * len(terms) // _OF) + 1]
        candidates = sorted({earlier for term in rarest for earlier in holders[term]})
        twin = next((earlier for earlier in candidates if _alike(signature, signatures[earlier])), None)
        if twin is not None:
            pairs.append((later, twin))
        for term in rarest:
            holders[term].append(later)
    return pairs


@dataclass(frozen=True, slots=True)
class _Signature:
    """What two questions are compared by."""

    terms: frozenset[str]
    in_order: tuple[str, ...]
    answerable: bool

    @classmethod
    def of(cls, question: Question) -> Self:
        in_order = tuple(_ANALYZER.terms(question.text))
        content = frozenset(_ANALYZER.content_terms(question.text))
        return cls(content if len(content) >= _TELLING else frozenset(in_order), in_order, question.answerable)


def _alike(left: _Signature, right: _Signature) -> bool:
    if left.answerable != right.answerable:
        return left.in_order == right.in_order
    if len(left.terms & right.terms) * _OF < len(left.terms | right.terms) * _SHARED:
        return False
    return not any(character.isdigit() for term in left.terms ^ right.terms for character in term)
