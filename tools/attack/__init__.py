"""What a hostile world tries, in our own words: bounded in the suite, at length by hand."""
