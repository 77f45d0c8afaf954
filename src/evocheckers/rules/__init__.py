"""The game itself: positions, legal moves, outcomes, and their notations. See ``bitboard`` for the rules."""
