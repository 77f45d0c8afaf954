"""The files of the package that a command passes through, in the order in which their functions are first called.

    python -m tools.walk evolve anaconda --generations 1 --run walk.sqlite
    python -m tools.walk match champion@50ms material@8 --openings first-moves
    python -m tools.walk page

``page`` is a move on the page: from the request that plays it to the answer of the opponent. Compiled code is one call
to Python and does not count, nor does what only runs while modules are loaded.
"""

import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import evocheckers

PACKAGE = Path(evocheckers.__path__[0])


class Walk:
    """Collects the files whose functions are called between ``begin`` and ``end``, on all threads."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}

    def begin(self) -> None:
        """Start to watch."""
        threading.setprofile(self._see)
        sys.setprofile(self._see)

    def end(self) -> None:
        """Stop watching."""
        sys.setprofile(None)
        threading.setprofile(None)

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(PACKAGE)):
            file = str(Path(name).relative_to(PACKAGE))
            if file not in self.files and not _is_importing(frame):
                self.files[file] = None


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded further up in the stack."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False


def walk_command(words: list[str]) -> Walk:
    """Run a command of ``evocheckers`` and collect its files."""
    from evocheckers.cli.app import with_commands

    walk = Walk()
    walk.begin()
    try:
        with_commands(words[0])(words, standalone_mode=False)
    finally:
        walk.end()
    return walk


def walk_page() -> Walk:
    """Play a move on the page and let the opponent answer, and collect the files of these two requests."""
    from fastapi.testclient import TestClient

    from evocheckers.page.app import ServerSettings, create_app

    walk, is_watched = Walk(), threading.Event()

    def see(frame: FrameType, event: str, argument: Any) -> None:
        if is_watched.is_set():
            walk._see(frame, event, argument)

    threading.setprofile(see)
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(Path(folder) / "data", Path(folder) / "runs", hosts=("testserver",))
        with TestClient(create_app(settings)) as client:
            game = client.post("/api/games", json={"white": {"player": "champion", "limit": "4"}}).json()["id"]
            is_watched.set()
            client.post(f"/api/games/{game}/moves", json={"move": "11-15", "ply": 0}).raise_for_status()
            client.post(f"/api/games/{game}/engine", json={"ply": 1}).raise_for_status()
            is_watched.clear()
    threading.setprofile(None)
    return walk


def main() -> None:
    """Walk, and print the files."""
    words = sys.argv[1:]
    walk = walk_page() if words == ["page"] else walk_command(words)
    print(f"\n{len(walk.files)} files:", file=sys.stderr)
    print("\n".join(walk.files))


if __name__ == "__main__":
    main()
