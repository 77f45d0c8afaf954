"""The systems of the papers, and one of our own: one scheme per file, state in, state out."""
