"""What another evaluator's numbers from exported files mean beside those of the report."""

from collections.abc import Iterator, Sequence

from eval.exporting.run_report import RankedQuestion, RankedRun
from eval.metrics.ranking import CUTOFF
from eval.records import Question
from eval.sources.finding import some

Pair = tuple[Question, RankedQuestion]


def notes(ranked: RankedRun, questions: Sequence[Question]) -> Iterator[str]:
    """First what holds for the whole run, then the questions that one can't rely on, by id."""
    asked = {question.id: question for question in questions}
    answerable = [(asked[run.id], run) for run in ranked.questions if run.id in asked and asked[run.id].answerable]
    yield "RR over these files counts documents; mrr in the report counts chunks, so it may be lower"
    yield from _who(ranked, asked)
    failed = [mine.id for mine, run in answerable if run.failed]
    yield from _told("questions could not be ranked: the report leaves them unscored, evaluators count 0", failed)
    yield from _depth(ranked, answerable)


def _who(ranked: RankedRun, asked: dict[str, Question]) -> Iterator[str]:
    there = {*(run.id for run in ranked.questions), *ranked.edited}
    absent = [name for name in asked if name not in there]
    yield from _told("questions of the golden set are not in the report: evaluators count 0", absent)
    others = [run.id for run in ranked.questions if run.id not in asked]
    yield from _told("questions of the report are not in the golden set, and evaluators leave them out", others)
    edited = "questions were put otherwise when the run asked them; their rankings are left out: evaluators count 0"
    yield from _told(edited, ranked.edited)
    judged = [run.id for run in ranked.questions if run.id in asked and run.fingerprint != asked[run.id].fingerprint]
    yield from _told("questions have other documents or another type than in the run; qrels.txt has today's", judged)


def _depth(ranked: RankedRun, answerable: Sequence[Pair]) -> Iterator[str]:
    """Down to where the rankings are whole, and which measures look deeper than that."""
    heads = [run for run in ranked.questions if run.kept < run.total]
    if not heads:
        yield "run.txt holds whole rankings: every measure over documents is exact"
        return
    fewest, longest = min(len(run.doc_ids) for run in heads), max(run.total for run in heads)
    yield (
        f"run.txt holds the heads of {len(heads)} rankings, {fewest} documents deep or deeper: the report keeps no "
        f"more of up to {longest} chunks"
    )
    cut = [(mine, run) for mine, run in answerable if not run.exact_for(mine)]
    if not cut:
        yield "every measure over documents is exact nevertheless: all answers stand in the heads"
        return
    exact = min(len(run.doc_ids) for _, run in cut)
    yield (
        f"measures that look at the first {exact} documents or fewer are exact (nDCG@{exact}, R@{exact}, P@{exact}, "
        f"RR@{exact}); deeper ones and those without a cutoff (AP, RR, Rprec, R@100, nDCG) can be too low"
    )
    yield from _told("questions have an answer that is not in the head", [mine.id for mine, _ in cut])
    short = [mine.id for mine, run in cut if len(run.doc_ids) < CUTOFF]
    yield from _told(
        f"questions have fewer than {CUTOFF} documents in the part of their ranking that the report keeps: "
        f"nDCG@{CUTOFF} is a lower bound there",
        short,
    )
    late = [mine.id for mine, run in cut if run.first_hit_rank and run.first_hit_rank > run.kept]
    yield from _told("questions are first answered beyond the part that the report keeps: RR is 0 there", late)


def _told(what: str, ids: Sequence[str]) -> Iterator[str]:
    if ids:
        yield f"{len(ids)} {what}: {some(ids)}"
