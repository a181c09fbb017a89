"""Datasets: a corpus and its golden set, from where a configuration says."""
