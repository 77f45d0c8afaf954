"""The file of a run, whatever happens to it: who may write it, and what is wrong with it in one line."""

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from evocheckers.errors import EvocheckersError


class RunError(EvocheckersError):
    """A run file that cannot be used; ``path`` and ``fault`` say which and why."""

    def __init__(self, path: Path | str, fault: str, advice: str = "") -> None:
        self.path, self.fault = Path(path), " ".join(fault.split())  # SQLite quotes what it found, line ends and all
        super().__init__(f"run {path}: {self.fault}" + (f"; {advice}" if advice else ""))


def has_begun(path: Path) -> bool:
    """Whether there is a run: who is killed in the first moment leaves an empty file, or a journal that empties it."""
    if path.exists() and Path(f"{path}-journal").exists():
        with faults(path), closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT COUNT(*) FROM sqlite_master")
    return path.exists() and path.stat().st_size > 0


def lock_file(path: Path) -> FileLock:
    """The right to write a run; refused while another process has it."""
    taken = FileLock(f"{path}.lock")
    try:
        taken.acquire(timeout=0)
    except Timeout:
        raise RunError(path, "another process is writing it") from None
    return taken


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """The same for a moment."""
    taken = lock_file(path)
    try:
        yield
    finally:
        taken.release()


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Say what is wrong with a file in one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise RunError(path, f"{error}; what was recorded before stays readable") from None
    except EvocheckersError:
        raise
    except (sqlite3.DatabaseError, zlib.error, ValueError, KeyError, TypeError, RecursionError) as error:
        advice = "" if "not a database" in str(error) else "'runs repair' saves the generations before the damage"
        raise RunError(path, f"damaged ({error})", advice) from None
    except OSError as error:
        raise RunError(path, (error.strerror or str(error)).lower()) from None


def find_runs(places: Sequence[Path]) -> list[Path]:
    """Files as they are, folders by the run files in them, each once."""
    found = [file for place in places for file in (sorted(place.glob("*.sqlite")) if place.is_dir() else [place])]
    return list({file.resolve(): file for file in found}.values())
