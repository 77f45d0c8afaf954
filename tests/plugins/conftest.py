"""These packages are for the tests to install, not to collect."""

collect_ignore_glob = ["*"]
