"""What speaks against a statement whose words the context holds."""

import pytest

from eval.judges.lexical import LexicalJudge
from eval.judges.names import names_in
from eval.judges.order import changed, swapped, tokens
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
    ("年票的价格高于三张日票。", "年票的价格低于三张日票。", "number 3 bounds the other end in the context"),
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


CHANGED = [
    # what the context says, what is said of it: a sign, half of the day, unit, bound, side, quantifier, modality, path
    ("The freezer is kept at -18 °C.", "The freezer is kept at 18 °C."),
    ("The balance was −40 euro.", "The balance was 40 euro."),
    ("冷库温度为零下18℃。", "冷库温度为18℃。"),
    ("The pharmacy opens at 8:15 a.m. on Mondays.", "The pharmacy opens at 8:15 p.m. on Mondays."),
    ("The late shift starts at 10 pm.", "The late shift starts at 10 am."),
    ("食堂上午七点半开门。", "食堂晚上七点半开门。"),
    ("班车下午5点发车。", "班车上午5点发车。"),
    ("The pool closes at 20:00 daily.", "The pool closes at 8 am daily."),
    ("The request times out after 300 ms.", "The request times out after 300 seconds."),
    ("The pulse lasts 5 µs.", "The pulse lasts 5 ms."),
    ("The heater uses 2 kW at full power.", "The heater uses 2 W at full power."),
    ("The channel is 20 MHz wide.", "The channel is 20 kHz wide."),
    ("费率为2‰。", "费率为2%。"),
    ("The stamp costs 85 cents.", "The stamp costs 85 euro."),
    ("Die Gebühr beträgt 12,- EUR.", "Die Gebühr beträgt 12 CHF."),
    ("Delivery takes 4 business days.", "Delivery takes 4 days."),
    ("Die Probezeit dauert sechs Monate.", "Die Probezeit dauert sechs Wochen."),
    ("Le contrat dure deux ans.", "Le contrat dure deux mois."),
    (
        "El plazo es de quince días, con tres meses de prórroga.",
        "El plazo es de quince días, con tres semanas de prórroga.",
    ),
    ("配送には2日間かかります。", "配送には2週間かかります。"),
    ("返品は7営業日以内です。", "返品は9営業日以内です。"),
    ("Fuel costs 1.80 €/l, tolls 0.12 €/km.", "Fuel costs 1.80 €/l, tolls 0.12 €/mile."),
    ("Storage costs 9 euro per month.", "Storage costs 9 euro per day."),
    ("The team has at least 6 members.", "The team has at most 6 members."),
    ("Files may be up to 20 MB.", "Files must be at least 20 MB."),
    ("每组不少于6人。", "每组不超过6人。"),
    ("押金不超过500元。", "押金至少500元。"),
    ("付款后3日内发货。", "付款前3日内发货。"),
    ("Submit the report before the audit begins.", "Submit the report after the audit begins."),
    ("Nobody may enter the lab.", "Everybody may enter the lab."),
    ("All rooms have a desk.", "Few rooms have a desk."),
    ("Only members can vote in spring.", "Members can vote in spring."),
    ("Visitors must sign the book.", "Visitors can sign the book."),
    ("访客必须登记姓名和电话。", "访客可以登记姓名和电话。"),
    ("所有员工均需参加年度培训。", "部分员工均需参加年度培训。"),
    ("The log is in /var/log/app.log.", "The log is in /var/log/app.txt."),
    ("Edit ~/.ssh/config first.", "Edit ~/.ssh/conf first."),
    ("The price is 5,- EUR.", "The price is 5 USD."),
    ("Temperatures from −10 °C are allowed.", "Temperatures from 10 °C are allowed."),
    ("报销须在出差结束后30日内提交，逾期不予受理。", "报销须在出差结束前30日内提交。"),
    ("总监每晚不超过880元，员工每晚不超过450元。", "总监每晚不低于880元。"),
]
UNCHANGED = [
    ("The freezer is kept at -18 °C.", "The freezer is kept at −18 °C."),
    ("The freezer is kept at -18 °C.", "The freezer is kept at minus 18 °C."),
    ("The pharmacy opens at 8:15 a.m. on Mondays.", "The pharmacy opens at 08:15 on Mondays."),
    ("The late shift starts at 10 pm.", "The late shift starts at 22:00."),
    ("食堂上午七点半开门。", "食堂7:30开门。"),
    ("班车下午5点发车。", "班车17:00发车。"),
    ("The late shift starts at 10 pm.", "The late shift starts at 10."),
    ("The request times out after 300 ms.", "The request times out after 300 milliseconds."),
    ("The stamp costs 85 cents.", "The stamp costs 85 ct."),
    ("Die Gebühr beträgt 12,- EUR.", "Die Gebühr beträgt 12 Euro."),
    ("Die Probezeit dauert sechs Monate.", "Die Probezeit dauert 6 Monate."),
    ("Le contrat dure deux ans.", "Le contrat dure 2 ans."),
    ("The team has at least 6 members.", "The team has 6 members or more."),
    ("Adults over 18 may enter.", "Adults above 18 may enter."),
    ("The unit has 12 V/3,500 mAh.", "The unit has 3500 mAh."),
    ("Release v4.0.2 fixes the bug.", "Release 4.0.2 fixes the bug."),
    ("Tours run Mon–Sat.", "Tours run from Monday to Saturday."),
    ("Half a dozen guides work here.", "6 guides work here."),
    ("The 31st entry is blank.", "The thirty-first entry is blank."),
    ("The route is 2 450 km long.", "The route is 2450 km long."),
    ("Der Betrag ist 3.480,50 €.", "Der Betrag ist 3480,50 Euro."),
    ("Il costo è 7,50 euro.", "Il costo è 7.50 euro."),
    ("Min. 2,000 points are needed for the badge.", "Min. 2000 points are needed for the badge."),
    ("Visitors must sign the book.", "All visitors must sign the book."),
    ("The log is in /var/log/app.log.", "The log is in `/var/log/app.log`."),
    ("The fee is 40 euro.", "The fee is only 40 euro."),
    ("Guests may bring dogs if they pay.", "Guests can bring dogs if they pay."),
    ("The lab sat empty in March and April.", "The lab sat empty in March and April."),
    ("He met Sun and Mon Li in Rome.", "He met Sun and Mon Li in Rome."),
    ("Max. 1 200 km per month.", "Max. 1,200 km per month."),
    ("On 2024-05-06 at 9点30分 会议召开。", "会议于9:30召开。"),
    ("Prices are to be paid within 30 days. A 5 % discount applies.", "A discount of 5 percent applies."),
]


