"""From a ranking to a context that fits a token budget, and what other budgets would have held."""
