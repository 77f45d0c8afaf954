"""Recorded and growing evolutions."""
