"""Attacks and accidents as programs: bounded in the test suite, long by hand (docs/robustness.md)."""
