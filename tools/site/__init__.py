"""What the documentation site takes from the code."""
