"""Systems of others: recorded outputs and Python callables, and which documents their passages are from."""
