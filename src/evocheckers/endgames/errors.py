"""Errors in endgame databases.

EndgameError
├── EndgameFileError
└── DataFolderError
"""

from pathlib import Path

from evocheckers.errors import EvocheckersError


class EndgameError(EvocheckersError):
    """An impossible database: too many pieces, or numbers that do not form a table."""


class EndgameFileError(EndgameError):
    """A file that cannot be read or written as a database; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str) -> None:
        self.path, self.fault = Path(path), fault
        super().__init__(f"endgame file {path}: {fault}")


class DataFolderError(EndgameError):
    """A folder for databases that cannot be used; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str, advice: str = "") -> None:
        self.path, self.fault = Path(path), fault
        super().__init__(f"data folder {path}: {fault}" + (f"; {advice}" if advice else ""))
