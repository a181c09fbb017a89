"""English wording of refusals, of courtesy around them, and of what the sources are about."""

from eval.refusal_wording.patterns import one_of

_EPITHET = one_of(
    """provided given available retrieved supplied above indexed relevant source reference referenced current attached
    shared uploaded search cited following existing context knowledge"""
)
# Nouns that only the reader of a context uses; "document" and "page" are also things in the world.
_READER_NOUN = one_of(
    r"""contexts? passages? excerpts? snippets? sources? search_results? results knowledge_base corpus references?
    (?:provided|given|retrieved|supplied|indexed|uploaded)\s+\w+"""
)
_NOUN = one_of(
    rf"{_READER_NOUN} documents? documentation texts? articles? materials? information content data pages? files?"
)
_THE = rf"\b(?:the|this|that|these|those|your|my|our|any|all)\b(?:\s+of the)?(?:\s+{_EPITHET}){{0,3}}\s+"
_READER = rf"{_THE}{_READER_NOUN}"
SOURCE = rf"{_THE}{_NOUN}"
_WORDS = r"(?:\s+(?!and\b|but\b)[\w']+){0,4}?\s+"
_DO_NOT = r"(?:do|does|did)(?:n't| not)"
_BE_NOT = r"(?:is|are|was|were)(?:n't| not)|never|(?:can|could)(?:'t|not|n't| not)"
_NOT = rf"(?:{_DO_NOT}|{_BE_NOT})(?:\s+(?!n't)[\w']+){{0,2}}?"
_SAY = one_of(
    """mention say said state specify specified discuss address indicate explain tell answer describe reveal clarify
    elaborate talk_about refer_to touch_on speak"""
)
_SAY += r"\w*"
_HOLD = one_of("contain include provide have give list show offer cover hold supply present") + r"\w*"
_FINDING = one_of(
    """information info answers? details? mention data anything references? specifics explanations? guidance context
    knowledge evidence recommendations? instructions?"""
)
_QUALITY = one_of(
    """any enough an a the sufficient specific further relevant additional such detailed explicit direct exact clear
    precise that this more adequate necessary about of on"""
)
_WH = r"(?:whether|who|whom|what|how|when|where|which|why|if)\b"
_GIVEN = one_of(
    """mentioned specified stated covered provided included contained addressed discussed found given described listed
    indicated available present answered determined inferred in"""
)
_FOUND = one_of("mentioned specified stated covered available found provided known given answered")
_I_CAN_NOT = r"\bi (?:can't|cannot|can not|could not|couldn't|won't be able to|am not able to) (?:\w+ly )?"
_TELL = one_of(
    "answer find provide determine say tell help assist confirm locate give see verify respond access identify comment"
)
_ABOUT = (
    rf"{SOURCE}(?: [\w']+){{0,3}}? (?:only |mainly |primarily |mostly |merely )?"
    r"(?:discuss(?:es)?|mentions?(?! that)|covers?|describes?|focus(?:es)? on|talks? about|deals? with|concerns?|"
    r"relates? to|(?:contains?|provides?|gives?|includes?) (?:general )?information (?:about|on)|(?:is|are) about)\b"
    r"(?!.*\d)(?!.*\bthat\b).*"
)

