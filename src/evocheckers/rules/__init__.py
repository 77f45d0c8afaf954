"""The game itself: positions, legal moves, outcomes and notation. See ``bitboard`` for the rules."""
