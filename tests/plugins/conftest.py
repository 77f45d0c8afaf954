"""What pip would write of these packages; there is nothing to collect."""

collect_ignore_glob = ["*"]
