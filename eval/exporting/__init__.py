"""Golden sets and runs of ours in the forms that other evaluators read."""
