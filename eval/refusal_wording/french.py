"""French wording of refusals and of courtesy around them."""

from eval.refusal_wording.patterns import one_of

_SOURCE = one_of(
    r"""documents? contexte textes? sources? passages? extraits? articles? documentation
    (?:informations?|éléments|données)\s(?:fournie?s?|disponibles|données)"""
)
_FINDING = one_of(
    "informations? réponses? mentions? données? indications? précisions? détails? renseignements? éléments? référence"
)
_NO = one_of("pas rien aucune? nulle_part jamais")
_SAYS = one_of(
    r"""mentionn\w+ indiqu\w+ précis\w+ dit disent parl\w+ abord\w+ trait\w+ évoqu\w+ spécifi\w+ expliqu\w+ répond\w*
    permet permettent"""
)
_HOLDS = one_of(r"contien\w+ fourni\w+ donn\w+ comport\w+ apport\w+ offr\w+ inclu\w+")
_SAID = one_of("mentionnée?s? précisée?s? indiquée?s? spécifiée?s? dit clair connue?s? répond\\w+ déterminer")
_IN = r"(?:dans|par) (?:les |le |ces |ce |cet |l')(?:\w+ )?"

CUE = r"\bne\b|\bn'|aucun|rien|imposs|inconnu|ignore|muet|\bnon\b"

REFUSALS = (
    r"\bje ne (?:le |la )?(?:sais|connais) pas|\bj'ignore\b",
    rf"\bje (?:ne |n')(?:\w+ )?(?:peux|pourrais|parviens|suis|trouve|dispose|ai|vois|possède) {_NO}\b",
    r"\bon ne (?:peut|sait) pas (?:déterminer|savoir|dire|répondre|établir)",
    r"\b(?:il m'est )?impossible (?:de|d') ?(?:répondre|déterminer|dire|savoir|trouver)",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?(?:ne |n')(?:(?:me|nous|le|la|les|en|y) |l')?{_SAYS} {_NO}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?(?:ne |n'){_HOLDS} {_NO}(?: (?:de |d'|la |cette |ces )?(?:\w+ )?){{0,3}}?{_FINDING}",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?(?:ne |n')(?:fait|font) {_NO} (?:mention|référence|état)|\b{_SOURCE} rest\w+ muets?",
    rf"\b(?:ne |n')(?:est|sont|figure|figurent|apparaît|apparaissent|se trouve(?:nt)?) {_NO}(?: \w+){{0,3}}?"
    rf" {_IN}{_SOURCE}",
    rf"\b(?:il|ce|cela) n'est pas (?:\w+ )?{_SAID}\b|\bn(?:e sont|'est) pas {_SAID}$",
    rf"\baucune? {_FINDING}(?=$| (?:trouvée?|sur|à|concernant|dans|n'est|disponible|n'a|relative))",
    rf"\brien {_IN}{_SOURCE}",
    r"\bil n'y a (?:pas|aucune?) (?:\w+ ){0,2}?(?:d'|de )?(?:informations?|réponse|mention)",
    r"^(?:information|réponse) (?:non |in)?(?:disponible|trouvée|connue)$|^inconnue?s?$",
)
COURTESIES = (
    r"(?:je suis |nous sommes )?(?:vraiment |sincèrement )?désolée?s?|malheureusement|n'hésitez\b.*|veuillez\b.*",
    r"je (?:vous prie|m'excuse)\b.*|(?:je regrette|hélas)|puis-je\b.*",
)
