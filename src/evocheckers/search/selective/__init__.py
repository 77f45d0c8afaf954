"""The selective search, for limits of time and nodes: it looks deeper at the moves that matter."""
