"""Asking people for labels: where the file lies, which run is meant, and the loop on the terminal."""
