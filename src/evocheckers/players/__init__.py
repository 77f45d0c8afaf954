"""Players: searched evaluators, random moves, other programs; how they are written, and made from their text."""
