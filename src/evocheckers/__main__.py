"""``python -m evocheckers``."""

from evocheckers.cli.app import main

if __name__ == "__main__":
    main()
