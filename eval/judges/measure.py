"""How well the judges that run here agree with people: ``python -m eval.judges.measure FILE.jsonl [--nli MODEL]``.

One row per line: ``{"id", "question", "context", "answer", "label": "supported" | "unsupported"}``; other keys are
ignored. Beside a judge stands plain word overlap, each also with the cut that suits it best on this very file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal

import numpy as np
import typer
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError
from scipy.stats import rankdata

from eval.errors import InputError
from eval.judges.lexical import LexicalJudge
from eval.judges.nli import NliJudge
from eval.judges.protocol import Judge
from eval.judges.statements import statements_of
from eval.records import Judgement
from eval.text.analyzer import Analyzer
from eval.text.marks import bare

FAITHFUL_FROM = 0.7  # an answer below this counts as invented, as in the probes


class Row(BaseModel):
    """One answer with the label that people gave it."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    id: str
    question: str
    context: str
    answer: str
    label: Literal["supported", "unsupported"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """``auroc``: how well the scores rank supported before unsupported; ``balanced_accuracy``: the mean of both
    classes' shares of right decisions at ``cut``."""

    auroc: float
    balanced_accuracy: float
    cut: float


def read_rows(path: Path) -> list[Row]:
    """Read the file.

    Raises:
        InputError: naming every line that is wrong, or that one of the labels is missing.
    """
    rows: list[Row] = []
    problems: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        try:
            rows += [Row.model_validate_json(line)] if line.strip() else []
        except ValidationError as error:
            problems.append(f"{path}:{number}: {error.errors()[0]['msg']} at {error.errors()[0]['loc']}")
    if not problems and len({row.label for row in rows}) < 2:
        problems.append(f"{path}: rows of both labels are needed, supported and unsupported")
    if problems:
        raise InputError(*problems)
    return rows


def auroc(scores: Sequence[float], supported: Sequence[bool]) -> float:
    """Area under the ROC curve by the rank statistic of Mann and Whitney (1947), ties counted half."""
    ranks: NDArray[np.float64] = rankdata(scores)
    positive = np.asarray(supported)
    ups, downs = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - ups * (ups + 1) / 2) / (ups * downs))


def agreement(scores: Sequence[float], supported: Sequence[bool], cut: float) -> Agreement:
    """Agreement when scores from ``cut`` up are called supported."""
    called, positive = np.asarray(scores) >= cut, np.asarray(supported)
    balanced = (called[positive].mean() + (~called[~positive]).mean()) / 2
    return Agreement(auroc(scores, supported), float(balanced), cut)


def best_agreement(scores: Sequence[float], supported: Sequence[bool]) -> Agreement:
    """Agreement at the cut with the highest balanced accuracy on these scores, the lowest such cut."""
    found = [agreement(scores, supported, cut) for cut in sorted(set(scores))]
    return max(found, key=lambda each: each.balanced_accuracy)


def judge_scores(judge: Judge, rows: Sequence[Row]) -> list[float]:
    """Faithfulness per row.

    Raises:
        InputError: the judge left a row unscored, so that nothing can be compared.
    """
    scores: list[float] = []
    for row in rows:
        judgement = judge.judge(row.question, row.context, row.answer)
        if not isinstance(judgement, Judgement):
            raise InputError(f"row {row.id} got no score: {judgement.reason}")
        scores.append(judgement.faithfulness)
    return scores


def overlap_scores(rows: Sequence[Row], analyzer: Analyzer) -> list[float]:
    """The baseline: per row the mean over its statements of the share of content terms in the whole context."""
    return [_overlap(row, analyzer) for row in rows]


def _overlap(row: Row, analyzer: Analyzer) -> float:
    held = frozenset(analyzer.content_terms(row.context))
    stated = [frozenset(analyzer.content_terms(bare(text))) for text in statements_of(row.answer)]
    shares = [len(terms & held) / len(terms) if terms else 0.0 for terms in stated]
    return float(np.mean(shares)) if shares else 0.0


app = typer.Typer(add_completion=False)


@app.command()
def main(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)],
    min_overlap: Annotated[float, typer.Option(min=0, max=1)] = LexicalJudge.min_overlap,
    nli: Annotated[str, typer.Option(help="A model for the judge nli: a folder, or a name on the hub.")] = "",
) -> None:
    """Print AUROC and balanced accuracy of the judges and of plain word overlap on labelled answers."""
    try:
        rows = read_rows(file)
        judges: dict[str, Judge] = {"lexical": LexicalJudge(min_overlap=min_overlap)}
        if nli:
            judges["nli"] = NliJudge(model=nli)
        for name, judge in judges.items():
            _measure(name, judge, rows)
    except InputError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(error.exit_code) from error
    supported = [row.label == "supported" for row in rows]
    _show("plain overlap, best cut", best_agreement(overlap_scores(rows, Analyzer()), supported))


def _measure(name: str, judge: Judge, rows: Sequence[Row]) -> None:
    supported = [row.label == "supported" for row in rows]
    started = perf_counter()
    scores = judge_scores(judge, rows)
    speed = len(rows) / (perf_counter() - started)
    _show(f"{name} judge, fixed cut", agreement(scores, supported, FAITHFUL_FROM), f"  {speed:.0f} answers a second")
    _show(f"{name} judge, best cut", best_agreement(scores, supported))


def _show(name: str, found: Agreement, more: str = "") -> None:
    line = f"{name:26} auroc {found.auroc:.3f}  balanced accuracy {found.balanced_accuracy:.3f}  from {found.cut:.2f}"
    typer.echo(f"{line}{more}")


if __name__ == "__main__":
    app()
