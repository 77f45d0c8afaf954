"""What applies to every request: hosts and origins, limits, headers."""
