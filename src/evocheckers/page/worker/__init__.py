"""The worker: the process for long work and for files of unknown origin."""
