"""Ways to say what is searched for in a question's place."""
