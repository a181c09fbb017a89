"""German wording of refusals and of courtesy around them."""

from eval.refusal_wording.patterns import one_of

_SOURCE = one_of(
    r"""dokument\w* kontext\w*
    texte?n?s? textstellen? unterlagen quellen? material\w* auszüge?n? passagen? abschnitte?n?
    artikeln? wissensbasis (?:vorliegenden|bereitgestellten|gegebenen)\s(?:informationen|angaben|daten)"""
)
_FINDING = one_of(
    "informationen? angaben? hinweise? antwort auskunft aufschluss daten erwähnung details? aussagen? rede näheres"
)
_NO = one_of("nicht keine?[nr]? nichts nirgends")
_SAID = one_of(
    r"""erwähnt genannt angegeben enthalten beschrieben erläutert behandelt hervor aufgeführt spezifiziert ersichtlich
    bekannt beantwort\w+ entnehmen bestimmen
    erkennen erkennbar ableiten schließen feststellen ermitteln thematisiert dokumentiert klar"""
)
_SAYS = one_of(r"nennt nennen erwähnt erwähnen sagt sagen behandeln behandelt beantworte[nt] thematisier\w+ erklär\w+")
_DO = one_of(
    "finden gefunden beantworten sagen helfen weiterhelfen entnehmen bestimmen feststellen beurteilen ermitteln"
)
_ASKED = one_of("wer was wie wann wo ob welche[rsnm]? warum wieso wohin wofür")
_I = r"\b(?:ich|wir|mir|uns)\b"
_WORDS = r" (?:\w+ ){0,8}?"

CUE = r"nicht|kein|nirgends|unklar|offen|unbekannt|fehlen|schweig|zu wenig"

REFUSALS = (
    r"\b(?:ich|wir) (?:weiß|weiss|wissen) (?:es |das |dazu |darüber |leider )*nicht",
    r"\bdas (?:weiß|weiss) ich (?:leider )?nicht",
    rf"{_I}{_WORDS}{_NO} (?:\w+ ){{0,4}}?{_DO}\b",
    rf"{_I}{_WORDS}(?:{_NO}|nicht genug|nicht genügend|zu wenige?) (?:\w+ ){{0,3}}?{_FINDING}\b",
    rf"\b(?:frage|das|dies|es|darauf|dazu|hierzu) (?:lässt|lassen|kann|geht|ist|wird|wurde){_WORDS}nicht (?:\w+"
    rf" )?{_SAID}",
    rf"\b(?:ist|wird|wurde|bleibt) (?:\w+ ){{0,2}}?(?:nicht {_SAID}|unklar|offen),? {_ASKED}\b",
    rf"\bes ist{_WORDS}nicht möglich, (?:\w+ ){{0,6}}?zu {_DO}",
    r"\b(?:dazu|darüber|hierzu|davon) (?:steht|findet sich|finde ich|gibt es) (?:leider )?(?:nichts|keine)",
    rf"\bkeine (?:\w+ )?{_FINDING}(?: \w+)* "
    r"(?:zu|über|darüber|dazu|hierzu|gefunden|enthalten|vorhanden|verfügbar|in den dokumenten|im text|im kontext)\b",
    rf"\b{_SOURCE}{_WORDS}{_NO} (?:\w+ ){{0,3}}?(?:{_SAID}|{_FINDING})\b",
    rf"\b{_SOURCE} (?:\w+ )?{_SAYS}{_WORDS}{_NO}\b",
    rf"\b(?:nicht|nichts) (?:\w+ )?(?:im|in den|in dem|in der|aus den|aus dem) (?:\w+ )?{_SOURCE}",
    rf"\b(?:{_SOURCE}|informationen|angaben) (?:\w+ ){{0,3}}?reich\w+ (?:\w+ ){{0,4}}?nicht\b",
    r"\b(?:wird|werden|ist|sind|wurden?) (?:\w+ ){0,3}?nicht (?:\w+ )?(?:erwähnt|genannt|angegeben|spezifiziert)$",
    rf"\b(?:informationen|angaben|hinweise) (?:\w+ ){{0,4}}?fehlen$|\bfehlen (?:\w+ ){{0,4}}?(?:informationen"
    rf"|angaben)|\b{_SOURCE} (?:\w+ )?schweig\w+",
    rf"^(?:keine {_FINDING}(?: (?:gefunden|verfügbar|vorhanden|möglich))?|unbekannt)$",
)
COURTESIES = (
    r"(?:es )?tut mir leid|entschuldigung.*|leider|bedauere?|bitte (?:wenden|fragen|kontaktieren|geben)\b.*",
    r"(?:kann|darf) ich (?:ihnen|dir) (?:sonst|noch|anderweitig).*|wenden sie sich\b.*",
)
