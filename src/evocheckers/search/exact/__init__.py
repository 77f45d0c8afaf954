"""The exact search of the papers: to a fixed depth, with exactly the values of minimax."""
