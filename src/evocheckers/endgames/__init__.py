"""Endgame databases: the value of every position with few pieces, won, drawn or lost."""
