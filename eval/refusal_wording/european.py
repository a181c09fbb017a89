"""The common German, French and Spanish wordings of a refusal, and the courtesy around them."""

REFUSALS = (
    # German
    r"\b(?:ich|wir) (?:weiß|weiss|wissen) (?:es |das |dazu |darüber |leider )*nicht",
    r"\bdas (?:weiß|weiss) ich (?:leider )?nicht",
    r"\b(?:dazu|darüber|hierzu|davon) (?:steht|findet sich|finde ich|gibt es) (?:leider )?(?:nichts|keine)",
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
COURTESIES = (
    r"es tut mir leid|entschuldigung.*|leider|bitte (?:wenden|fragen|kontaktieren|geben)\b.*",
    r"(?:je suis )?désolée?|malheureusement|n'hésitez\b.*|veuillez\b.*",
    r"lo siento|lamentablemente|por favor\b.*",
)
