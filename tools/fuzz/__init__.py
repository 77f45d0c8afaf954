"""Fuzzing of every reader: bounded in the suite, at length by hand."""
