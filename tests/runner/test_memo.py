"""What was computed once is not computed again."""

from runner.memo import Memo


def test_the_same_settings_give_the_same_object_and_say_that_it_was_reused():
    memo, calls = Memo(), []

    def make() -> list[int]:
        calls.append(1)
        return [1]

    first = memo.once("chunk", [{"size": 200}], make)
    again = memo.once("chunk", [{"size": 200}], make)
    assert again.value is first.value
    assert len(calls) == 1
    assert (first.times.reused, again.times.reused) == (False, True)
    assert again.times.milliseconds == first.times.milliseconds


def test_another_setting_another_stage_or_another_upstream_is_made_anew():
    memo = Memo()
    keys = {
        memo.once(stage, follows, object).key
        for stage, follows in [("a", [1]), ("a", [2]), ("b", [1]), ("a", ["1"]), ("a", [1, None])]
    }
    assert len(keys) == 5


def test_the_order_of_settings_within_a_part_does_not_matter():
    memo = Memo()
    assert memo.once("a", [{"x": 1, "y": 2}], object).value is memo.once("a", [{"y": 2, "x": 1}], object).value


def test_a_stage_per_question_has_a_time_for_each():
    made = Memo().each("rank", [], lambda query: query.upper(), ["a", "b", "c"])
    assert made.value == ["A", "B", "C"]
    assert len(made.times.milliseconds) == 3
