"""Check that a run file is intact before anything is written to it."""

import sqlite3
import time

from evocheckers.runs.files import faults
from evocheckers.runs.reader import RunReader
from evocheckers.runs.schema import Keep

CHECK_SECONDS = 3.0
"""How long a file's pages are checked; enough for some gigabytes from memory."""


def check_whole(run: RunReader, connection: sqlite3.Connection) -> None:
    """Refuse a damaged file, as far as its pages, its summaries and its last generation show."""
    with faults(run.path):
        _check_pages(connection)
        numbers = [summary.number for summary in run.summaries()]
        if numbers != list(range(1, len(numbers) + 1)):
            raise ValueError("generations are missing")
        run.strengths()
        last = run.last()
        if (last.number if last else 0) != len(numbers):
            raise ValueError("no state of the last generation")
        if numbers:
            run.individuals(len(numbers))
            run.network(len(numbers))
            if run.keep is not Keep.POINTS:
                run.games(len(numbers))


def _check_pages(connection: sqlite3.Connection) -> None:
    end = time.monotonic() + CHECK_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        found = "ok"
    finally:
        connection.set_progress_handler(None, 0)
    if found != "ok":
        raise ValueError(found)
