"""Fuzzing of every reader: briefly in the test suite, at length by hand."""
