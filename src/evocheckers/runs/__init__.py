"""Recorded runs: the run file and its schema, the loop that records and resumes, repair, and export."""
