"""Readers: files to documents and questions, with file and line for everything that is wrong."""
