"""Answers made of the context's own sentences: offline, deterministic, and never an invention."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import regex
from pydantic import Field

from eval.component import component
from eval.records import Answer, Context, Question
from eval.refusal_wording.sentences import REFUSALS
from eval.text.analyzer import Analyzer
from eval.text.marks import without_bullet
from eval.text.scripts import language_of
from eval.text.sentences import sentences

# A heading, a table's row or a line of code is no sentence that answers.
_FENCED = regex.compile(r"(?ms)^[^\S\n]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[^\S\n]*\1[`~]*[^\S\n]*$|\Z)")
_HEADING_OR_ROW = regex.compile(r"(?m)^[^\S\n]*(?:#{1,6}\s[^\n]*|\|[^\n]*)$")
_ENDED = regex.compile(r"[.!?…。！？；｡][\"'”’)\]}」』）》】]*$")
_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}]")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence of the context and the terms of the question that it holds."""

    text: str
    shared: frozenset[str]


@component
class ExtractiveGenerator:
    """The ``max_sentences`` sentences of the context that match the question best, verbatim and in context order.

    A sentence is ranked by the question's content terms that it holds, each weighted by ln(1 + N/n) for n of the
    context's N sentences holding it (the inverse document frequency of Spärck Jones 1972, smoothed); equals stand in
    context order. Its support is the share of the question's content terms that it holds: when no sentence reaches
    ``min_support``, and when the context is empty, the answer is a refusal in the question's language. 0 always
    answers.
    """

    max_sentences: Annotated[int, Field(ge=1)] = 2
    min_support: Annotated[float, Field(ge=0, le=1)] = 0.0
    analyzer: Analyzer = field(default_factory=Analyzer)

    def generate(self, question: Question, context: Context) -> Answer:
        """Answer from the texts of the context's chunks; titles and repeated table rows are no part of them."""
        asked = frozenset(self.analyzer.content_terms(question.text))
        found = self._candidates(asked, [packed.chunk.text for packed in context.chunks])
        best = _best_places(found)[: self.max_sentences]
        support = max((len(candidate.shared) / len(asked) for candidate in found if asked), default=0.0)
        if not best or support < self.min_support:
            return Answer(REFUSALS[language_of(question.text)])
        return Answer(_joined([found[place].text for place in sorted(best)]))

    def _candidates(self, asked: frozenset[str], texts: Sequence[str]) -> list[_Candidate]:
        """The sentences in context order; of equal ones, which overlapping chunks hold, the first."""
        prose = [sentence for text in texts for sentence in _sentences_of(_prose(text))]
        chosen = prose or [sentence for text in texts for sentence in _sentences_of(text)]
        return [
            _Candidate(text, asked.intersection(self.analyzer.content_terms(text))) for text in dict.fromkeys(chosen)
        ]


def _prose(text: str) -> str:
    return _HEADING_OR_ROW.sub("", _FENCED.sub("", text))


def _sentences_of(text: str) -> list[str]:
    stripped = (without_bullet(sentence) for sentence in sentences(text))
    return [sentence for sentence in stripped if _SAYS_SOMETHING.search(sentence)]


def _best_places(found: Sequence[_Candidate]) -> list[int]:
    """Places in ``found``, best first, equals in order."""
    holding = Counter(term for candidate in found for term in candidate.shared)
    weights = {term: math.log1p(len(found) / count) for term, count in holding.items()}
    # fsum: the same total in whichever order a set gives its terms
    scores = [math.fsum(weights[term] for term in candidate.shared) for candidate in found]
    return sorted(range(len(found)), key=lambda place: -scores[place])


def _joined(parts: Sequence[str]) -> str:
    """With a blank between sentences, but none in Chinese; a part that does not end as a sentence is kept apart."""
    blank = "" if language_of("".join(parts)) == "zh" else " "
    ends = [blank if _ENDED.search(part) else "\n\n" for part in parts[:-1]]
    return "".join(piece for pair in zip(parts, [*ends, ""], strict=True) for piece in pair)
