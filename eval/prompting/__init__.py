"""Prompts from files, and texts framed in them so that they stay data."""
