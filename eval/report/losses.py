"""Why a question missed, in words that say what to change."""

from eval.records import Loss, QuestionRecord


def explain_loss(loss: Loss) -> str:
    """Where one answer document was lost, as a clause."""
    if loss.stage == "not_indexed":
        return f"{loss.doc_id}: blank document, no chunk"
    if loss.stage == "not_ranked":
        return f"{loss.doc_id}: no chunk of it ranked"
    where = f"{loss.doc_id}: best chunk at rank {loss.rank}"
    if loss.stage == "cut":
        return f"{where}, cut by the budget ({loss.tokens_over} tokens over)"
    over = loss.tokens_over or 0
    # Under the policies skip and stop alike this is what a context down to that rank would need more.
    return f"{where}, pushed out by the budget ({max(over, 0)} tokens over)"


def explain_miss(record: QuestionRecord) -> str:
    """All documents that a miss lacks; empty for a hit."""
    return "; ".join(explain_loss(loss) for loss in record.lost_at)
