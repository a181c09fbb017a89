"""How fast questions are measured beside pytrec_eval and ranx: python -m tests.benchmarks.metrics [QUESTIONS]

Ours start from what the stages hand on: rankings as arrays, owners of chunks, contexts, the golden set. They end in
means with their ledgers. The others start from Python dictionaries that are ready, as their users have them, and give
the same four measures: of chunks, and of documents, which takes them a second evaluation. "Records" are all of what a
run keeps of each question beside the measures: what other budgets would have held, where an answer was lost, the head
of the ranking (whose lines become objects when the report reads them). Seconds are of the processor, the least of
several rounds; ranx compiles in a first call, not counted.
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from statistics import fmean
from time import process_time
from typing import Any

import numpy as np

from eval.metrics.mean import mean_of
from eval.metrics.measures import measure
from eval.records import Chunk, Context, Document, Question, Ranking
from runner.packing.budget import TokenBudget
from runner.stages.recording import Found, Layout, record_question

DOCUMENTS, CHUNKS_PER_DOCUMENT, ROUNDS = 10_000, 2, 5
MEASURES = ("hit", "reciprocal_rank", "ndcg_at_10", "doc_ndcg_at_10")
BUDGET = TokenBudget(tokens=600, ladder=[100, 200, 400, 800, 1600])
Values = Mapping[str, float]
Judged = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Made:
    """Made-up results: every other question needs two documents, and most find theirs near the top."""

    layout: Layout
    questions: list[Question]
    rankings: list[Ranking]
    contexts: list[Context]

    @classmethod
    def up(cls, count: int, depth: int) -> "Made":
        """``count`` questions with rankings of ``depth`` chunks."""
        random = np.random.default_rng(0)
        documents = [Document(f"doc-{n}", "text") for n in range(DOCUMENTS)]
        places = [(document.id, n) for document in documents for n in range(CHUNKS_PER_DOCUMENT)]
        chunks = [Chunk(f"{name}#{n}", name, 0, 20, "some words of a text") for name, n in places]
        layout = Layout.of(documents, chunks, random.integers(50, 200, len(chunks)), joint=1)
        rankings = [
            Ranking(
                random.choice(len(chunks), depth, replace=False).astype(np.int32), np.sort(random.random(depth))[::-1]
            )
            for _ in range(count)
        ]
        questions = []
        for number, ranking in enumerate(rankings):
            ranks = np.minimum(random.geometric(0.15, 1 + number % 2) - 1, depth - 1)
            wanted = sorted({chunks[place].doc_id for place in ranking.positions[ranks]})
            questions.append(Question(f"q{number}", "?", "multi" if len(wanted) > 1 else "single", tuple(wanted)))
        return cls(layout, questions, rankings, [BUDGET.pack(item, chunks, layout.sizes) for item in rankings])

    def dictionaries(self) -> tuple[tuple[Judged, Ranked], tuple[Judged, Ranked]]:
        """Judgements and rankings as others read them: of chunks, and of documents by their best chunk."""
        ids, ranked, by_document = [chunk.id for chunk in self.layout.chunks], {}, {}
        for question, ranking in zip(self.questions, self.rankings, strict=True):
            scores = dict(zip([ids[n] for n in ranking.positions.tolist()], ranking.scores.tolist(), strict=True))
            best: dict[str, float] = {}
            for name, score in scores.items():
                best.setdefault(name.partition("#")[0], score)
            ranked[question.id], by_document[question.id] = scores, best
        judged = {
            item.id: {f"{name}#{n}": 1 for name in item.answer_doc_ids for n in range(CHUNKS_PER_DOCUMENT)}
            for item in self.questions
        }
        documents = {item.id: dict.fromkeys(item.answer_doc_ids, 1) for item in self.questions}
        return (judged, ranked), (documents, by_document)


def measures_alone(made: Made) -> Values:
    """The four measures and their means."""
    rows = [
        {"hit": float(_hit(question, context)), **Found.of(question, ranking, made.layout).values(made.layout)}
        for question, ranking, context in zip(made.questions, made.rankings, made.contexts, strict=True)
    ]
    means = {name: mean_of(row[name] for row in rows).value for name in MEASURES}
    return {name: value for name, value in means.items() if value is not None}


def _hit(question: Question, context: Context) -> bool:
    held = {item.chunk.doc_id for item in context.chunks if not item.cut}
    found = [name in held for name in question.answer_doc_ids]
    return all(found) if question.type == "multi" else any(found)


def whole_records(made: Made) -> Values:
    """What a run does: the record of each question, then all measures over the records."""
    rows = zip(made.questions, made.rankings, made.contexts, strict=True)
    records = [record_question(question, ranking, context, made.layout, BUDGET) for question, ranking, context in rows]
    values = {name: mean.value for name, mean in measure(records).items() if mean.value is not None}
    return {"hit": values["recall"], "reciprocal_rank": values["mrr"], **values}


def pytrec_eval(chunks: tuple[Judged, Ranked], documents: tuple[Judged, Ranked]) -> Values:
    """Recall in a top 10 takes the place of recall in a context, which it does not know."""
    library: Any = importlib.import_module("pytrec_eval")
    of_chunks = library.RelevanceEvaluator(chunks[0], {"recall.10", "recip_rank", "ndcg_cut.10"}).evaluate(chunks[1])
    of_documents = library.RelevanceEvaluator(documents[0], {"ndcg_cut.10"}).evaluate(documents[1])
    names = {"reciprocal_rank": "recip_rank", "ndcg_at_10": "ndcg_cut_10", "recall_10": "recall_10"}
    means = {ours: fmean(row[theirs] for row in of_chunks.values()) for ours, theirs in names.items()}
    return {**means, "doc_ndcg_at_10": fmean(row["ndcg_cut_10"] for row in of_documents.values())}


def ranx(chunks: tuple[Judged, Ranked], documents: tuple[Judged, Ranked]) -> Values:
    """The same from the same dictionaries, which it turns into its own form."""
    library: Any = importlib.import_module("ranx")
    wanted = ["recall@10", "mrr", "ndcg@10"]
    of_chunks = library.evaluate(library.Qrels(chunks[0]), library.Run(chunks[1]), wanted)
    ndcg = library.evaluate(library.Qrels(documents[0]), library.Run(documents[1]), "ndcg@10")
    return {"reciprocal_rank": of_chunks["mrr"], "ndcg_at_10": of_chunks["ndcg@10"], "doc_ndcg_at_10": ndcg}


def least(work: Callable[[], Values], rounds: int = ROUNDS) -> tuple[float, Values]:
    """Seconds of the processor in the fastest round, and what was computed."""
    times = []
    for _ in range(rounds):
        start = process_time()
        values = work()
        times.append(process_time() - start)
    return min(times), values


def compare(count: int, depth: int) -> None:
    """Print a line for each way."""
    made = Made.up(count, depth)
    chunks, documents = made.dictionaries()
    print(f"{count} questions, rankings of {depth} chunks")
    alone, values = least(lambda: measures_alone(made))
    records, same = least(lambda: whole_records(made))
    if any(values[name] != same[name] for name in MEASURES):
        raise SystemExit("measures alone and from records differ")
    print(f"  ours, measures     {alone:7.3f} s, {alone / count * 1e6:6.1f} µs per question")
    print(f"  ours, records      {records:7.3f} s, {records / count * 1e6:6.1f} µs per question")
    for name, package, work in (("pytrec_eval", "pytrec_eval-terrier", pytrec_eval), ("ranx", "ranx", ranx)):
        try:
            importlib.import_module(name)
        except ImportError:
            print(f"  {name} is not installed: not compared")
            continue
        if name == "ranx":
            warnings.simplefilter("ignore")  # of numba, about casts in ranx
            work(chunks, documents)  # compiles
        theirs, their_values = least(lambda work=work: work(chunks, documents), 3)  # type: ignore[misc]
        apart = max(abs(values[key] - value) for key, value in their_values.items() if key in values)
        print(
            f"  {name + ' ' + version(package):18} {theirs:7.3f} s; ours take {alone / theirs:.2f} of it, with records "
            f"{records / theirs:.2f}; means differ by {apart:.0e} at most"
        )


if __name__ == "__main__":
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for ranked in (100, 1000):
        compare(questions, ranked)
