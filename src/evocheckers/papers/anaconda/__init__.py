"""Chellapilla and Fogel: Anaconda."""
