"""How people and models word a refusal, an apology, an offer of help: patterns by language.

All are meant for text after ``eval.text.analyzer.normalise`` (case folded, half-width punctuation), one clause at a
time. ``eval.refusals`` says what they are used for.
"""

import regex

_HAN = r"\p{Han}"
_EPITHET = (
    r"(?:provided|given|available|retrieved|supplied|above|indexed|relevant|source|reference|referenced|current|attached|"
    r"shared|uploaded|search|cited|following|existing|context|knowledge)"
)
_READER_NOUN = (
    r"(?:contexts?|passages?|excerpts?|snippets?|sources?|search results?|results|knowledge base|corpus|references?|"
    r"(?:provided|given|retrieved|supplied|indexed|uploaded)\s+\w+)"
)
_ANY_NOUN = (
    rf"(?:{_READER_NOUN}|documents?|documentation|texts?|articles?|materials?|information|content|data|pages?|files?)"
)
_THE = r"\b(?:the|this|that|these|those|your|my|our|any|all)\b"
_READER = rf"{_THE}(?:\s+of the)?(?:\s+{_EPITHET}){{0,3}}\s+{_READER_NOUN}"
_SOURCE = rf"{_THE}(?:\s+of the)?(?:\s+{_EPITHET}){{0,3}}\s+{_ANY_NOUN}"
_NOT = r"(?:(?:do|does|did|is|are|was|were)(?:n't|\s+not)|never|(?:can|could)(?:'t|not|n't| not))(?:\s+(?!n't)[\w']+){0,2}?"
_SAY = (
    r"(?:mention|sa(?:y|id)|state|specify|specified|discuss|address|indicate|explain|tell|answer|describe|reveal|clarify|"
    r"elaborate|talk about|refer to|touch on|speak)\w*"
)
_HOLD = r"(?:contain|include|provide|have|give|list|show|offer|cover|hold|supply|present)\w*"
_FINDING = (
    r"(?:information|info|answers?|details?|mention|data|anything|references?|specifics|explanations?|guidance|context|"
    r"knowledge|evidence|recommendations?|instructions?)"
)
_QUALITY = (
    r"(?:any|enough|an|a|the|sufficient|specific|further|relevant|additional|such|detailed|explicit|direct|exact|clear|"
    r"precise|that|this|more|adequate|necessary|about|of|on)"
)
_WH = r"(?:whether|who|whom|what|how|when|where|which|why|if)\b"
_ABOUT = (
    rf"{_SOURCE}(?: [\w']+){{0,3}}? (?:only |mainly |primarily |mostly |merely )?"
    r"(?:discuss(?:es)?|mentions?(?! that)|covers?|describes?|focus(?:es)? on|talks? about|deals? with|concerns?|"
    r"relates? to|(?:contains?|provides?|gives?|includes?) (?:general )?information (?:about|on)|(?:is|are) about)\b"
)

