"""A golden set from its file: a JSON list, or the same objects as JSON lines."""

from pathlib import Path

from eval.golden.entry import Entry, GoldenSet, read_entry
from eval.sources.finding import Finding, repeated
from eval.sources.json_array import read_array
from eval.sources.jsonl import read_rows


def read_golden(path: Path) -> GoldenSet:
    """The questions of a ``.json`` or ``.jsonl`` file; what is wrong in it is told in the set's findings.

    Raises:
        InputError: the file cannot be read or decoded.
    """
    read = read_rows(path) if path.suffix.lower() == ".jsonl" else read_array(path)
    entries: list[Entry] = []
    findings: list[Finding] = list(read.errors)
    for row in read.rows:
        entry, found = read_entry(row)
        findings.extend(found)
        if entry:
            entries.append(entry)
    findings.extend(repeated((entry.question.id, entry.where) for entry in entries))
    return GoldenSet(str(path), tuple(entries), tuple(findings))
