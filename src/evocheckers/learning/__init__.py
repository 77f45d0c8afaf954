"""Positions and results out of games, gradients, Adam: a network learns from how its games ended, to the same bits."""
