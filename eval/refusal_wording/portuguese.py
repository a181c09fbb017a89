"""Portuguese wording of refusals and of courtesy around them."""

from eval.refusal_wording.patterns import one_of

_SOURCE = one_of(
    "documentos? documentação contexto textos? fontes? trechos? passagem passagens material materiais artigos?"
)
_FINDING = one_of("informação informações dados? resposta detalhes? menção referências? nada")
_SAYS = one_of(
    r"mencion\w+ diz dizem indica\w* especific\w+ inform\w+ esclarec\w+ explic\w+ abord\w+ trata\w* fala\w*"
    r" cita\w* responde\w*"
)
_HOLDS = one_of(r"cont[eéê]m fornece\w* inclu\w+ apresenta\w* oferece\w* traz\w* dão dá")
_SAID = r"(?:mencionad|especificad|indicad|informad|descrit|esclarecid)\w+"
_ANSWER = one_of(r"responder encontrar determinar ajudar\w* dizer confirmar saber")

CUE = r"não|desconhe|\bsem\b|nenhum"

REFUSALS = (
    r"^(?:eu )?não (?:o )?sei\b|\bdesconheço\b",
    rf"\bnão (?:consigo|posso|pude|sou capaz de|é possível|dá para|se pode) (?:\w+ ){{0,2}}?{_ANSWER}\b",
    r"\bnão (?:tenho|temos|encontrei|há|existem?|disponho|possuo|achei|localizei|foi encontrad\w|foram encontrad\w+)"
    rf"(?: \w+){{0,3}}? {_FINDING}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?não (?:\w+ )?{_SAYS}",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?não (?:\w+ )?{_HOLDS} (?:\w+ ){{0,4}}?{_FINDING}\b",
    rf"\b{_SOURCE} (?:\w+ ){{0,3}}?não (?:faz|fazem) (?:\w+ )?(?:referência|menção|alusão)",
    rf"\bnão (?:é|são|foi|foram|está) {_SAID}",
    rf"\bnão (?:está|estão|constam?|aparecem?|se encontram?)(?: \w+){{0,2}}? n[oa]s? (?:\w+ )?{_SOURCE}",
    rf"^(?:sem|nenhuma) {_FINDING}(?: \w+)?$|^desconhecid[oa]$",
)
COURTESIES = (r"(?:me )?desculpe?\w*|lamento(?: muito)?|infelizmente|sinto muito|lamentavelmente|por favor\b.*",)
