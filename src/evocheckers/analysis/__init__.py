"""What can be said about positions, games and runs."""
