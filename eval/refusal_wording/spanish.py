"""Spanish wording of refusals and of courtesy around them."""

from eval.refusal_wording.patterns import one_of

_SOURCE = one_of(
    "documentos? documentación contexto textos? fuentes? pasajes? fragmentos? materiale?s? artículos? extractos?"
)
_FINDING = one_of(
    "información datos? respuesta detalles? mención referencias? indicios? contexto nada ninguna al_respecto"
)
_SAYS = one_of(
    r"mencion\w+ indica\w* dicen? especific\w+ precis\w+ habla\w* aclar\w+ explic\w+ detall\w+ trata\w* responde\w*"
)
_HOLDS = one_of(r"contien\w+ incluyen? proporcion\w+ ofrecen? aporta\w* dan? brinda\w*")
_SAID = one_of("mencionan? especifican? indican? dice precisan? detallan? aclara sabe")
_ANSWER = one_of(r"responder\w* contestar\w* ayudar\w* encontrar\w* determinar\w* decir\w* confirmar\w* saber\w*")

CUE = r"\bno\b|desconoz|desconoc|ignoro|carezco|\bsin\b|ningun"

REFUSALS = (
    r"^(?:yo )?no (?:lo )?sé\b|\b(?:desconozco|ignoro)\b",
    rf"\bno (?:puedo|podemos|logro|pude|he podido|es posible|se puede|soy capaz de) (?:\w+ )?{_ANSWER}\b",
    r"\bno (?:tengo|tenemos|encuentro|encontré|he encontrado|dispongo|hay|existen?|cuento|poseo|se encontr\w+|se ha\w*"
    rf" encontrado)(?: \w+){{0,3}}? {_FINDING}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?no (?:\w+ )?{_SAYS}",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?no (?:\w+ )?{_HOLDS} (?:\w+ ){{0,4}}?{_FINDING}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?no hacen? (?:\w+ )?(?:referencia|mención|alusión)|\bcarezco de\b|\bno consta",
    rf"\bno se {_SAID}\b",
    rf"\bno (?:está|están|aparecen?|figuran?|se encuentran?)(?: \w+){{0,2}}? en (?:el|los|las|la|estos) (?:\w+"
    rf" )?{_SOURCE}",
    r"\bno (?:está|es|son|están|fue) (?:mencionad|especificad|indicad|disponible)\w*",
    rf"^(?:sin|no hay|ninguna) {_FINDING}(?: disponible)?$|^desconocid[oa]$",
)
COURTESIES = (
    r"(?:lo )?(?:siento|lamento)(?: mucho)?|lamentablemente|desafortunadamente|disculpe?\w*.*|por favor\b.*",
    r"(?:puede|puedes|le recomiendo|te recomiendo) (?:consultar|contactar|preguntar)\b.*",
)
