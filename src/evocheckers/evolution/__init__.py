"""The papers' systems and our own: one scheme per file, state in, state out."""
