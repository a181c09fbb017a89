"""Why a question missed, in words that say what to change."""

from eval.records import Loss, QuestionRecord

MOST_DOCUMENTS = 5


def explain_loss(loss: Loss) -> str:
    """Where one answer document was lost, as a clause."""
    if loss.stage == "not_indexed":
        return f"{loss.doc_id}: blank document, no chunk"
    if loss.stage == "not_ranked":
        return f"{loss.doc_id}: no chunk of it ranked"
    where = f"{loss.doc_id}: best chunk at rank {loss.rank}"
    if loss.stage == "cut":
        return f"{where}, cut by the budget ({loss.tokens_over} tokens over)"
    return f"{where}, pushed out by the budget ({loss.tokens_over} tokens over)"


def explain_miss(record: QuestionRecord) -> str:
    """The documents that a miss lacks, the first few of many, or why nothing was ranked; empty for a hit."""
    if record.unretrieved is not None:
        return record.unretrieved.reason
    told = [explain_loss(loss) for loss in record.lost_at[:MOST_DOCUMENTS]]
    rest = len(record.lost_at) - len(told)
    return "; ".join([*told, *([f"{rest} more documents"] if rest else [])])
