"""Generators: how an answer is written from a context. Each is one file with one class."""
