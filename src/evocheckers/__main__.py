"""The entry point of ``python -m evocheckers`` and of the command ``evocheckers``."""

from evocheckers.cli.signals import leave_on_signal


def main() -> None:
    """Run the command line. The rest is imported only after Ctrl-C is handled, so that it never shows a traceback."""
    leave_on_signal()
    from evocheckers.cli.app import main

    main()


if __name__ == "__main__":
    main()
