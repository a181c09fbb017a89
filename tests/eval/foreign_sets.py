"""Small test sets in the published structure of each format, written for these tests."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

LEAVE = "Annual leave is 25 days. Unused days lapse in March."
PARKING = "Parking costs five euro a day. The gate closes at ten."
CANTEEN = "Lunch is served from noon to two. Soup is free on Fridays."


def written(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return path


def lines(path: Path, rows: Sequence[Any]) -> Path:
    return written(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def corpus(folder: Path) -> Path:
    rows = [("leave", LEAVE), ("parking", PARKING), ("canteen", CANTEEN)]
    return lines(folder / "documents.jsonl", [{"_id": name, "text": text, "title": ""} for name, text in rows])


def beir(folder: Path) -> list[str]:
    corpus(folder).rename(folder / "corpus.jsonl")
    queries = [
        {"_id": "q1", "text": "How long is annual leave?", "metadata": {"type": "single", "answer": "25 days"}},
        {"_id": "q2", "text": "What do parking and lunch have in common?", "metadata": {"type": "multi"}},
        {"_id": "q3", "text": "Is parking free on annual leave?", "metadata": {"type": "none"}},
    ]
    lines(folder / "queries.jsonl", queries)
    judged = "query-id\tcorpus-id\tscore\nq1\tleave\t1\nq2\tparking\t1\nq2\tcanteen\t1\n"
    written(folder / "qrels" / "test.tsv", judged)
    return [str(folder)]


def squad_article(title: str, *paragraphs: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {"title": title, "paragraphs": [{"context": context, "qas": qas} for context, qas in paragraphs]}


def squad(folder: Path) -> list[str]:
    asked = {"id": "s1", "question": "How long is annual leave?", "is_impossible": False}
    asked["answers"] = [{"text": "25 days", "answer_start": 16}]
    plausible = [{"text": "25 days", "answer_start": 16}]
    impossible = {"id": "s2", "question": "How long is sick leave?", "is_impossible": True, "answers": []}
    impossible["plausible_answers"] = plausible
    data = [squad_article("Staff_Handbook", (LEAVE, [asked, impossible]), (PARKING, []))]
    written(folder / "dev.json", json.dumps({"version": "v2.0", "data": data}))
    return [str(folder / "dev.json")]


def hotpot_row(**changes: Any) -> dict[str, Any]:
    row = {
        "_id": "h1",
        "question": "Do lunch and parking cost the same?",
        "answer": "no",
        "supporting_facts": [["Parking", 0], ["Canteen", 1], ["Parking", 1]],
        "context": [
            ["Leave", ["Annual leave is 25 days.", " Unused days lapse in March."]],
            ["Parking", ["Parking costs five euro a day.", " The gate closes at ten."]],
            ["Canteen", ["Lunch is served from noon to two.", " Soup is free on Fridays."]],
        ],
        "type": "comparison",
        "level": "easy",
    }
    return row | changes


def hotpotqa(folder: Path) -> list[str]:
    written(folder / "dev.json", json.dumps([hotpot_row()]))
    return [str(folder / "dev.json")]


def article(name: str, body: str) -> dict[str, str]:
    head = {"title": name.title(), "author": "A", "source": "S", "published_at": "2023-10-01T00:00:00+00:00"}
    return head | {"category": "work", "url": f"https://news.example/{name}", "body": body}


def evidence(name: str, fact: str) -> dict[str, str]:
    return {key: value for key, value in article(name, "").items() if key != "body"} | {"fact": fact}


def multihop_rag(folder: Path) -> list[str]:
    asked = [
        {
            "query": "Do lunch and parking cost the same?",
            "answer": "No",
            "question_type": "comparison_query",
            "evidence_list": [evidence("parking", "five euro a day"), evidence("canteen", "Soup is free")],
        },
        {
            "query": "Is parking free on Fridays?",
            "answer": "Insufficient information.",
            "question_type": "null_query",
            "evidence_list": [],
        },
    ]
    written(folder / "MultiHopRAG.json", json.dumps(asked, indent=2))
    articles = [article("leave", LEAVE), article("parking", PARKING), article("canteen", CANTEEN)]
    written(folder / "corpus.json", json.dumps(articles, indent=2))
    return [str(folder)]


def ragas(folder: Path) -> list[str]:
    rows = [
        {
            "user_input": "How long is annual leave?",
            "reference_contexts": [LEAVE],
            "reference": "25 days.",
            "synthesizer_name": "single_hop_specifc_query_synthesizer",
        },
        {
            "user_input": "Do lunch and parking cost the same?",
            "reference_contexts": [f"<1-hop>\n\n{PARKING}", f"<2-hop>\n\n{CANTEEN}"],
            "reference": "No.",
            "synthesizer_name": "multi_hop_specific_query_synthesizer",
        },
    ]
    lines(folder / "testset.jsonl", rows)
    return [str(folder / "testset.jsonl")]


def autorag(folder: Path) -> list[str]:
    asked = [
        {"qid": "a1", "query": "How long is annual leave?", "retrieval_gt": [["leave"]], "generation_gt": ["25 days"]},
        {
            "qid": "a2",
            "query": "Do lunch and parking cost the same?",
            "retrieval_gt": [["parking"], ["canteen"]],
            "generation_gt": ["no", "they do not"],
        },
    ]
    parquet(folder / "qa.parquet", asked)
    texts = {"leave": LEAVE, "parking": PARKING, "canteen": CANTEEN}
    held = [{"doc_id": name, "contents": text, "metadata": {"prev_id": None}} for name, text in texts.items()]
    parquet(folder / "corpus.parquet", held)
    return [str(folder)]


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    import pyarrow as arrow
    import pyarrow.parquet as writer

    path.parent.mkdir(parents=True, exist_ok=True)
    writer.write_table(arrow.Table.from_pylist(rows), path)
    return path


PROMPTFOO = f"""\
description: Handbook
prompts: ['{{{{context}}}} {{{{question}}}}']
providers: [echo]
defaultTest:
  assert:
    - type: latency
      threshold: 2000
tests:
  - vars:
      question: How long is annual leave?
      context: {LEAVE}
    assert:
      - type: contains
        value: 25 days
  - vars:
      question: How long is sick leave?
      context: {PARKING}
    assert:
      - type: is-refusal
"""


def promptfoo(folder: Path) -> list[str]:
    return [str(written(folder / "promptfooconfig.yaml", PROMPTFOO))]


def csv(folder: Path) -> list[str]:
    table = (
        "\ufeffid,question,answer,docs,type\r\n"
        "c1,How long is annual leave?,25 days,leave,single\r\n"
        'c2,"Do lunch and parking cost\r\nthe same?",,parking; canteen,multi\r\n'
        "c3,Is parking free on Fridays?,,,none\r\n"
    )
    return [str(written(folder / "questions.csv", table)), "--corpus", str(corpus(folder))]


# Each writes its files into a folder and gives the arguments that name them.
FORMATS: dict[str, Callable[[Path], list[str]]] = {
    "beir": beir,
    "squad": squad,
    "hotpotqa": hotpotqa,
    "multihop-rag": multihop_rag,
    "ragas": ragas,
    "autorag": autorag,
    "promptfoo": promptfoo,
    "csv": csv,
}
