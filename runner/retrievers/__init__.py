"""Ways to rank chunks for a question."""
