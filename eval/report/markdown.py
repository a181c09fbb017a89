"""The report for people: seven sections of Markdown."""

from collections.abc import Sequence

from eval.metrics.mean import Mean
from eval.metrics.measures import GATED, METRICS, recall_by_budget
from eval.records import QUESTION_TYPES, Judgement, QuestionRecord, RunRecord
from eval.report.agreement_markdown import agreement_markdown
from eval.report.bills import PER_QUESTION, month_line
from eval.report.build import Report
from eval.report.losses import MOST_DOCUMENTS, explain_miss
from eval.report.tables import shown, table
from eval.report.verdict_markdown import verdict_markdown

MARKS = {True: "✅", False: "❌", None: "–"}
MOST_QUESTIONS = 60  # a longer golden set is shown by its misses
MOST_SENTENCES = 20
ANSWER_LENGTH = 120


def render_markdown(run: RunRecord, report: Report) -> str:
    """The whole report; ends with a line end."""
    sections = (
        _head(run, report),
        _golden_set(run),
        _retrieval(run, report),
        _generation(run, report),
        _probes(run),
        agreement_markdown(report.data["agreement"]),
        ["## 6. Gate", *verdict_markdown(report.verdict)],
        _acceptance(report),
    )
    return "\n\n".join(block for section in sections for block in section if block) + "\n"


def _head(run: RunRecord, report: Report) -> list[str]:
    rows = [[metric.name, shown(report.means[metric.name])] for metric in GATED if metric.name in report.means]
    incomplete = f"**Incomplete**: {report.incomplete}." if report.incomplete else ""
    return [
        f"# {run.name} on {run.dataset.name}",
        f"Run `{report.data['run']['id']}`, configuration `{run.fingerprints['config']}` (see the run's config.yaml).",
        incomplete,
        table(["gated metric", "value"], rows),
        _bills(run, report),
        *_models(run, report),
    ]


def _bills(run: RunRecord, report: Report) -> str:
    """What the run cost beside its metrics: tokens, money, and time per question."""
    bills = report.data["bills"]
    per_question = {stage: times for stage, times in bills["latency_ms"].items() if stage in PER_QUESTION}
    times = ", ".join(
        f"{stage} {found['p50']:.2f} / {found['p95']:.2f} / {found['max']:.2f}{' (earlier)' if found['reused'] else ''}"
        for stage, found in per_question.items()
    )
    tokens = run.counts["context_tokens"] / max(len(run.records), 1)
    kept = any(found["reused"] for found in per_question.values())
    earlier = " Earlier: work that was kept, with the time that it took then." if kept else ""
    return (
        f"Bills: {tokens:.0f} context tokens per question; {bills['usd']['paid']:.2f} USD; "
        f"milliseconds per question (median / 95th percentile / most): {times}.{earlier}"
    )


def _models(run: RunRecord, report: Report) -> list[str]:
    """What the models cost, stage by stage; nothing where none was asked."""
    bills = report.data["bills"]
    if not bills["models"]:
        return []
    rows = [
        [
            f"{each['stage']}: {each['model']}",
            f"{each['calls']} ({each['cached_calls']} cached)",
            each["input_tokens"],
            each["output_tokens"],
            "unknown" if each["unpriced"] else f"{each['usd_paid']:.4f}",
            "unknown" if each["unpriced"] else f"{each['usd_cached']:.4f}",
            " / ".join(f"{each['latency_ms'][part]:.0f}" for part in ("p50", "p95", "max")),
        ]
        for each in bills["models"]
    ]
    header = ["model", "calls", "tokens in", "out", "USD paid", "USD cached", "ms (median / 95th / most)"]
    return [table(header, rows), month_line(bills["usd"]["month"], run)]


def _golden_set(run: RunRecord) -> list[str]:
    counts = [[kind, sum(question.type == kind for question in run.dataset.questions)] for kind in QUESTION_TYPES]
    average = run.counts["chunk_tokens"] / max(run.counts["chunks"], 1)
    prints = run.fingerprints
    cut = "cut into" if "chunker" in run.config else "of which the system gave"
    pieces = "chunks" if "chunker" in run.config else "passages"
    size = (
        f"{len(run.dataset.questions)} questions (fingerprint `{prints['golden_set']}`) over "
        f"{run.counts['documents']} documents (`{prints['corpus']}`), {cut} {run.counts['chunks']} {pieces} of "
        f"{average:.0f} tokens on average ({prints['counter']})."
    )
    notes = "\n".join(f"- {note}" for note in (*run.dataset.notes, *run.notes))
    return ["## 1. Golden set", size, table(["type", "questions"], counts), notes]


def _ledger(means: Sequence[tuple[str, Mean]]) -> str:
    rows = [
        [
            name,
            shown(mean),
            f"{mean.scored}/{mean.attempted}",
            ", ".join(f"{n}× {why}" for why, n in mean.unscored.items()),
        ]
        for name, mean in means
    ]
    return table(["metric", "value", "scored", "unscored because"], rows)


def _group(report: Report, group: str) -> str:
    names = [metric.name for metric in METRICS if metric.group == group and metric.name in report.means]
    return _ledger([(name, report.means[name]) for name in names])


