"""``python -m evocheckers`` and the command ``evocheckers``."""

from evocheckers.cli.signals import leave_when_told


def main() -> None:
    """Run the command line. From the first moment on Ctrl-C is no traceback: the rest is imported after that."""
    leave_when_told()
    from evocheckers.cli.app import main

    main()


if __name__ == "__main__":
    main()
