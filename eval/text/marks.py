"""What surrounds the words of a sentence and says nothing itself: citations, bullets, emphasis, openers."""

import regex

_CITATION = regex.compile(
    r"\^?\[\^?\d+(?:\s*[,;–-]\s*\d+)*\]"  # [2], [1, 3], [^2], ^[2]
    r"|(?<![\w\]])\[(?=[^\]]{0,60}\d)[\w./-]{1,60}[-.#:_][\w.#:/-]{0,60}\](?!\()"  # [doc-001#c3]
    r"|(?<=[^\s(]\s)\(\d{1,2}\)(?=\s*[.。!?！？]?\s*(?:\n|$))"  # (1) that ends a sentence
    r"|(?<=\p{L}{4}|[.!?。)\]”\"])[¹²³⁴-⁹⁰]{1,2}(?![\w⁻])"  # ¹ behind a word, not m²
    r"|[(（](?:sources?|see|cf\.|quellen?|siehe|vgl\.|来源|出处|资料来源|参见)\s*[:：]\s*[^()（）\n]{1,80}[)）]"
    r"|[(（](?:see|cf\.|siehe|vgl\.|参见|见)\s*(?:\[\d+\][,;\s]*)+[)）]"  # (see [2])
    r"|【(?:\d+[^】\n\p{Han}]{0,30}|(?:来源|出处|参考|资料|文档)[^】\n]{0,30})】"  # 【1】, 【4†source】, 【来源：…】
    r"|［\d+］"
    r"|[(（](?:source|quelle|来源|资料)\s*[:：]?\s*\d+[)）]",  # (source 2)
    regex.IGNORECASE,
)
_BULLET = regex.compile(
    r"^\s*(?:[-*+•·▪●○–—]\s+|[-•·●](?=\p{Han})|\(?\d{1,2}[.)、]\s*(?!\d)(?=\s*\S)|（\d{1,2}）|#{1,6}\s+|>\s*)+"
)
_LIST_NUMBER = regex.compile(r"((?:^|\n)[^\S\n]*\d{1,2})\.(?=\s)")
_INLINE_NUMBER = regex.compile(r"(?<=\s)(\d{1,2})\.(?=\s)")
_EMPHASIS = regex.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")

_OPENER = regex.compile(
    r"^(?:(?:yes|no|so|also|however|additionally|therefore|thus|hence|moreover|furthermore|finally|overall|"
    r"in (?:addition|summary|short|conclusion|contrast)|for (?:example|instance)|on the other hand|as a result|lastly),"
    r"|(?:according to|based on|as (?:stated|mentioned|described) in) (?:the|this) (?:(?:provided|given|available) )?"
    r"(?:documents?|context|passages?|texts?|information|sources?)(?: provided)?,"
    r"|(?:是的|不是|不|因此|所以|此外|另外|然而|首先|其次|最后|总之|综上所述|同时|例如|比如)[，,]"
    r"|(?:根据|依据|按照)(?:提供的|所给的?|给定的?|上述)?(?:资料|文档|材料|上下文|文件|信息|内容)[，,])\s*",
    regex.IGNORECASE,
)


# What an answer calls itself or the next of its steps; alone in a line it is a heading.
_LABEL = regex.compile(
    r"^\s*(?:(?:(?:short|final|brief|direct|my|the|quick) )?(?:answer|response|reply|summary|conclusion|result|tl;dr)"
    r"|(?:kurze )?(?:antwort|kurzantwort|fazit|zusammenfassung)|r[ée]ponse|respuesta|resposta|risposta|antwoord"
    r"|(?:简短|最终|直接|我的)?(?:答案|答复|回答|回复|解答|结论|总结|小结|摘要)|答|結論|回覆|總結|回答)\s*(?:[:：]\s*|$)"
    r"|^\s*(?:step|schritt|étape|paso|passo) \d{1,2}\s*[:：.–-]\s*"
    r"|^\s*(?:第[一二三四五六七八九十\d]{1,2}步|步骤\s?[一二三四五六七八九十\d]{1,2})\s*[:：,，]\s*",
    regex.IGNORECASE,
)


def without_label(sentence: str) -> str:
    """``sentence`` (bare) without the label before it, "Answer:" or "Step 2:"; nothing where it is a label alone."""
    return _LABEL.sub("", sentence)


def without_citations(text: str) -> str:
    """``text`` with each citation turned into as many blanks, so that all places stay what they were."""
    return _CITATION.sub(lambda match: " " * len(match[0]), text)


def marked_for_splitting(text: str) -> str:
    """``text`` at its length, without what hides or fakes the end of a sentence: citations, and "1." before an item.

    Items that follow each other in one line (1. …  2. …) begin a line of their own.
    """
    readable = _LIST_NUMBER.sub(r"\1)", without_citations(text))
    for match in _counted_on(readable):
        readable = f"{readable[: match.start() - 1]}\n{match[1]}){readable[match.end() :]}"
    return readable


def _counted_on(text: str) -> list[regex.Match[str]]:
    """The numbers inside lines that count items: 1, 2 and so on, at least two of them."""
    runs: list[list[regex.Match[str]]] = [[]]
    for match in _INLINE_NUMBER.finditer(text):
        if int(match[1]) == 1:
            runs.append([match])
        elif int(match[1]) == len(runs[-1]) + 1:
            runs[-1].append(match)
    return [match for run in runs if len(run) > 1 for match in run]


def without_openers(sentence: str) -> str:
    """``sentence`` without its label and the words that only tie it to others: Answer: … / However, … / 根据资料，…"""
    while (rest := without_label(_OPENER.sub("", sentence))) != sentence:
        sentence = rest
    return sentence


def without_bullet(sentence: str) -> str:
    """``sentence`` without the bullet, number or quotation mark that opens it."""
    return _BULLET.sub("", sentence)


def bare(sentence: str) -> str:
    """One sentence without its bullet or number, citations and emphasis."""
    return _EMPHASIS.sub("", without_bullet(without_citations(sentence))).strip()
