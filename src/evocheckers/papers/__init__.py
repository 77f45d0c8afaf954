"""Every table, figure and match of the papers by name, questions that they leave open, and two of our own."""
