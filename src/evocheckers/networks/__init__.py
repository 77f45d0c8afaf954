"""Evaluating positions: the papers' networks and piece differential, behind one registry."""
