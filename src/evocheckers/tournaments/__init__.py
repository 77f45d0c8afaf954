"""Matches, tournaments, ratings, and what may be concluded from them."""
