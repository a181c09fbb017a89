"""A leaderboard puts the best first, tells differences from noise, and says what it can't tell."""

from typing import Any

from runner.leaderboard import SHOWN, Entry, compare, leaderboard_markdown, rank_entries

HIGH = {"answer_relevancy": 0.5, "false_refusal_rate": 0.0, "refusal_rate": 0.0}


def entry(name: str, hits: str = "1" * 16, chunker: Any = "sentence", **means: float) -> Entry:
    """A run whose recall per question is given as a string of 1 and 0; every other measure is the same for all."""
    recall = {f"q{number}": float(hit) for number, hit in enumerate(hits)}
    constants = {metric.name: 1.0 for metric in SHOWN} | HIGH | means
    values = {key: recall if key == "recall" else dict.fromkeys(recall, value) for key, value in constants.items()}
    found = {metric: sum(each.values()) / max(len(each), 1) for metric, each in values.items()}
    return Entry(name, None, found, values, chunker, 0, 500.0, 0.1)


def order(*entries: Entry) -> list[str]:
    return [item.name for item in rank_entries(entries)]


def told(first: Entry, other: Entry) -> list[str]:
    return [str(found) for found in compare(first, [other])[0][0].beyond_noise]


def remarks(*ranked: Entry) -> list[str]:
    rows = [line for line in leaderboard_markdown(ranked).splitlines() if line.startswith("| ")][2:]
    return [row.removesuffix(" |").rsplit("| ", 1)[1] for row in rows]


def test_runs_are_ranked_by_recall_then_by_the_next_measure_and_failures_come_last():
    best, worse = entry("a", "1100", mrr=0.9), entry("b", "1100", mrr=0.5)
    assert order(entry("low", "1000"), Entry("broken", "boom"), worse, best) == ["a", "b", "low", "broken"]


def test_a_run_without_a_value_is_not_put_before_one_that_has_it():
    blank = Entry("blank", None, {"recall": None}, {metric.name: {} for metric in SHOWN})
    assert order(blank, entry("measured", "1000")) == ["measured", "blank"]


def test_refusing_everything_does_not_win():
    refuses = entry("refuses", refusal_rate=0.75, false_refusal_rate=0.94, answer_relevancy=0.03)
    assert order(refuses, entry("answers")) == ["answers", "refuses"]


def test_a_few_flips_are_noise_and_many_are_not():
    first = entry("first", "1" * 20)
    assert told(first, entry("close", "1" * 17 + "000")) == []
    # eight flips one way: 2 / 2**8
    assert told(first, entry("far", "1" * 12 + "0" * 8)) == ["recall -0.400 worse (p=0.008)"]


def test_a_lower_rate_of_wrong_refusals_is_better():
    first, other = entry("first", false_refusal_rate=1.0), entry("other")
    assert told(first, other) == ["false_refusal_rate -1.000 better (p<0.001)"]


def test_all_comparisons_of_a_leaderboard_are_corrected_together():
    first, six = entry("first", "1" * 20), entry("six", "1" * 14 + "0" * 6)
    assert told(first, six) == ["recall -0.300 worse (p=0.031)"]  # 2 / 2**6
    comparisons, count = compare(first, [six, six])
    assert count == 2
    assert [found.beyond_noise for found in comparisons] == [(), ()]  # twice that is above 0.05
    assert [str(found) for found in comparisons] == ["perhaps recall -0.300 worse (p=0.031)"] * 2


def test_ndcg_per_chunk_is_compared_only_between_runs_that_cut_documents_alike():
    first = entry("first")
    assert told(first, entry("same", ndcg_at_10=0.5)) == ["ndcg_at_10 -0.500 worse (p<0.001)"]
    assert told(first, entry("other", chunker="fixed", ndcg_at_10=0.5)) == []


def test_the_change_is_the_mean_over_the_questions_that_both_have():
    first, other = entry("first", "1" * 16), entry("other", "0" * 16)
    other.values["recall"].update({"elsewhere": 1.0})
    assert told(first, other) == ["recall -1.000 worse (p<0.001)"]


def test_the_last_column_says_how_each_run_stands_beside_the_first():
    broken = Entry("broken", "chunker.size: must be above 0")
    other = Entry("zh", None, {"recall": 0.5}, {metric.name: {"elsewhere": 0.5} for metric in SHOWN})
    found = remarks(entry("best"), entry("same"), entry("close", "1" * 15 + "0"), other, broken)
    assert found == [
        *("first", "the same", "no difference beyond noise", "other questions"),
        "failed: chunker.size: must be above 0",
    ]


def test_when_every_run_failed_none_leads():
    assert remarks(Entry("a", "boom"), Entry("b", "bang")) == ["failed: boom", "failed: bang"]


def test_unscored_questions_are_told():
    silent = Entry("silent", None, entry("x").metrics, entry("x").values, "sentence", 7)
    assert remarks(silent, entry("x")) == ["first; 7 questions unscored", "the same"]


def test_the_note_says_what_so_many_questions_and_comparisons_can_show():
    text = leaderboard_markdown([entry("one", "1111"), entry("two", "0000")])
    assert "correction for 1 comparisons" in text
    assert "The clearest needs 6 questions that change" in text
    assert f"Too few questions for that: {', '.join(metric.name for metric in SHOWN)}." in text
    assert "Too few" not in leaderboard_markdown([entry("one"), entry("two", "0" * 16)])


def test_where_nothing_was_compared_there_is_no_note():
    assert "Differences" not in leaderboard_markdown([entry("one")])


def test_a_sweep_without_runs_says_so():
    assert leaderboard_markdown([]) == "No run finished.\n"