@pytest.mark.parametrize(("context", "answer"), CHANGED)
def test_a_changed_sign_time_unit_bound_quantifier_or_modality_is_unsupported(context: str, answer: str) -> None:
    assert [one.verdict for one in judged(context, answer).statements] == ["unsupported"]


@pytest.mark.parametrize(("context", "answer"), UNCHANGED)
def test_figures_and_degrees_written_in_another_way_are_supported(context: str, answer: str) -> None:
    assert judged(context, answer).faithfulness == 1.0


@pytest.mark.parametrize("context", [context for context, _ in CHANGED + UNCHANGED])
def test_each_of_these_contexts_supports_itself_beside_what_would_be_wrong(context: str) -> None:
    around = " ".join(wrong for _, wrong in CHANGED if not wrong.startswith("Fuel"))
    assert judged(f"{around} {context}", context).faithfulness == 1.0


def test_in_a_dense_passage_the_nearest_sentence_decides_about_a_unit() -> None:
    context = "The fee is 5,- EUR. Delivery takes 5 days (±5 %). The notice is drei Monate. See Fig. 3."
    assert judged(context, "The fee is 5 USD.").faithfulness == 0.0
    assert judged(context, "The notice is drei Wochen.").faithfulness == 0.0
    assert judged(context, "The notice is 3 Monate.").faithfulness == 1.0


@pytest.mark.parametrize(
    ("one", "other", "change"),
    [
        ("Staff may wear old badges.", "Staff must wear old badges.", ("may", "must")),
        ("Members vote in spring.", "Only members vote in spring.", ("", "only")),
        ("Members vote in spring.", "As a rule members vote in spring at noon.", None),
        ("The fee is only 40 euro.", "The fee is 40 euro.", None),
        ("The fee is 40 euro.", "The fee is only 40 euro.", None),
    ],
)
def test_one_word_in_the_place_of_another_is_seen_in_sentences_alike_but_for_it(
    one: str, other: str, change: tuple[str, str] | None
) -> None:
    assert changed(tokens(one), tokens(other)) == change
