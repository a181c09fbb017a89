"""Judges: what an answer is worth, told from its context. Each is one file with one class."""
