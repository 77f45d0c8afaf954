"""Speed of this machine, its GPU and a Ray cluster, each next to a yardstick measured in the same run."""