REFUSALS = (
    # who answers does not know or find
    r"\b(?:i|we) (?:really |honestly )?(?:do not|don't|did not|didn't) (?:know|understand the question)\b",
    r"\bi(?:'m| am) not (?:sure|certain|aware)\b",
    r"\bi(?:'m| am| was) (?:unable|not able) to\b",
    rf"{_I_CAN_NOT}{_TELL}\b",
    rf"\b(?:i|we) (?:currently )?(?:do not|don't|did not|didn't) (?:currently )?(?:have|find|see)(?: access to)?"
    rf"(?: {_QUALITY}){{0,4}} {_FINDING}\b",
    rf"\b(?:i|we) (?:have|found|find|see|could find|can find) (?:no|nothing)(?: {_QUALITY}){{0,3}} ?"
    rf"(?:{_FINDING}\b|about|on|in)",
    # the sources do not say
    rf"{SOURCE}{_WORDS}{_NOT}\s*{_SAY}",
    rf"{_READER}{_WORDS}{_NOT}\s*{_HOLD}",
    rf"{SOURCE}{_WORDS}{_NOT}\s*{_HOLD}(?:\s+[\w']+){{0,3}}?\s+{_FINDING}\b",
    rf"{_THE}(?:documents?|documentation|materials?)\s+{_NOT}\s*cover\w*",
    rf"\b(?:it|they) {_DO_NOT} (?:\w+ly )?{_SAY}",
    rf"{_ABOUT}?\bbut {_NOT}\s*(?:{_SAY}|{_HOLD})",
    rf"\b\w+ {_DO_NOT} (?:\w+ly )?(?:say|mention|specify|state|explain|tell|indicate) {_WH}",
    rf"{SOURCE}(?:\s+[\w']+){{0,4}}?\s+(?:contains?|includes?|provides?|ha(?:s|ve)|gives?|makes?|offers?) no"
    rf"(?: {_QUALITY})* {_FINDING}\b",
    rf"{SOURCE} (?:says? nothing|(?:is|are) silent|fails? to (?:{_SAY}|{_HOLD})|lacks?)",
    rf"\b(?:nothing|none|nowhere)(?:\s+[\w']+){{0,6}}?\s+(?:in|of) {SOURCE}",
    rf"\b(?:not|n't|never|nowhere)(?:\s+[\w']+){{0,3}}? {_GIVEN}(?:\s+anywhere)?"
    rf" (?:in|by|from|within|with|using|based on|given) {SOURCE}",
    r"\bcan(?:not|'t| not) be (?:\w+ly )?(?:answered|determined|inferred|derived)(?: \w+ly)?"
    rf" (?:from|based on|by|with|using|given|in|within) {SOURCE}",
    rf"\b(?:outside|beyond|not within) (?:of )?(?:the )?scope of (?:{SOURCE}|my\b)",
    rf"\bnot (?:covered|mentioned|addressed|discussed|specified) (?:in|by) {SOURCE}",
    # there is no such information
    r"(?:^|\bthere (?:is|was|are|were)(?: currently)? |\bthere's )(?:no|insufficient|not enough|not any|not sufficient)"
    rf"(?: {_QUALITY})*(?: (?:information|info|details?|mention|answers?|data))"
    r"(?: (?:is|was|are|were|could be|can be)(?: (?:available|found|provided|given|present))?)?"
    rf"(?=$|,| (?:available )?(?:about|on|regarding|concerning|as to|of|in {SOURCE})\b"
    r"| to (?:answer|determine|say|tell)\b)",
    r"\b(?:the|this|that|your) question (?:can't|cannot|can not|could not|couldn't) be answered",
    r"^(?:this|that|it|(?:the|an|no) answer|the (?:requested )?information)(?: (?:is|was|are|could|can))?"
    rf"(?:n't| not|not)(?: be)? {_FOUND}(?: (?:here|there|anywhere))?$",
    r"^(?:unknown|unanswerable|not (?:mentioned|specified|stated|found|available|provided|answerable|known)|no answer"
    r"(?: (?:found|available))?|n/a|no idea|none found)$",
)
_ASK = one_of("contact consult check refer ask reach_out visit look search speak review")
_OFFER = one_of(
    "let_me_know please feel_free ask contact reach_out i_(?:can|will|would|could|may|might) i'(?:ll|d|m) glad"
)
COURTESIES = (
    r"(?:(?:i(?:'m| am)|we(?:'re| are)) )?(?:very |so |really |truly )?sorry(?: (?:about|for|to)\b[^,]*)?",
    r"(?:i|we) apologi[sz]e\b[^,]*|(?:my |our )?(?:sincere )?apologies\b.*|unfortunately",
    r"thanks?\b(?! to\b).*|thank you\b.*",
    r"you(?:'re| are) welcome|(?:hello|hi|of course|sure|certainly)|as an ai\b[^,]*",
    rf"please (?:let me know|provide|try|feel free|rephrase|clarify|specify|share|{_ASK})\b.*",
    r"(?:feel free|let me know|don't hesitate|do not hesitate|is there anything|would you|could you|can you)\b.*",
    r"do you (?:have|want|need)\b.*",
    rf"if (?:you|there)\b.*\b{_OFFER}\b.*",
    r"if you (?:have|need|want|like|can|could|provide|share) [^,]*(?:information|details|context|questions?|help)",
    rf"you (?:may|might|can|could|should) (?:want to |wish to |also |try to |try |need to )?{_ASK}(?:ing)?\b.*",
    rf"i(?:'d| would)? (?:recommend|suggest|advise) (?:that you |you )?(?:to )?{_ASK}(?:ing)?\b.*",
    r"(?:how (?:can|may) i|i(?:'m| am) (?:here|happy|glad)|i(?:'d| would| will|'ll) be (?:happy|glad)|i hope)\b.*",
    r"i can (?:help|assist)\b.*",
    rf"for (?:more|further|additional|specific|accurate)\b[^,]*(?:,? (?:please |see )?{_ASK}\b.*)?",
)
ABOUT_SOURCES = (
    _ABOUT,
    rf"(?:based on|according to|from|in|given) {SOURCE}[^,]*|therefore|so",
)
