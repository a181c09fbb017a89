"""Chunkers: documents cut into slices that fit a number of tokens."""
