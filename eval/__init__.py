"""The scale: records, text analysis, golden sets, measures, judges, statistics, gate and report.

Nothing in here knows the system that is measured, nor how runs are configured and tracked: `python -m eval`
works on files alone.
"""
