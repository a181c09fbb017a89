"""Golden sets: questions with the documents that answer them, read and checked against a corpus."""
