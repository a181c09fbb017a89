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
from eval.judges.none import NoJudge
from eval.refusals import is_refusal
from eval.text.analyzer import Analyzer


def labels(rows: Sequence[Row]) -> list[bool]:
    return [row.label == "supported" for row in rows]


@pytest.mark.parametrize(
    ("name", "least_auroc", "least_accuracy"),
    [("mtrag_human", 0.925, 0.84), ("uhgeval_zh", 0.97, 0.97), ("begin", 0.87, 0.86)],
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
    plain = best_agreement(overlap_scores(rows, Analyzer()), labels(rows))
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
    first, second, third = result.output.splitlines()
    assert first.startswith("lexical judge, fixed cut   auroc 1.000  balanced accuracy 1.000  from 0.70  ")
    assert first.endswith(" answers a second")
    assert second == "lexical judge, best cut    auroc 1.000  balanced accuracy 1.000  from 1.00"
    assert third == "plain overlap, best cut    auroc 1.000  balanced accuracy 1.000  from 1.00"


def test_a_judge_that_leaves_answers_unscored_is_not_compared() -> None:
    row = Row(id="r1", question="q", context="c", answer="a", label="supported")
    with pytest.raises(InputError, match="row r1 got no score: no judge configured"):
        judge_scores(NoJudge(), [row])


def test_a_file_with_one_label_ends_with_exit_code_2(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("", encoding="utf-8")
    result = CliRunner().invoke(app, [str(file)])
    assert result.exit_code == 2
    assert "rows of both labels are needed" in result.output


def test_on_single_sentences_the_judge_decides_better_than_plain_overlap(shared_data: Path) -> None:
    rows = read_rows(shared_data / "faithfulness" / "begin.jsonl")
    judged = agreement(judge_scores(LexicalJudge(), rows), labels(rows), FAITHFUL_FROM)
    plain = best_agreement(overlap_scores(rows, Analyzer()), labels(rows))
    assert judged.balanced_accuracy > plain.balanced_accuracy
