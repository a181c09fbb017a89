"""How the lexical judge agrees with people on public data, against plain word overlap at its best cut."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eval.errors import InputError
from eval.judges.lexical import LexicalJudge
from eval.judges.measure import (
    FAITHFUL_FROM,
    Row,
    agreement,
    app,
    auroc,
    best_agreement,
    judge_scores,
    overlap_scores,
    read_rows,
)
from eval.refusals import is_refusal


def labels(rows: Sequence[Row]) -> list[bool]:
    return [row.label == "supported" for row in rows]


@pytest.mark.parametrize(
    ("name", "least_auroc", "least_accuracy"),
    [("mtrag_human", 0.92, 0.83), ("uhgeval_zh", 0.96, 0.96), ("begin", 0.83, 0.82)],
)
def test_the_lexical_judge_ranks_and_decides_as_people_do(
    shared_data: Path, name: str, least_auroc: float, least_accuracy: float
) -> None:
    rows = read_rows(shared_data / "faithfulness" / f"{name}.jsonl")
    found = agreement(judge_scores(LexicalJudge(), rows), labels(rows), FAITHFUL_FROM)
    assert found.auroc >= least_auroc
    assert found.balanced_accuracy >= least_accuracy


def test_on_replies_of_real_systems_the_judge_is_as_good_as_plain_overlap(shared_data: Path) -> None:
    rows = [row for row in read_rows(shared_data / "faithfulness" / "mtrag_human.jsonl") if not is_refusal(row.answer)]
    judged = best_agreement(judge_scores(LexicalJudge(), rows), labels(rows))
    plain = best_agreement(overlap_scores(LexicalJudge(), rows), labels(rows))
    assert judged.balanced_accuracy >= plain.balanced_accuracy
    assert judged.auroc >= plain.auroc


def test_auroc_counts_ties_half() -> None:
    # pairs of one supported and one unsupported: 0.9 beats both, 0.5 beats 0.1 and ties with 0.5: 3.5 of 4
    assert auroc([0.9, 0.5, 0.5, 0.1], [True, True, False, False]) == 3.5 / 4


def test_balanced_accuracy_is_the_mean_of_both_classes() -> None:
    # supported: 1 of 2 from 0.7 up; unsupported: 2 of 2 below
    found = agreement([0.9, 0.5, 0.5, 0.1], [True, True, False, False], 0.7)
    assert found.balanced_accuracy == (1 / 2 + 2 / 2) / 2
    assert best_agreement([0.9, 0.5, 0.5, 0.1], [True, True, False, False]).cut == 0.5


def test_every_wrong_line_of_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"id": "1"}\n\n[]\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_rows(file)
    assert [problem.split(": ")[0] for problem in caught.value.problems] == [f"{file}:1", f"{file}:3"]


def test_the_command_prints_the_judge_beside_plain_overlap(tmp_path: Path) -> None:
    row = '{{"id": "{0}", "question": "q", "context": "Dogs sleep well.", "answer": "{1}", "label": "{2}"}}\n'
    file = tmp_path / "rows.jsonl"
    file.write_text(
        row.format(1, "Dogs sleep well.", "supported") + row.format(2, "Cats purr.", "unsupported"), encoding="utf-8"
    )
    result = CliRunner().invoke(app, [str(file)])
    assert result.exit_code == 0
    assert result.output.splitlines()[0] == "lexical judge, fixed cut   auroc 1.000  balanced accuracy 1.000  from 0.70"


def test_a_file_with_one_label_ends_with_exit_code_2(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("", encoding="utf-8")
    result = CliRunner().invoke(app, [str(file)])
    assert result.exit_code == 2
    assert "rows of both labels are needed" in result.output