_ENGLISH = (
    # who answers does not know or find
    r"\b(?:i|we) (?:really |honestly )?(?:do not|don't|did not|didn't) (?:know|understand the question)\b",
    r"\bi(?:'m| am) not (?:sure|certain|aware)\b",
    r"\bi(?:'m| am| was) (?:unable|not able) to\b",
    r"\bi (?:can't|cannot|can not|could not|couldn't|won't be able to|am not able to) (?:\w+ly )?"
    r"(?:answer|find|provide|determine|say|tell|help|assist|confirm|locate|give|see|verify|respond|access|identify|comment)\b",
    rf"\b(?:i|we) (?:currently )?(?:do not|don't|did not|didn't) (?:currently )?(?:have|find|see)(?: access to)?"
    rf"(?: {_QUALITY}){{0,4}} {_FINDING}\b",
    rf"\b(?:i|we) (?:have|found|find|see|could find|can find) (?:no|nothing)(?: {_QUALITY}){{0,3}} ?(?:{_FINDING}\b|about|on|in)",
    # the sources do not say
    rf"{_SOURCE}(?:\s+(?!and\b|but\b)[\w']+){{0,4}}?\s+{_NOT}\s*{_SAY}",
    rf"{_READER}(?:\s+(?!and\b|but\b)[\w']+){{0,4}}?\s+{_NOT}\s*{_HOLD}",
    rf"{_SOURCE}(?:\s+(?!and\b|but\b)[\w']+){{0,4}}?\s+{_NOT}\s*{_HOLD}(?:\s+[\w']+){{0,3}}?\s+{_FINDING}\b",
    rf"{_THE}(?:\s+{_EPITHET}){{0,3}}\s+(?:documents?|documentation|materials?)\s+{_NOT}\s*cover\w*",
    rf"\b(?:it|they) (?:do|does|did)(?:n't| not) (?:\w+ly )?{_SAY}",
    rf"{_ABOUT}(?!.*\d)(?!.*\bthat\b).*?\bbut {_NOT}\s*(?:{_SAY}|{_HOLD})",
    rf"\b\w+ (?:do|does|did)(?:n't| not) (?:\w+ly )?(?:say|mention|specify|state|explain|tell|indicate) {_WH}",
    rf"{_SOURCE}(?:\s+[\w']+){{0,4}}?\s+(?:contains?|includes?|provides?|ha(?:s|ve)|gives?|makes?|offers?) no"
    rf"(?: {_QUALITY})* {_FINDING}\b",
    rf"{_SOURCE} (?:says? nothing|(?:is|are) silent|fails? to (?:{_SAY}|{_HOLD})|lacks?)",
    rf"\b(?:nothing|none|nowhere)(?:\s+[\w']+){{0,6}}?\s+(?:in|of) {_SOURCE}",
    rf"\b(?:not|n't|never|nowhere)(?:\s+[\w']+){{0,3}}? (?:mentioned|specified|stated|covered|provided|included|contained|"
    rf"addressed|discussed|found|given|described|listed|indicated|available|present|answered|determined|inferred|in)"
    rf"(?:\s+anywhere)? (?:in|by|from|within|with|using|based on|given) {_SOURCE}",
    r"\bcan(?:not|'t| not) be (?:\w+ly )?(?:answered|determined|inferred|derived)(?: \w+ly)?"
    rf" (?:from|based on|by|with|using|given|in|within) {_SOURCE}",
    rf"\b(?:outside|beyond|not within) (?:of )?(?:the )?scope of (?:{_SOURCE}|my\b)",
    # there is no such information
    rf"(?:^|\bthere (?:is|was|are|were)(?: currently)? |\bthere's )(?:no|insufficient|not enough|not any|not sufficient)"
    rf"(?: {_QUALITY})*(?: (?:information|info|details?|mention|answers?|data))"
    rf"(?: (?:is|was|are|were|could be|can be)(?: (?:available|found|provided|given|present))?)?"
    rf"(?=$|,| (?:available )?(?:about|on|regarding|concerning|as to|of|in (?:{_SOURCE})|to (?:answer|determine|say|tell))\b)",
    r"\b(?:the|this|that|your) question (?:can't|cannot|can not|could not|couldn't) be answered",
    r"^(?:this|that|it|(?:the|an|no) answer|the (?:requested )?information)(?: (?:is|was|are|could|can))?"
    r"(?:n't| not|not)(?: be)? (?:mentioned|specified|stated|covered|available|found|provided|known|given|answered)"
    r"(?: (?:here|there|anywhere))?$",
    r"^(?:unknown|unanswerable|not (?:mentioned|specified|stated|found|available|provided|answerable|known)|no answer"
    r"(?: (?:found|available))?|n/a|no idea|none found)$",
    rf"\bnot (?:covered|mentioned|addressed|discussed|specified) (?:in|by) {_SOURCE}",
)
_OBJECT = r"(?:信息|资料|内容|说明|记载|描述|答案|数据|记录|介绍|依据|规定|结果|线索|材料)"
_SUCH = r"(?:任何|足够|充足|充分|相关|具体|对应|更多|详细|明确|准确|确切|直接|其他|此类|这方面|该方面|有关|(?:有关|关于|针对|与)[^,]{0,24}?)的?"
_ZH_SOURCE = r"(?<!申请)(?:资料|文档|文件|材料|上下文|文本|内容|文章|文中|文内|原文|段落|片段|知识库|语料|检索结果|搜索结果|搜索|检索|信息|参考|来源|手册)"
_ZH_NOT = r"(?:没有|并没有|未|并未|均未|都没有|均没有|未曾|没|未能|没能|不|并不|无)"
_ZH_ASKED = r"(?:多少|什么|谁|是否|哪|何|如何|怎|几|多久|多长|多大|能否|可否|有没有|是不是|该问题|这个问题|您的问题|你的问题|答案)"
_CHINESE = (
    r"(?:^|我|我们|暂时|目前|,)(?:也|并|还|确实|暂时|目前)*(?:不知道|不清楚|不了解|不太清楚|不确定)(?!者|[^,]*的[^,]*(?:应|须|可|需|要|请))",
    rf"(?:我|我们|暂时|目前)(?:也|并|还|暂时|目前|都)*(?:无法|不能|没法|没有办法|难以)(?:{_HAN}{{0,6}})(?:回答|确定|提供|判断|得知|找到|给出|确认|解答|帮助)",
    r"^(?:因此|所以|故)?,?(?:无法|不能|没法|难以)(?:就此|对此|准确|直接)?(?:回答|解答|作答)(?!客户|旅客)",
    rf"(?:无法|不能|没法|难以)(?:确定|判断|得知|知道|回答|确认|推断|得出|获知|知晓|给出)[^,]*{_ZH_ASKED}",
    rf"(?:无法|不能|没法|难以)从?(?:{_HAN}{{0,8}}){_ZH_SOURCE}(?:{_HAN}{{0,6}})(?:确定|判断|得知|知道|回答|确认|推断|得出|获知|找到|获取)",
    rf"{_ZH_SOURCE}[^,]{{0,8}}(?:无法|不能|没法|难以)(?:{_HAN}{{0,4}})(?:确定|判断|得知|知道|回答|确认|推断|得出|获知|找到|解答)",
    rf"(?:无法|不能|没法)(?:为您|为你|向您|向你)?(?:提供|给出)(?:{_SUCH})*(?:信息|答案|回答|解答|建议|帮助)$",
    rf"{_ZH_SOURCE}(?:中|里|内|上|当中|之中|本身|库)?[^,;\d]{{0,12}}?{_ZH_NOT}(?:明确|具体|直接|有|曾|任何|详细|专门)*"
    rf"(?:提到|提及|说明|说|写|包含|包括|涉及|提供|给出|写明|指出|明确|显示|记载|介绍|讨论|描述|列出|找到|查到|回答|覆盖|载明|谈到|讲|有关|交代)",
    rf"{_ZH_SOURCE}(?:中|里|内|上|当中|之中)?[^,;\d]{{0,12}}?(?:没有|无|缺少|缺乏)(?:{_SUCH})*{_OBJECT}",
    rf"(?:^|中|里|内|我|暂|暂时|目前|,)(?:没有|没能|未能|未|无|没|暂无|并未|并没有)(?:提供|找到|查到|检索到|搜索到|查询到|发现|提及|提到|获取到)?"
    rf"(?:{_SUCH})+{_OBJECT}",
    r"(?:^|中|里|内|我|暂时|目前|,)(?:没有|没能|未能|未|没|并未|并没有)(?:找到|查到|检索到|搜索到|查询到)",
    rf"^(?:{_HAN}{{0,4}}中)?(?:未|没有|并未|并没有)(?:明确|具体)?(?:提及|提到)",
    rf"{_ZH_NOT}(?:明确|具体)?(?:说明|提到|提及|规定|写明|指出|注明)[^,]*(?:谁|是否|多少|什么|哪|如何|怎么|能否|何时|何地|几)",
    rf"超出(?:了)?(?:我的|(?:{_HAN}{{0,6}}){_ZH_SOURCE})(?:{_HAN}{{0,6}})范围",
    r"^(?:查无结果|无相关内容|未知|不详|无从得知|不得而知|无可用信息|没有答案|无答案)$|无从得知$",
)
_OTHERS = (
    # German
    r"\b(?:ich|wir) (?:weiß|weiss|wissen) (?:es |das |dazu |darüber |leider )*nicht|\bdas (?:weiß|weiss) ich (?:leider )?nicht",
    r"\b(?:dazu|darüber|hierzu|davon) (?:steht|findet sich|finde ich|gibt es|steht leider) (?:leider )?(?:nichts|keine)",
    r"\bkeine (?:\w+ )?(?:informationen?|angaben?|hinweise?|antwort)(?: \w+)* "
    r"(?:zu|über|darüber|dazu|gefunden|enthalten|vorhanden|verfügbar|in den|im)\b",
    r"\b(?:dokumente?n?|kontext|texte?n?|unterlagen|quellen?|material) (?:\w+ ){0,8}?(?:nicht|keine|nichts)\b",
    r"\b(?:frage|das|dies|dazu|darauf|ich) (?:\w+ ){0,6}?nicht (?:beantworten|beantwortet|sagen|entnehmen|finden)\b",
    r"\bnicht (?:in den|im|aus den|aus dem) (?:\w+ )?(?:dokumenten|kontext|text|unterlagen|quellen)",
    # French
    r"\bje ne (?:le )?sais pas|\bje n'ai (?:pas|aucune)(?: \w+){0,3}? ?(?:d'|d’)?(?:informations?|réponse)",
    r"\b(?:documents?|contexte|textes?|sources?|passages?) (?:\w+ ){0,3}?(?:ne |n')[\w']+ (?:pas|rien|aucune?)\b",
    r"\baucune (?:information|mention|réponse|donnée)\b(?=$| (?:sur|à|concernant|dans|n'est|disponible|n'a))",
    r"\bje ne (?:peux|trouve|suis) pas\b",
    # Spanish
    r"^(?:lo siento, )?(?:yo )?no (?:lo )?sé\b|\bno (?:tengo|hay|encuentro|encontré|se encontró|dispongo de|cuento con)"
    r"(?: \w+){0,2}? (?:información|respuesta|datos sobre)",
    r"\b(?:documentos?|contexto|textos?|fuentes?|pasajes?) (?:\w+ ){0,3}?no (?:\w+ )?"
    r"(?:menciona|contiene|incluye|proporciona|indica|dice|especifica|ofrece|habla)n?\b",
    r"\bno (?:puedo|es posible) (?:responder|contestar)",
)

