"""The place of a run that is being written: whether the file of that name is still the one that was opened."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from evocheckers.runs.copying import back_up
from evocheckers.runs.files import RunError, discard


class Place:
    """A file as it was when it was opened for writing."""

    def __init__(self, path: Path) -> None:
        self._path, self.file = path, path.resolve()
        self._opened = self.file.stat()
        if self._opened.st_nlink > 1:
            fault = f"has {self._opened.st_nlink} names (hard links), and its journal would lie beside one of them"
            raise RunError(path, fault, "'runs copy' makes a file of its own")

    @property
    def is_ours(self) -> bool:
        """Whether the file of that name is still the one that was opened."""
        try:
            return os.path.samestat(self._opened, self.file.stat())
        except OSError:
            return False

    def check(self, connection: sqlite3.Connection, generation: int) -> None:
        """Refuse to write a file that was renamed, deleted or replaced; say where its generations are."""
        if self.is_ours:
            return
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # into the file itself, whatever its name is now
        happened = "replaced" if self.file.exists() else "renamed or deleted"
        raise RunError(
            self._path,
            f"was {happened} while it was being written; {self._kept(connection, generation)}",
            "it was stopped",
        )

    def _kept(self, connection: sqlite3.Connection, generation: int) -> str:
        """Where the recorded generations are; those of a deleted file are saved beside it."""
        recorded = f"its {generation} generations are"
        now = self._name_now()
        if now is not None:
            return f"{recorded} in {now}"
        saved = self.file.with_name(f"{self.file.stem}-rescued.sqlite")
        try:
            back_up(connection, saved)
        except (OSError, sqlite3.Error, RunError):
            return f"{recorded} lost with it"
        return f"{recorded} saved in {saved}"

    def _name_now(self) -> str | None:
        """The current name of the opened file, if the system reports it; None if it no longer has one."""
        with suppress(OSError):
            for descriptor in os.listdir("/proc/self/fd"):
                with suppress(OSError):
                    if os.path.samestat(os.stat(int(descriptor)), self._opened):
                        name = os.readlink(f"/proc/self/fd/{descriptor}")
                        if os.path.samestat(os.stat(name), self._opened):
                            return name
        return None

    def leave(self) -> None:
        """Remove the journal of a file that is no longer there."""
        if not self.file.exists():
            discard(self.file, ("-wal", "-shm"))
