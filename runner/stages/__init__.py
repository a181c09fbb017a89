"""The way of a question through a system: retrieval by our parts or by others, answer, judgement, record."""
