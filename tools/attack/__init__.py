"""What a hostile and careless world tries, as programs: bounded in the suite, long by hand (docs/robustness.md)."""
