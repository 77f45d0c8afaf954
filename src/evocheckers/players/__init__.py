"""Who can play: searched evaluators, random moves, other programs."""
