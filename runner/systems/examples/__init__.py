"""Worked examples of ``system=callable``: retrievers of other frameworks over a folder of text files."""
