"""Text analysis, in one place: what counts as a word, a sentence, a language. The stored text is never changed."""
