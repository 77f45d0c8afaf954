"""Games against an opponent: routes, models and logic."""
