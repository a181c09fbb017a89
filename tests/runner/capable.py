"""A model that does what the shipped prompts ask for, by the simplest means: the script of a chat server in tests."""

import json
import re

from tests.runner.chat_protocols import Asked

_COMMON = {"what", "does", "the", "a", "is", "who", "by", "of", "cost", "costs"}


def capable(asked: Asked) -> str:
    """Its reply to a request of the generator, of the judge, or of a comparison."""
    if asked.system.startswith("You answer a question"):
        return _answer(asked)
    return _judge(asked) if asked.system.startswith("You check one answer") else _prefer(asked)


def blocks(asked: Asked) -> dict[str, str]:
    """The data of a request by the names of its blocks."""
    (tag,) = re.findall(r"The tag of this message is ([0-9a-f]{12})\.", asked.user)
    found = re.findall(rf"<([a-z0-9-]+)-{tag}>\n(.*?)\n</\1-{tag}>", asked.user, re.DOTALL)
    return dict(found)


def _words(text: str) -> set[str]:
    chinese = re.findall(r"(?=([\u4e00-\u9fff]{2}))", text)
    return {word for word in re.findall(r"[a-z]+", text.lower()) if word not in _COMMON} | set(chinese)


def _answer(asked: Asked) -> str:
    """The sentence that shares most words with the question, with its citation; a refusal where none shares any."""
    data = blocks(asked)
    wanted = _words(data["question"])
    pieces = [
        (len(wanted & _words(sentence)), -int(name.split("-")[1]), sentence.strip())
        for name, text in data.items()
        if name.startswith("chunk-")
        for sentence in re.split(r"(?<=[.。])\s*|\n", text)
        if sentence.strip().endswith((".", "。"))
    ]
    shared, place, best = max(pieces, default=(0, 0, ""))
    if not shared:
        return re.findall(r"without a citation: (.*)", asked.system)[0]
    return f"{best[:-1]} [{-place}]{best[-1]}"


def _judge(asked: Asked) -> str:
    """Supported is what stands in the material word for word."""
    data = blocks(asked)
    verdicts, unsupported = [], []
    for name, text in data.items():
        if not name.startswith("statement-"):
            continue
        bare = re.sub(r"\s*\[\d+\]", "", text)
        known = bare in data["material"]
        verdict = {"verdict": "supported" if known else "unsupported", "quotation": bare if known else ""}
        verdicts.append({"number": int(name.split("-")[1]), "reason": "It is there." if known else "No.", **verdict})
        unsupported += [] if known else [text]
    return json.dumps({"statements": verdicts, "unsupported_sentences": unsupported, "relevancy": 0.6})


def _prefer(asked: Asked) -> str:
    """The longer answer is the better one."""
    data = blocks(asked)
    longer = len(data["first-answer"]) > len(data["second-answer"])
    return json.dumps({"reason": "It is longer.", "better": "first" if longer else "second"})
