"""The Hub protocol: other programs as players, and our players as an engine for them."""
