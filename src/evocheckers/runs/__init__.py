"""Recorded evolutions: the run file, the loop that records and resumes, and repair."""
