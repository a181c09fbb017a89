"""Calibration: answers that people labelled, and how far a judge agrees with them."""
