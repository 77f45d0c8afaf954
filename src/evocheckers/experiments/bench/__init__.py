"""How fast this machine, its GPU and a Ray cluster are, each beside a yardstick of the same run."""
