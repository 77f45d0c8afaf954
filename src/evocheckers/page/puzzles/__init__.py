"""The package's own puzzles."""
