"""Whole games, and batches of them in one compiled call."""
