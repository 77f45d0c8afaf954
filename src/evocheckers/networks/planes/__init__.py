"""Our own network: separate inputs for men and kings on the whole board."""
