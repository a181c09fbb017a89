"""English wording of refusals, of courtesy around them, and of what the sources are about."""

from eval.refusal_wording.patterns import one_of

_EPITHET = one_of(
    """provided given available retrieved supplied above indexed relevant source reference referenced current attached
    shared uploaded search cited following existing context knowledge"""
)
# Nouns that only the reader of a context uses; "document" and "page" are also things in the world.
_READER_NOUN = one_of(
    r"""contexts? passages excerpts? snippets? sources search_results? results knowledge_base corpus references
    (?:provided|given|retrieved|supplied|indexed|uploaded)\s+\w+"""
)
_NOUN = one_of(
    rf"""{_READER_NOUN} passage source reference documents? documentation texts? articles? materials? information
    content data pages? files?"""
)
_THE = rf"\b(?:the|this|that|these|those|your|my|our|any|all)\b(?:\s+of the)?(?:\s+{_EPITHET}){{0,3}}\s+"
# Texts that inform their readers; a policy or a contract, which rules, is left out.
_GUIDE = rf"{_THE}(?:\w+ )?(?:handbooks?|manuals?|guides?|guidebook|brochure|leaflet|faqs?|data sheets?|wiki)"
_READER = rf"{_THE}{_READER_NOUN}"
_SHARED = (
    r"\bwhat (?:(?:i|we) (?:was|were|have been|am)|you|(?:is|was)) (?:\w+ )?(?:given|provided|shown|shared"
    r"|gave|available)"
)
SOURCE = rf"(?:{_THE}{_NOUN}(?: you (?:have )?(?:provided|shared|gave|uploaded|sent)(?: me)?)?|{_SHARED})"
# Not right behind the source: a noun that makes it another thing, as in the information desk, the context menu.
_WORDS = (
    r"(?:\s+(?:about|on|for|in|of|from|to|with|by|above|below|here|itself|themselves|also|only|just|alone|that|which"
    r"|you|i|we|\w+ed|\w+ly|given|shown|at|regarding|concerning|still|does|do|may|might)"
    r"(?:\s+(?!and\b|but\b)[\w']+){0,3}?)?\s+"
)
_DO_NOT = r"(?:do|does|did)(?:n't| not)"
_BE_NOT = r"(?:(?:is|are|was|were)(?:n't| not)|never|(?:can|could)(?:'t|not|n't| not))"
_NOT = rf"(?:{_DO_NOT}|{_BE_NOT})(?:\s+(?!n't)[\w']+){{0,2}}?"
_SAY = one_of(
    """mention say said state specify specified discuss address indicate explain tell answer describe reveal clarify
    elaborate talk_about refer_to touch_on speak disclose document list outline define"""
)
_SAY += r"\w*"
_HOLD = one_of("contain include provide have give list show offer cover hold supply present") + r"\w*"
_FINDING = one_of(
    """information info answers? details? mention data anything references? specifics explanations? guidance context
    knowledge evidence recommendations? instructions? indications? clues? hints? passages?"""
)
# Behind it may not stand a noun that it belongs to: an information desk, a data field.
_FINDING += (
    r"\b(?=$|\W*$|,| (?:about|on|regarding|concerning|as|to|of|in|from|for|that|which|with|by|available|relat\w+"
    r"|relevant|pertaining|needed|necessary|here|there|at|specific|provided|given|whether|how|why|when|who|what|where"
    r"|because|so|and|or|nor|beyond|directly|anywhere|is|are|was|were|could|can)\b)"
)
_OWN = one_of("personal sensitive confidential private identifying contact customer")  # information that a file holds
_QUALITY = one_of(
    """any enough an a the sufficient specific further relevant additional such detailed explicit direct exact clear
    precise that this more adequate necessary about of on"""
)
_WH = r"\b(?:whether|who|whom|what|how|when|where|which|why|if)\b"
_GIVEN = one_of(
    """mentioned specified stated covered provided included contained addressed discussed found given described listed
    indicated available present answered determined inferred in"""
)
# Behind these a rule says why or when a text is silent on purpose.
_REASONED = r".*\b(?:because|on purpose|deliberately|intentionally|unless|when|until|since)\b"
_LIMITED = r"(?!.*\b(?:until|unless|before|without|while|after)\b)"
_INFORMING = rf"{_THE}(?:documents?|documentation|texts?|articles?|materials?|sources?|passages?)"
_UNSAID = one_of("stated specified mentioned documented disclosed indicated explained clear addressed")
_FOUND = one_of("mentioned specified stated covered available found provided known given answered")
_LEARNT = one_of(
    "answered determined inferred derived established verified confirmed found concluded deduced identified said told"
)
_LEARN = one_of("answer determine say tell establish infer verify confirm conclude know identify deduce find_out give")
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

