"""The spatial network of Chellapilla and Fogel: 5046 numbers."""
