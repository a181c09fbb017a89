"""The way of the data: load, retrieve, answer, judge, record. Each arrow is one call, made once per sweep."""

from eval.fingerprints import fingerprint
from eval.records import Answer, Context, Dataset, Judgement, Question, QuestionRecord, RunRecord, Unscored
from runner.config.setup import Setup
from runner.fingerprints import run_fingerprints
from runner.memo import Memo
from runner.stages.answering import answer
from runner.stages.recording import record_question
from runner.stages.responding import respond
from runner.stages.retrieval import retrieve
from runner.stages.retrieved import Retrieved
from runner.systems.pipeline import Pipeline


def measure(setup: Setup, memo: Memo) -> RunRecord:
    """Run the whole system on every question of the golden set and record what happened."""
    loaded = memo.once("load", [setup.resolved["dataset"]], setup.dataset.load)
    dataset = loaded.value
    corpus = memo.once("corpus", [loaded.key], lambda: _in_order(dataset)).value
    if isinstance(setup.system, Pipeline):
        retrieved = retrieve(setup, memo, dataset, corpus)
    else:
        retrieved = respond(setup, setup.system, memo, dataset, corpus)
    answered = answer(setup, memo, dataset.questions, retrieved)
    records = [
        _record(retrieved, place, setup, question, said, judgement)
        for place, (question, said, judgement) in enumerate(
            zip(dataset.questions, answered.answers, answered.judgements, strict=True)
        )
    ]
    return RunRecord(
        name=setup.name,
        dataset=dataset,
        records=records,
        tier=setup.tier,
        config=setup.config,
        budget_tokens=setup.budget.tokens,
        fingerprints=run_fingerprints(setup, dataset),
        times=(loaded.times, *retrieved.times, *answered.times),
        counts={
            "documents": len(dataset.documents),
            "chunks": len(retrieved.chunks),
            "chunk_tokens": int(retrieved.layout.sizes.sum()),
            "context_tokens": sum(record.context_tokens for record in records),
        },
        probes=answered.probes,
        max_unscored=setup.max_unscored,
        use=setup.use,
        notes=(*setup.warnings, *retrieved.notes, *setup.notes),
        embedding_calls=setup.desk.embedding_calls,
    )


def _in_order(dataset: Dataset) -> str:
    """Identity of the documents in their order, which breaks ties."""
    return fingerprint([document.fingerprint for document in dataset.documents])


def _record(
    retrieved: Retrieved,
    place: int,
    setup: Setup,
    question: Question,
    said: Answer | Unscored | None,
    judgement: Judgement | Unscored | None,
) -> QuestionRecord:
    """Everything about one question; where nothing was ranked for it, why."""
    ranking, context, seen = retrieved.rankings[place], retrieved.contexts[place], retrieved.seen.value[place]
    calls = retrieved.calls[place]
    if isinstance(ranking, Unscored) or isinstance(context, Unscored):
        failed = ranking if isinstance(ranking, Unscored) else Unscored("nothing was packed")
        return QuestionRecord(question, (), 0, (), 0, judgement=judgement, unretrieved=failed, retrieval_calls=calls)
    return record_question(
        question,
        ranking,
        context,
        retrieved.layout,
        setup.budget,
        said,
        judgement,
        material=seen.text if said is not None and isinstance(seen, Context) else "",
        retrieval_calls=calls,
    )
