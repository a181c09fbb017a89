"""The regression gate: is a run worse than the baseline, by a rule, with the evidence beside it?"""
