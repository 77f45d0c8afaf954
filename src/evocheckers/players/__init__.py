"""Players: searched evaluators, random moves, other programs."""
