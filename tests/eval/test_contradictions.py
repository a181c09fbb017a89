"""What speaks against a statement whose words the context holds."""

import pytest

from eval.judges.lexical import LexicalJudge
from eval.judges.names import names_in
from eval.judges.order import swapped, tokens
from eval.records import Judgement

PAIRS = [
    # what the context says, what is said of it, why that is wrong
    ("The walk is 5 km long.", "The walk is 5 miles long.", "number 5 is in another unit in the context"),
    ("会议持续5天。", "会议持续5小时。", "number 5 is in another unit in the context"),
    ("The office is closed on Mondays.", "The office is closed on Tuesdays.", "number tuesdays is not in the context"),
    ("The report appears each June.", "The report appears each August.", "number august is not in the context"),
    (
        "The museum's old house was built by Clara Winther.",
        "The museum's old house was built by Helen Moss.",
        "name Helen Moss is not in the context",
    ),
    ("博物馆由林秀兰于去年创办。", "博物馆由周建国于去年创办。", "name 周建国 is not in the context"),
    (
        "环保局局长王海涛表示，今年将增加投入。",
        "环保局局长刘志强表示，今年将增加投入。",
        "name 刘志强 is not in the context",
    ),
    ("Profits rose in spring.", "Profits fell in spring.", "contrary to: Profits rose in spring."),
    ("The shop is open before noon.", "The shop is open after noon.", "contrary to: The shop is open before noon."),
    ("年票的价格高于三张日票。", "年票的价格低于三张日票。", "contrary to: 年票的价格高于三张日票。"),
    ("出口同比上升。", "出口同比下降。", "contrary to: 出口同比上升。"),
    ("The city sued the museum.", "The museum sued the city.", "other way round than: The city sued the museum."),
    ("大学把航海图借给博物馆。", "博物馆把航海图借给大学。", "other way round than: 大学把航海图借给博物馆。"),
    ("Penguins love cold water.", "I love cold water.", "speaks of the answerer, whom the context does not know"),
]
ALIKE = [
    ("The deposit is £24.", "The deposit is 24 pounds."),
    ("The fee is 1,000 euro.", "The fee is 1000 euros."),
    ("The contract was signed on 1 May 2024.", "The contract was signed in May 2024."),
    ("The shop opens at 15:00 on weekdays.", "The shop opens at 3 pm on weekdays."),
    ("It was founded by Clara Winther.", "It was founded by Winther."),
    ("Prices fell in May and rose in June.", "Prices rose in June."),
    ("Profits did not rise in spring.", "Profits fell in spring."),
    ("France borders Spain.", "Spain borders France."),
    ("Cats and dogs sleep.", "Dogs and cats sleep."),
    ("A day pass for the museum costs money.", "For the museum, a day pass costs money."),
    ("Penguins love cold water.", "I found that penguins love cold water."),
    ("I love cold water, said the swimmer.", "I love cold water."),
    ("If the master is behind, you can not update it.", "If the master is not behind, you can update it."),
]


def judged(context: str, answer: str) -> Judgement:
    judgement = LexicalJudge().judge("", context, answer)
    assert isinstance(judgement, Judgement)
    return judgement


@pytest.mark.parametrize(("context", "answer", "reason"), PAIRS)
def test_what_a_changed_word_makes_wrong_is_unsupported_and_the_reason_says_why(
    context: str, answer: str, reason: str
) -> None:
    (statement,) = judged(context, answer).statements
    assert (statement.verdict, statement.reason) == ("unsupported", reason)


@pytest.mark.parametrize(("context", "answer"), ALIKE)
def test_what_says_the_same_in_another_way_is_supported(context: str, answer: str) -> None:
    assert judged(context, answer).faithfulness == 1.0


@pytest.mark.parametrize(("context", "answer"), [(context, context) for context, _, _ in PAIRS])
def test_a_sentence_of_the_context_is_supported_whatever_stands_around_it(context: str, answer: str) -> None:
    around = " ".join(wrong for _, wrong, _ in PAIRS)
    assert judged(f"{around} {context}", answer).faithfulness == 1.0


@pytest.mark.parametrize("question", ["What does the museum cost?", "**Is the museum open?**", "博物馆开门吗？"])
def test_a_question_states_nothing_unless_it_is_quoted(question: str) -> None:
    context = "The museum is open and costs nothing. 博物馆开门。"
    assert [one.verdict for one in judged(context, question).statements] == ["undecidable"]
    assert judged(f"They ask: {question.strip('*')}", question).faithfulness == 1.0


def test_a_sentence_that_leads_in_to_a_list_is_no_claim_where_it_is_not_supported() -> None:
    context = "Pay at the gate. Leash your dog."
    answer = "Follow these steps:\n- Pay at the gate.\n- Leash your dog."
    assert [one.verdict for one in judged(context, answer).statements] == ["undecidable", "supported", "supported"]


def test_items_counted_in_one_line_are_judged_without_their_numbers() -> None:
    answer = "The causes are: 1. Radiation 2. Infection 3. Drugs"
    assert judged("The causes are radiation, infection and drugs.", answer).faithfulness == 1.0


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The museum was founded by Helen Moss in March.", ("Helen Moss",)),
        ("Yesterday the city of Bergen paid.", ("Bergen",)),
        ("Helen Moss founded it with the city.", ("Helen Moss",)),
        ("**Less Flexibility:** Harder To Move", ()),
        ("Das Museum wurde von Helen Moss gegründet.", ()),
        ("集团董事长顾宏辉表示，计划不变。", ("顾宏辉",)),
        ("内政部长雷德·布洛克表示", ("德·布",)),
        ("王国的历史很长。", ()),
    ],
)
def test_names_are_told_by_capitals_inside_an_english_sentence_and_by_chinese_titles_and_verbs(
    sentence: str, names: tuple[str, ...]
) -> None:
    assert names_in(sentence) == names


@pytest.mark.parametrize(
    ("one", "other", "turned"),
    [
        ("The cat chased the dog.", "The dog chased the cat.", True),
        ("In May the old cat chased a dog.", "In May a dog chased the old cat.", True),
        ("The cat chased the dog.", "The cat chased the dog.", False),
        ("The cat chased the dog.", "The dog chased a cat.", False),
        ("The cat met the dog.", "The dog met the cat.", False),
        ("Cat dog.", "Dog cat.", False),
        ("", "", False),
    ],
)
def test_two_parts_that_changed_places_are_seen_where_order_matters(one: str, other: str, turned: bool) -> None:
    assert swapped(tokens(one), tokens(other)) is turned
