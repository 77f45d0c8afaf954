"""What a position is worth: the papers' networks and piece differential, behind one compiled dispatch."""
