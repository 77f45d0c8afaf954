"""Where a batch of games runs. The same games in, the same records out."""
