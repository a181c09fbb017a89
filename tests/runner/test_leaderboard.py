"""A leaderboard puts the best first and tells differences from noise."""

from runner import leaderboard
from runner.leaderboard import Entry, differences, leaderboard_markdown, rank_entries

SHOWN = [metric.name for metric in leaderboard.SHOWN]


def entry(name: str, hits: str, mrr: float = 1.0, error: str | None = None) -> Entry:
    """A run whose recall per question is given as a string of 1 and 0, and whose other measures are all equal."""
    recall = {f"q{number}": float(hit) for number, hit in enumerate(hits)}
    values = {metric: recall if metric == "recall" else dict.fromkeys(recall, mrr) for metric in SHOWN}
    metrics = {metric: sum(found.values()) / max(len(found), 1) for metric, found in values.items()}
    return Entry(name, error, metrics, values, 500.0, 0.1)


def test_runs_are_ranked_by_recall_then_by_the_next_measure_and_failures_come_last():
    ranked = rank_entries(
        [entry("low", "1000"), Entry("broken", "boom"), entry("b", "1100", 0.5), entry("a", "1100", 0.9)]
    )
    assert [item.name for item in ranked] == ["a", "b", "low", "broken"]


def test_a_few_flips_are_noise_and_many_are_not():
    leader = entry("leader", "1" * 20)
    assert differences(leader, entry("close", "1" * 17 + "000")) == []
    # eight flips one way: 2 / 2**8
    assert differences(leader, entry("far", "1" * 12 + "0" * 8)) == ["recall -0.400 (p=0.008)"]


def test_the_leaderboard_says_who_leads_what_is_noise_and_what_failed():
    text = leaderboard_markdown(
        rank_entries([entry("best", "1111"), entry("same", "1110"), Entry("broken", "chunker.size: must be above 0")])
    )
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert lines[2].startswith("| best | 1.000 |")
    assert lines[2].endswith("| leads |")
    assert lines[3].endswith("| within noise |")
    assert lines[4].endswith("| failed: chunker.size: must be above 0 |")


def test_runs_over_different_questions_are_not_compared():
    other = Entry("zh", None, {"recall": 0.5}, {metric: {"elsewhere": 0.5} for metric in SHOWN}, 500.0, 0.1)
    assert "| other questions |" in leaderboard_markdown([entry("en", "11"), other])


def test_a_system_that_refuses_everything_is_told_apart_by_the_measures_beside_the_gated_ones():
    answers, refuses = entry("answers", "1" * 16), entry("refuses", "1" * 16)
    for name, wrong in (("answer_relevancy", 0.0), ("false_refusal_rate", 1.0)):
        right = 1.0 - wrong
        answers.values[name].update(dict.fromkeys(answers.values[name], right))
        refuses.values[name].update(dict.fromkeys(refuses.values[name], wrong))
    assert differences(refuses, answers) == ["answer_relevancy +1.000 (p<0.001)", "false_refusal_rate -1.000 (p<0.001)"]


def test_a_sweep_without_runs_says_so():
    assert leaderboard_markdown([]) == "No run finished.\n"
