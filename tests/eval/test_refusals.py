"""Refusals are told by their wording; a rule about the world, however negative, is an answer."""

import pytest

from eval.refusals import is_refusal

ENGLISH_REFUSALS = (
    "I don't know.",
    "I do not know the answer to this question.",
    "Sorry, I don't know.",
    "I'm sorry, but I cannot answer that.",
    "I’m sorry, but I can’t find that in the documents.",
    "The documents do not say who pays.",
    "The provided context does not contain information about parking fees.",
    "The context doesn't mention the price of a ticket [2].",
    "not covered by the indexed documents",
    "This is not mentioned in the documents.",
    "The parking fee is not specified in the provided passages.",
    "There is no information about parking in the given text.",
    "No information about this was found.",
    "No relevant information is available.",
    "I could not find any information on dental insurance.",
    "I do not have enough information to answer this question.",
    "I have no information on that topic.",
    "There is not enough information to answer the question.",
    "Insufficient information to determine the deadline.",
    "It cannot be determined from the provided documents when the office opens.",
    "The question cannot be answered based on the given context.",
    "This question is beyond the scope of the provided documents.",
    "Based on the provided documents, I am unable to determine the deadline.",
    "Unfortunately, the documents do not specify how long the warranty lasts.",
    "None of the documents mention a gym.",
    "The sources are silent on this.",
    "Not mentioned.",
    "N/A",
    "The documents discuss parking for staff but do not mention visitors.",
    "I'm sorry, I couldn't find that. Is there anything else I can help you with?",
    "The documents do not cover this topic. Please contact the HR department for more details.",
    "I'm unable to answer this. If you can provide more context, I would be happy to help!",
    "**I don't know.** 【1】",
    "I do not have specific information about version 6.16.0.",
    "Sorry, I do not have that information at the moment.",
    "The policy does not say whether dogs are allowed.",
    "The provided documents do not contain specific information about the reasons for the 46% drop. "
    "Therefore, I do not have specific information on this topic.",
    "There is no mention of a dress code.",
    "The passages provide no details about the author's childhood.",
    "I cannot tell from the documents who signed the contract.",
)

CHINESE_REFUSALS = (
    "我不知道。",
    "不知道",
    "资料中没有提到停车费",
    "资料中没有提到停车费【1】。",
    "没有相关信息",
    "抱歉，我无法回答这个问题。",
    "很抱歉，文档中没有相关信息。",
    "根据提供的资料，无法确定停车费是多少。",
    "根据现有资料，没有提到停车费。",
    "文中未提及作者的年龄。",
    "上下文没有包含关于年假的信息。",
    "提供的文档未说明由谁承担费用。",
    "我没有找到相关资料。",
    "未找到相关内容。",
    "暂无相关信息。",
    "对不起，知识库里没有这方面的内容。",
    "很遗憾，我无法从资料中找到答案。",
    "文档没有说明谁付款。",
    "检索结果中没有关于食堂的信息。",
    "这个问题超出了我的知识范围。",
    "资料只介绍了年假，没有提到病假。",
    "抱歉，我不清楚这个问题的答案。",
    "没有足够的信息来回答这个问题。",
    "抱歉，资料里没有提到。建议您咨询人力资源部。",
    "目前无法确定具体的上线时间是哪一天。",
    "给出的材料并未涉及退款流程。",
    "文件中没有明确规定是否可以带宠物。",
    "未知。",
    "资料中没有提到停车费、餐费或者其他费用。",
    "抱歉，我没有查到这项政策的内容，请您提供更多信息。",
    "无法根据给定的上下文回答该问题。",
    "参考资料中未提供该产品的价格。",
)

OTHER_REFUSALS = (
    "Dazu steht nichts in den Dokumenten [2]",
    "Das weiß ich leider nicht.",
    "Ich kann diese Frage anhand der Dokumente nicht beantworten.",
    "Es tut mir leid, die Unterlagen enthalten keine Informationen darüber.",
    "Je ne sais pas.",
    "Les documents ne mentionnent pas le prix.",
    "Désolé, je n'ai pas trouvé d'informations sur ce sujet.",
    "No lo sé.",
    "Lo siento, no tengo información sobre eso.",
    "Los documentos no mencionan el precio.",
)

