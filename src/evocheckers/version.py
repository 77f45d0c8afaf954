"""The version of the package."""

PROGRAM_VERSION = "0.1.0"