_ENGLISH_COURTESY = (
    r"(?:(?:i(?:'m| am)|we(?:'re| are)) )?(?:very |so |really |truly )?sorry(?: (?:about|for|to)\b[^,]*)?",
    r"(?:i|we) apologi[sz]e\b[^,]*|(?:my |our )?(?:sincere )?apologies\b.*|unfortunately$|thanks?\b.*|thank you\b.*",
    r"you(?:'re| are) welcome$|(?:hello|hi|of course|sure|certainly)$|as an ai\b[^,]*$",
    r"please (?:let me know|provide|contact|consult|check|refer|reach out|visit|try|ask|feel free|rephrase|clarify|specify|share)\b.*",
    r"(?:feel free|let me know|don't hesitate|do not hesitate|is there anything|would you|could you|can you|do you (?:have|want|need))\b.*",
    r"if (?:you|there)\b.*\b(?:let me know|please|feel free|ask|contact|reach out|i (?:can|will|would|could|may|might)|i'(?:ll|d|m)|"
    r"happy|glad)\b.*",
    r"if you (?:have|need|want|would like|can|could|provide|share) [^,]*(?:information|details|context|questions?|help)$",
    r"you (?:may|might|can|could|should) (?:want to |wish to |also |try to |try |need to )?"
    r"(?:contact|consult|check|refer|ask|reach out|visit|look|search)(?:ing)?\b.*",
    r"i(?:'d| would)? (?:recommend|suggest|advise)\b.*",
    r"(?:how (?:can|may) i|i(?:'m| am) (?:here|happy|glad)|i(?:'d| would| will|'ll) be (?:happy|glad)|i hope|i can (?:help|assist))\b.*",
    r"for (?:more|further|additional|specific|accurate)\b[^,]*(?:,? (?:please|contact|visit|consult|see|check|refer)\b.*)?",
    r"es tut mir leid.*|entschuldigung.*|leider$|bitte (?:wenden|fragen|kontaktieren|geben)\b.*|"
    r"(?:je suis )?désolée?.*|malheureusement$|n'hésitez\b.*|veuillez\b.*|lo siento.*|lamentablemente$|por favor\b.*",
)
_CHINESE_COURTESY = (
    r"(?:非常|很|十分|真的?|实在|深感|我们?|对此|表示)*(?:抱歉|对不起|不好意思|遗憾|歉意)(?:了|地[告通].*|给您.*|让您.*)?",
    r"(?:谢谢|感谢|希望|欢迎|您好|你好|不客气|好的?)[^,]*",
    r"(?:请|敬请|烦请)(?:您|你)?(?:提供|联系|咨询|参考|查阅|查看|告诉|告知|补充|重新|换|尝试|核实|向|随时|直接|进一步|自行)[^,]*",
    r"(?:我们?)?建议(?:您|你|咨询|联系|查阅|参考|向|直接|进一步|查看|通过)[^,]*",
    r"如(?:果)?(?:您|你)?(?:还|仍|能|可以)*(?:有|需|想|提供|愿意|方便|补充|告诉)[^,]*",
    r"(?:您|你)(?:可以|可|不妨)(?:直接|尝试|再|进一步|向)*(?:联系|咨询|查阅|尝试|提供|查看|参考|询问|换)?[^,]*",
    r"我(?:可以|很乐意|会|将|非常乐意|乐意|再|很高兴|们可以)*(?:帮|为|继续|再)[^,]*",
    r"(?:还有什么|还有其他|是否需要|需要我|以便)[^,]*",
)
_ENGLISH_ABOUT = (
    rf"{_ABOUT}(?!.*\d)(?!.*\bthat\b).*",
    rf"(?:based on|according to|from|in|given) {_SOURCE}[^,]*|therefore|so",
)
_CHINESE_ABOUT = (
    rf"{_ZH_SOURCE}(?:中|里|内)?(?:只是|只|仅|主要|虽然|仅仅)*(?:提到|介绍|讨论|描述|涉及|说明|包含|提及|讲述)了?(?![^,]*[需应须可不\d])[^,]{{0,24}}",
    rf"(?:根据|基于|依据|按照|从|在|就)[^,]*(?:{_ZH_SOURCE}|来看|而言|问题|情况|中|看|知识|里)",
    r"(?:关于|对于|至于|针对|有关)[^,\d]{1,24}|因此|所以|目前|暂时|经(?:过)?(?:检索|查询|查找|搜索)[^,]*|虽然.*(?:资料|文档|文中).*",
)


def _any(*patterns: str, whole: bool = False) -> regex.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return regex.compile(f"(?:{joined})$" if whole else joined)


REFUSAL = _any(*_ENGLISH, *_CHINESE, *_OTHERS)
APOLOGY = _any(r"\b(?:sorry|apolog|désolé|leid\b|lo siento)", r"抱歉|对不起|不好意思")
COURTESY = _any(*_ENGLISH_COURTESY, *_CHINESE_COURTESY, whole=True)
ABOUT_SOURCES = _any(*_ENGLISH_ABOUT, *_CHINESE_ABOUT, whole=True)
