"""Every table, figure and match of the papers by name, and two questions that they leave open."""
