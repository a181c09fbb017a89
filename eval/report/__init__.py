"""The report of one run, for programs and for people."""