def _retrieval(run: RunRecord, report: Report) -> list[str]:
    budget = run.config["budget"]
    answerable = [record for record in run.records if record.question.answerable]
    misses = [record for record in answerable if not record.hit]
    listed = answerable if len(answerable) <= MOST_QUESTIONS else misses[:MOST_QUESTIONS]
    more = f"{len(listed)} of {len(misses)} misses are listed; report.json holds every question."
    curve = recall_by_budget(run.records)
    return [
        "## 2. Retrieval",
        f"Recall counts what is in the context of {budget['tokens']} tokens (policy `{budget['policy']}`). nDCG@10 is "
        "per chunk and changes with the chunker; doc_ndcg_at_10 stays comparable.",
        _group(report, "retrieval"),
        table(
            ["question", "type", "first hit at rank", "hit", "context tokens", "tokens to hit", "missing"],
            [_row(record, run.budget_tokens) for record in listed],
        ),
        more if len(listed) < len(answerable) else "",
        "Where the misses were lost:" if misses else "",
        _misses(misses[:MOST_QUESTIONS]),
        "Recall at other budgets, from the same rankings:" if curve else "",
        table(["budget", *map(str, curve)], [["recall", *(f"{value:.3f}" for value in curve.values())]])
        if curve
        else "",
    ]


def _row(record: QuestionRecord, budget_tokens: int) -> list[object]:
    return [
        record.question.id,
        record.question.type,
        record.first_hit_rank or "–",
        MARKS[None if record.unretrieved else bool(record.hit)],
        f"{record.context_tokens}{' (' + ', '.join(record.flags).replace('_', ' ') + ')' if record.flags else ''}",
        _to_hit(record, budget_tokens),
        ", ".join(record.missing_doc_ids[:MOST_DOCUMENTS])
        + (" …" if len(record.missing_doc_ids) > MOST_DOCUMENTS else ""),
    ]


def _missing(record: QuestionRecord) -> str:
    missing = record.missing_doc_ids
    return ", ".join(missing[:MOST_DOCUMENTS]) + (" …" if len(missing) > MOST_DOCUMENTS else "")


def _misses(records: Sequence[QuestionRecord]) -> str:
    """For each miss its question and where its documents were lost."""
    lines = [f"- {record.question.id} “{record.question.text}” – {explain_miss(record)}" for record in records]
    return "\n".join(line.replace("\n", " ") for line in lines)


def _to_hit(record: QuestionRecord, budget_tokens: int) -> str:
    """The smallest budget that would do; under the policy skip a larger one can miss again."""
    if record.tokens_to_hit is None:
        return "–"
    again = not record.hit and record.tokens_to_hit <= budget_tokens
    return f"{record.tokens_to_hit}{', lost again above' if again else ''}"


def _generation(run: RunRecord, report: Report) -> list[str]:
    if "faithfulness" not in report.means:
        return ["## 3. Generation", "Not measured: no judged answers in this run."]
    faithful, relevant = report.means["faithfulness"], report.means["answer_relevancy"]
    pair = (
        f"Read as a pair: faithfulness {shown(faithful)} beside answer relevancy {shown(relevant)}. "
        "An answer can be true to its material and beside the question."
    )
    unsupported = [
        f"- {record.question.id}: “{statement.text}” ({statement.reason})"
        for record in run.records
        if isinstance(record.judgement, Judgement)
        for statement in record.judgement.statements
        if statement.verdict == "unsupported"
    ]
    rest = len(unsupported) - MOST_SENTENCES
    unanswerable = [record for record in run.records if not record.question.answerable]
    return [
        "## 3. Generation",
        pair,
        _group(report, "answer"),
        "Questions that the corpus does not answer:" if unanswerable else "",
        table(["question", "asked", "refused", "answer"], map(_unanswerable, unanswerable[:MOST_SENTENCES]))
        if unanswerable
        else "",
        "Unsupported sentences:" if unsupported else "No unsupported sentence.",
        "\n".join(line.replace("\n", " ") for line in unsupported[:MOST_SENTENCES]),
        f"{rest} more in report.json." if rest > 0 else "",
    ]


def _unanswerable(record: QuestionRecord) -> list[object]:
    """How the system met a question that it should refuse."""
    answer = " ".join((record.answer or "").split())
    short = answer if len(answer) <= ANSWER_LENGTH else f"{answer[:ANSWER_LENGTH]}…"
    return [record.question.id, record.question.text, MARKS[record.refused], short]


def _probes(run: RunRecord) -> list[str]:
    if not run.probes:
        return ["## 4. Judge probes", "No judge in this run."]
    rows = [
        [probe.name, "–" if probe.score is None else f"{probe.score:.2f}", probe.expected, MARKS[probe.passed]]
        for probe in run.probes
    ]
    return ["## 4. Judge probes", table(["probe", "score", "expected", "passed"], rows)]


def _acceptance(report: Report) -> list[str]:
    rows = [[MARKS[check.passed], check.check, check.detail] for check in report.checks]
    return ["## 7. Acceptance", table(["", "check", "found"], rows)]
