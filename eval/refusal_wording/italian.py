"""Italian wording of refusals and of courtesy around them."""

from eval.refusal_wording.patterns import one_of

_SOURCE = one_of(
    "document[oi] documentazione contesto test[oi] font[ei] passagg(?:io|i) bran[oi] material[ei] articol[oi]"
    " estratt[oi]"
)
_FINDING = one_of(
    "informazion[ei] dat[oi] rispost[ae] dettagli?o? menzion[ei] riferiment[oi] indicazion[ei] nulla niente"
)
_SAYS = one_of(
    r"menzion\w+ indica\w* specific\w+ dice dicono precis\w+ chiarisc\w+ spieg\w+ parla\w* tratta\w* rispond\w+"
    r" afferm\w+ riporta\w*"
)
_HOLDS = one_of(r"fornisc\w+ contien\w+ contengono offr\w+ includ\w+")
_SAID = r"(?:menzionat|specificat|indicat|precisat|riportat|descritt|chiar)[oaie]"
_ANSWER = one_of(r"rispondere trovare determinare aiutar\w+ dire stabilire confermare sapere")

CUE = r"\bnon\b|nessun|sconosciut"

REFUSALS = (
    r"^(?:io )?non (?:lo )?so\b",
    rf"\bnon (?:posso|riesco a|sono in grado di|è possibile|si può) (?:\w+ )?{_ANSWER}\b",
    r"\bnon (?:ho|abbiamo|trovo|dispongo|ci sono|c'è|esist\w+|possiedo|è stata trovata)"
    rf"(?: [\w']+){{0,3}}? {_FINDING}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?non (?:\w+ )?{_SAYS}",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?non (?:\w+ )?{_HOLDS} (?:\w+ ){{0,4}}?{_FINDING}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?non (?:fa|fanno) (?:\w+ )?(?:riferimento|menzione|cenno)|\bnon è dato sapere",
    rf"\bnon (?:viene|vengono|è|sono)(?: \w+)? {_SAID}\b",
    rf"\bnon (?:è|sono|si trova(?:no)?|compa\w+|figura\w*|risulta\w*)(?: \w+){{0,2}}? ne(?:i|l|lla|lle|gli|ll')"
    rf" ?(?:\w+ )?{_SOURCE}",
    rf"\bnessun[ao]? {_FINDING}(?= (?:su|riguard\w+|disponibil[ei]|trovat[ae]|in merito)|$)",
    r"^sconosciut[oa]$",
)
COURTESIES = (r"mi (?:di)?spiace|spiacente|purtroppo|scusa\w*.*|(?:la )?prego di\b.*|per favore\b.*",)
