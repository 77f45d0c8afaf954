"""Horgan: over the hill."""
