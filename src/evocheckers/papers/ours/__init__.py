"""Questions that the papers leave open, and our own."""
