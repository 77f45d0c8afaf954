"""Copies of run files, consistent even while the run goes on: by SQLite's own backup, never byte by byte."""

import sqlite3
from contextlib import closing
from pathlib import Path

from evocheckers.files import Unfinished
from evocheckers.runs.validation import RunError, check_place, connect


def back_up(connection: sqlite3.Connection, path: Path) -> None:
    """Copy everything that a connection sees into one file, which appears once it is complete and replaces none."""
    check_place(path)
    if path.exists():
        raise RunError(path, "already exists")
    with Unfinished(path.resolve()) as part:
        with closing(connect(part.path, "rwc")) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        if path.exists():
            raise RunError(path, "already exists")
        part.finish()