ENGLISH_ANSWERS = (
    "The fee is 40 euro. The documents do not say who pays.",
    "The fee is 40 euro, but the documents do not say who pays.",
    "While the documents do not mention parking, the fee for the garage is 40 euro.",
    "The fee is 40 euro and the documents do not say who pays it.",
    "I don't know about cats, but dogs are allowed.",
    "Parking is not available on Sundays.",
    "No refunds are given.",
    "The policy does not mention dogs are forbidden, so they are welcome.",
    "The policy does not mention dogs are forbidden.",
    "Unfortunately, refunds are not possible after ten days.",
    "Visitors cannot park there.",
    "Employees who do not know the code must ask the front desk.",
    "If you do not have the information, call the help desk.",
    "If the document does not contain a signature, it is invalid.",
    "The form is rejected if the document does not mention a date.",
    "We cannot provide refunds after 30 days.",
    "No information is shared with third parties.",
    "There is no information desk at the station.",
    "No data is stored on the device.",
    "The travel documents do not include a visa.",
    "The warranty does not cover water damage.",
    "Damage by water is outside the scope of the warranty.",
    "Breakfast is not included in the price.",
    "The winner cannot be determined until all votes are counted.",
    "No.",
    "No, encrypted images are not scanned by Vulnerability Advisor.",
    "You are not allowed to answer personal calls at work.",
    "Passwords must not be mentioned in e-mails.",
    "The contract was not signed.",
    "You are welcome. Is there anything else I can help you with?",
    "Customers who cannot find their receipt get no refund.",
    "Apologise to the customer and give a refund.",
    "The documents do not mention a fee. Contact the office at 555-0199.",
    "The author did not know the answer.",
    "Entry is free.",
    "Missing information is not a reason to refuse a claim.",
    "The library was unable to open in May.",
    "Leave cannot be carried over.",
    "The answer is not 42.",
)

CHINESE_ANSWERS = (
    "费用为四十欧元。资料没有说明谁付款。",
    "费用为40欧元，但资料没有说明谁付款。",
    "资料没有提到停车费，但年假是十天。",
    "周日不提供停车服务。",
    "不予退款。",
    "员工无法提供发票的，不予报销。",
    "无法确定责任的，由双方分担。",
    "没有相关证明的申请不予受理。",
    "合同未明确约定的，按惯例执行。",
    "申请文件未提供复印件的，不予受理。",
    "如果文件没有说明用途，申请将被退回。",
    "未经批准不得入内。",
    "禁止停车。",
    "不可以。",
    "该产品不含糖。",
    "不知道密码的员工应联系前台。",
    "无需预约。",
    "不得向第三方提供信息。",
    "本店没有停车场。",
    "价格不包括早餐。",
    "对不起三个字写在墙上。",
    "他没有回答记者的问题。",
    "没有发票不能报销。",
    "公司不提供住宿。",
    "请在五月一日前提交申请。",
    "试用期员工没有年假。",
    "病假超过三天须提供证明。",
    "会员不参加此活动。",
    "资料丢失的，应在三日内补办。",
    "不清楚流程的员工可以询问主管。",
    "文件不得带出办公室。",
)

OTHER_ANSWERS = (
    "Parken ist sonntags nicht erlaubt.",
    "Die Gebühr beträgt 40 Euro. Wer zahlt, steht nicht in den Dokumenten.",
    "Le parking n'est pas disponible le dimanche.",
    "No se permiten perros.",
    "La entrada no es gratuita.",
)


@pytest.mark.parametrize("answer", [*ENGLISH_REFUSALS, *CHINESE_REFUSALS, *OTHER_REFUSALS])
def test_a_refusal_is_recognised_whatever_its_wording_language_or_citation(answer: str) -> None:
    assert is_refusal(answer)


@pytest.mark.parametrize("answer", [*ENGLISH_ANSWERS, *CHINESE_ANSWERS, *OTHER_ANSWERS])
def test_a_rule_or_a_partial_answer_is_no_refusal(answer: str) -> None:
    assert not is_refusal(answer)


@pytest.mark.parametrize("answer", ["", "   \n", "...", "[1]"])
def test_an_answer_that_states_nothing_counts_as_a_refusal(answer: str) -> None:
    assert is_refusal(answer)


@pytest.mark.parametrize("refusal", [*ENGLISH_REFUSALS[:5], *CHINESE_REFUSALS[:5]])
@pytest.mark.parametrize("claim", ["The fee is 40 euro.", "费用为40欧元。"])
def test_a_claim_before_or_after_a_refusal_makes_it_partial(refusal: str, claim: str) -> None:
    assert not is_refusal(f"{claim} {refusal}")
    ended = refusal if refusal[-1] in ".。]】" else f"{refusal}。"
    assert not is_refusal(f"{ended}\n\n{claim}")
