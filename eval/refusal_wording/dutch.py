"""Dutch wording of refusals and of courtesy around them."""

from eval.refusal_wording.patterns import one_of

_SOURCE = one_of(
    "documenten? document context tekst teksten bron bronnen materiaal passages? fragment fragmenten artikelen?"
)
_FINDING = one_of("informatie gegevens antwoord antwoorden vermelding details uitsluitsel aanwijzing aanwijzingen")
_NO = one_of("niet geen niets nergens")
_SAID = one_of(
    "vermeld genoemd beschreven aangegeven vinden opgenomen besproken behandeld duidelijk bekend gespecificeerd"
)
_SAYS = one_of(
    r"vermeldt vermelden noemt noemen zegt zeggen specifice\w+ bespreek\w* bespreken beantwoordt? beantwoorden"
)
_DO = one_of("vinden gevonden beantwoorden zeggen helpen bepalen vaststellen afleiden beoordelen")
_LITTLE = one_of("geen onvoldoende niet_genoeg te_weinig niet_voldoende")
_WORDS = r" (?:\w+ ){0,8}?"

CUE = r"niet|geen|nergens|onvold|te weinig|onbekend"

REFUSALS = (
    r"\b(?:ik|wij|we) (?:weet|weten) (?:het |dat |helaas |hier )*niet|\bdat weet ik (?:helaas )?niet",
    rf"\b(?:ik|wij|we){_WORDS}{_NO} (?:\w+ ){{0,5}}?{_DO}\b",
    rf"\b(?:ik|wij|we){_WORDS}{_LITTLE} (?:\w+ ){{0,3}}?{_FINDING}\b",
    rf"\b{_SOURCE}{_WORDS}{_NO} (?:\w+ ){{0,3}}?(?:{_SAID}|{_FINDING})\b",
    rf"\b{_SOURCE} (?:\w+ )?{_SAYS}{_WORDS}{_NO}\b",
    rf"\b(?:niet|niets|nergens) (?:\w+ ){{0,2}}?(?:in|uit|door) (?:de|het|deze|dit) (?:\w+ )?{_SOURCE}",
    rf"\b{_SOURCE} (?:gaat|gaan) (?:\w+ )?(?:niet|nergens) over\b",
    rf"\b{_LITTLE} (?:\w+ )?informatie (?:\w+ )?(?:om|over|beschikbaar|gevonden)\b",
    rf"\b(?:dat|het|de vraag|deze vraag) (?:is|wordt|kan) (?:\w+ ){{0,6}}?niet (?:\w+ )?(?:{_SAID}|beantwoord)",
    r"\b(?:wordt|worden|is|zijn) (?:\w+ ){0,3}?niet (?:\w+ )?(?:vermeld|genoemd|gespecificeerd|aangegeven)$",
    rf"^(?:geen {_FINDING}(?: \w+)?|onbekend)$",
)
COURTESIES = (r"helaas|sorry|het spijt me.*|excuses.*|neem (?:gerust )?contact\b.*|laat het (?:me|mij|ons) weten.*",)
