"""Measurements and experiments on top of the games."""
