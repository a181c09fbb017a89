"""Data sets of others to a corpus and a golden set of ours; nothing is left out or changed without being told."""
