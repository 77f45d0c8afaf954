"""Learning from the results of games: positions, gradients and Adam, bit-identical everywhere."""
