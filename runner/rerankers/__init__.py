"""Ways to put the head of a ranking in a better order."""