CUE = (
    r"\bno|neither|n't|cannot|\bun|insuff|inadeq|imposs|irrelev|silent|fail|lack|missing|absent|need|declin"
    r"|idk|n/a|outside|beyond|\bleft|\bleaves?\b|\bgoes"
)

REFUSALS = (
    # who answers does not know or find
    r"\b(?:i|we) (?:really |honestly )?(?:do not|don't|did not|didn't) (?:know|understand the question)\b"
    r"(?! (?:is|was|means|counts)\b)",
    r"\bi(?:'m| am) not (?:sure|certain|aware)\b",
    r"\bi(?:'m| am| was) (?:unable|not able) to\b",
    rf"{_I_CAN_NOT}{_TELL}\b",
    rf"\b(?:i|we) (?:currently )?(?:do not|don't|did not|didn't) (?:currently )?(?:have|find|see)(?: access to)?"
    rf"(?: {_QUALITY}){{0,4}} {_FINDING}",
    rf"\b(?:i|we) (?:have|found|find|see|could find|can find) (?:no|nothing)(?: {_QUALITY}){{0,3}} ?"
    rf"(?:{_FINDING}|(?:about|on|in)\b)",
    rf"\bwe (?:could|can)(?:n't|not| not|'t) find(?: {_QUALITY}){{1,3}} {_FINDING}",
    rf"^(?:i )?found (?:no|nothing)(?: {_QUALITY}){{0,3}} ?(?:{_FINDING}|(?:about|on|in)\b)",
    rf"\bi (?:do not|don't) (?:think|believe|see) (?:that )?{SOURCE} (?:{_SAY}|{_HOLD})",
    # the sources do not say
    rf"{SOURCE}{_WORDS}{_NOT}\s*{_SAY}",
    rf"{_READER} \w+ no\b",
    rf"{_READER}{_WORDS}{_NOT}\s*{_HOLD}",
    rf"{SOURCE}{_WORDS}{_NOT}\s*{_HOLD}(?:\s+(?!{_OWN}\b)[\w']+){{0,3}}?\s+{_FINDING}",
    rf"(?:{SOURCE}|{_GUIDE}) (?:gives?|states?|names?|lists?|mentions?|specif(?:y|ies)|quotes?|indicates?) no\b",
    rf"{_GUIDE} (?:also )?{_NOT}\s*{_SAY}(?!{_REASONED})|{_GUIDE} {_NOT}\s*{_HOLD}(?: {_QUALITY})* {_FINDING}",
    rf"{_INFORMING} {_DO_NOT} give (?:a|an|any|the|its|their)\b(?!{_REASONED})",
    rf"(?:{SOURCE}|{_GUIDE}) (?:says? nothing|(?:is|are|remains?) silent|leaves? (?:this|that|it|the question) open)",
    rf"\b(?:beyond|outside) what {SOURCE} (?:{_SAY}|{_HOLD})",
    rf"{_THE}(?:documents?|documentation|materials?)\s+{_NOT}\s*cover\w*",
    rf"\b(?:it|they) {_DO_NOT} (?:\w+ly )?(?:{_SAY}|cover\b)",
    rf"{_ABOUT}?\bbut {_NOT}\s*(?:{_SAY}|{_HOLD})|{_ABOUT}\band {_NOT}\s*(?:{_SAY}|{_HOLD})",
    rf"\b\w+ (?:{_DO_NOT}|never) (?:\w+ly )?(?:say|mention|specify|state|explain|tell|indicate)s? {_WH}",
    rf"{_THE}(?:documents?|texts?|articles?|pages?|files?) you \w+(?: me)? {_NOT}\s*(?:{_SAY}|{_HOLD})",
    rf"{SOURCE}(?:\s+[\w']+){{0,4}}?\s+(?:contains?|includes?|provides?|ha(?:s|ve)|gives?|makes?|offers?) no"
    rf"(?: {_QUALITY})* {_FINDING}",
    rf"{SOURCE} (?:fails? to (?:{_SAY}|{_HOLD})|lacks?)",
    rf"\b(?:nothing|none|nowhere)(?:\s+[\w']+){{0,6}}?\s+(?:in|of) {SOURCE}",
    rf"\b(?:not|n't|never|nowhere)(?:\s+[\w']+){{0,3}}? {_GIVEN}(?:\s+anywhere)?"
    rf" (?:in|by|from|within|with|using|based on|given) {SOURCE}",
    rf"\bcan(?:not|'t| not) be (?:\w+ly )?{_LEARNT}(?: \w+ly)?"
    rf" (?:from|based on|by|with|using|given|in|within) {SOURCE}",
    # nobody is named who can't tell: asked is for a who or what, or the sources stand beside
    rf"\bit can(?:not|'t| not) be (?:\w+ly )?{_LEARNT}{_LIMITED}(?=,? {_WH}|$)",
    rf"^(?:(?:this|that|it|(?:the|this|your|that) question) )?can(?:not|'t| not) be {_LEARNT}$",
    rf"\bit(?: is|'s| was|) ?(?:not|isn't|wasn't|n't) possible to (?:\w+ly )?{_LEARN}\b{_LIMITED}"
    rf"(?=$|,|.*{SOURCE}|(?: from [^,]{{1,30}})? {_WH}| (?:this|that|your|the) question)",
    rf"^(?:based on|according to|given|from|in|using) {SOURCE}[^,]*, ?(?:it(?: is|'s) ?(?:not|n't) possible to {_LEARN}"
    rf"|[^,]* can(?:not|'t| not) be {_LEARNT})\b{_LIMITED}",
    rf"\b(?:outside|beyond|not within) (?:of )?(?:the )?scope of (?:{SOURCE}|my\b)",
    rf"\bnot (?:covered|mentioned|addressed|discussed|specified) (?:in|by) {SOURCE}",
    rf"\b(?:answers?|information|details?|that|this|it) {_BE_NOT} (?:\w+ )?(?:in|part of|among|within|from) {SOURCE}",
    rf"(?:\b(?:is|are)(?:n't| not)|'s not) (?:something|anything|a topic|a question) (?:that |which"
    rf" )?(?:{SOURCE}|the \w+|i can)",
    rf"\b(?:it|this|that) {_BE_NOT} (?:\w+ly )?{_UNSAID}(?: (?:from|in|by) {SOURCE})?,? {_WH}",
    rf"\bit (?:is|remains|was) (?:unclear|unknown)(?: (?:from|in|by) {SOURCE})?,? {_WH}|\bunclear from {SOURCE}",
    rf"\b(?:is|are|was|were)(?:n't| not) (?:\w+ly )?{_UNSAID}$",
    r"\b(?:your|this|the|that) question (?:\w+ )?(?:is|falls|lies|goes) (?:outside|beyond|not (?:covered"
    r"|answered|addressed))",
    rf"{SOURCE} (?:ha(?:s|ve) no bearing on|(?:is|are) (?:not relevant|irrelevant|unrelated|not related) to)"
    r" (?:your|the|this) (?:question|query)",
    rf"^(?:the )?(?:requested |relevant |necessary |specific |needed )?(?:information|answers?|details?)(?:"
    rf" [\w']+){{0,6}}?"
    rf" {_BE_NOT} (?:be )?(?:\w+ly )?(?:there|present|{_FOUND})\b"
    rf"(?! (?:in|to|on|at|before|after) (?!{SOURCE}|me\b|my\b))",
    r"^(?:no )?(?:(?:relevant|further|such|specific) )?(?:information|details?|data|answers?) (?:is |are )?(?:not )?"
    r"(?:available|found|provided|given|specified|stated|known)(?<=^no .*|not \w+)$",
    rf"\b(?:absent|missing) from {SOURCE}|{_DO_NOT} appear(?: \w+)? in {SOURCE}",
    r"\bi (?:have not|haven't|was not|wasn't) (?:been )?(?:given|provided|shown|able)\b|\bi lack\b|\bi must decline\b",
    r"^(?:this|that|the|your) (?:topic|subject|question|point|detail|aspect) (?:is|was)(?:n't| not) "
    rf"(?:{_FOUND}|addressed|discussed)",
    rf"\bimpossible to (?:say|tell|determine|know|answer)\b(?=$|,|.* {SOURCE}| {_WH})",
    rf"\b(?:neither|none|no|not one|not a single one)(?: of)?(?: {SOURCE}| (?:{_EPITHET} )?{_NOUN})(?: {_EPITHET})?"
    rf" (?:{_SAY}|{_HOLD})",
    r"\bnothing (?:is|was) (?:said|mentioned|stated|written) |\b(?:goes|left) (?:unmentioned|unstated|open)$",
    r"^(?:can(?:not|'t| not)|unable to) (?:answer|determine|say|help|tell)\b.{0,40}$",
    rf"{SOURCE} (?:[\w']+ ){{0,4}}?ha(?:s|ve) nothing to do with\b",
    rf"\bno way (?:to tell|of telling|to know|to determine|to say)(?:$| from {SOURCE}| {_WH})",
    # there is no such information
    rf"\bthere (?:is|are|was|were)(?:n't| not) any {_FINDING}",
    r"\bthere(?: is|'s| was) nothing (?:\w+ ){0,4}?(?:about|on|regarding|concerning)\b",
    r"\b(?:i|we)(?:'d| would)? need (?:more|further|additional) (?:information|context|details)",
    r"\b(?:i|we) (?:do not|don't|can't|cannot) have access to\b",
    r"\b(?:insufficient|not (?:sufficient|enough)|inadequate)(?: (?:information|context|details?|data|evidence))?"
    r" to (?:fully |properly )?(?:answer|determine|say|tell|respond|conclude|decide|judge)\b",
    r"^(?:insufficient|not enough|no|no relevant|no matching|no suitable|no sufficient)"
    r" (?:context|results?|passages?|documents?|evidence|answers?)"
    r"(?: (?:(?:was|were|is|are|could be|can be) )?(?:found|available|provided|retrieved)(?: in .*| for .*)?)?$",
    r"(?:^(?!.* (?:may|must|can|will|shall|is|are) (?!.*(?:available|found|provided|given|present)))|\bthere"
    r" (?:is|was|are|were)(?: currently)? |\bthere's )(?:no|insufficient|not enough|not any|not sufficient)"
    rf"(?: {_QUALITY})*(?: (?:information|info|details?|mention|answers?|data|reference))"
    r"(?: (?:is|was|are|were|could be|can be)(?: (?:available|found|provided|given|present))?)?"
    rf"(?=$|,|(?<=reference) to\b| (?:available )?(?:about|on|regarding|concerning|as to|of|in {SOURCE})\b"
    r"| to (?:answer|determine|say|tell)\b)",
    r"\b(?:the|this|that|your) question (?:can't|cannot|can not|could not|couldn't) be answered",
    r"^(?:this|that|it|(?:the|an|no) answer|the (?:requested )?information)(?: (?:is|was|are|could|can))?"
    rf"(?:n't| not|not)(?: be)? {_FOUND}(?: (?:here|there|anywhere))?$",
    r"^(?:unknown|unanswerable|not (?:mentioned|specified|stated|found|available|provided|answerable|known)|no answer"
    r"(?: (?:found|available))?|n/a|no idea|none found|no[_ ]?answer|not[_ ]?found|insufficient[_ ](?:context"
    r"|information|data|evidence)|i_?don't_?know|idk)$",
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
    r"i can (?:help|assist)\b.*|i can only (?:answer|help|respond)\b.*",
    rf"for (?:more|further|additional|specific|accurate)\b[^,]*(?:,? (?:please |see )?{_ASK}\b.*)?",
)
ABOUT_SOURCES = (
    _ABOUT,
    r"(?:information|details) (?:about|on|regarding|concerning) [^,\d]*",
    rf"(?:based on|according to|from|in|given) {SOURCE}[^,]*|therefore|so",
    rf"(?:i|we)(?:'ve| have)? (?:looked|searched|checked|went|read|reviewed|gone) (?:\w+ ){{0,2}}{SOURCE}",
)
SOURCES_NAMED = (rf"(?:based on|according to|given|from|in|using) {SOURCE}[^,\n]{{0,40}}\n.",)
