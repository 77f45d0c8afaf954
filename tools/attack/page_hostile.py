"""A hostile client of a page: ``python -m tools.attack.page_hostile URL --runs FOLDER [--seconds 60]``.

All at once: floods of analyses, long searches, PDN, lists of runs, matrices of a deep run and event streams; requests
that are never completed, responses that are never read; a crafted run file in the page's folder. Each of some dozens of
connections starts again as soon as it is answered or refused.

Such a client would not run on the server's machine. If it does, for a measurement, it runs at the lowest priority
(niceness 19), so that the measurement shows what the server does for it. It prints when it begins.
"""

import argparse
import asyncio
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path

from evocheckers import Board
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.recorder import carry_on, open_run
from tools.attack.page import Connection, RefusedError

DEEP, CRAFTED = "deep", "crafted"
_KINGS = "1. 1-6 32-28 2. 6-1 28-32 "
PDN = '[FEN "B:WK32,K31:BK1"] ' + _KINGS * 99 + "*"
PAUSE_SECONDS = 0.05


def make_deep_run(folder: Path) -> None:
    """A valid run whose settings say 12 plies."""
    path = folder / f"{DEEP}.sqlite"
    if path.exists():
        return
    with open_run("es", path, 1, 1, {"plies": 1, "pairs": 1, "moves_per_side": 5}) as run:
        for _ in carry_on(run, ThreadExecutor(1), 0):
            pass
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("""UPDATE meta SET value = replace(value, '"plies":1', '"plies":12') WHERE key='settings'""")


def make_crafted_run(folder: Path, rows: int = 3_000_000) -> None:
    """A file whose settings table is a view that counts for a second, or for as long as one likes."""
    path = folder / f"{CRAFTED}.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE length (rows INTEGER)")
        connection.execute("INSERT INTO length VALUES (?)", [rows])
        connection.execute(
            "CREATE VIEW meta(key, value) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
            "WHERE i < (SELECT rows FROM length)) SELECT 'format', 'evocheckers-run' FROM n WHERE i = 0"
        )


class Hostile:
    """What a hostile client does, repeatedly."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.counts: Counter[str] = Counter()
        self._is_over = False

    async def _asks(self, name: str, ask: Callable[[Connection], Awaitable[object]]) -> None:
        connection = Connection(self._url)
        try:
            while not self._is_over:
                try:
                    await ask(connection)
                    self.counts[f"{name}: answered"] += 1
                except RefusedError as error:
                    self.counts[f"{name}: refused {str(error)[:60]}"] += 1
                except (asyncio.IncompleteReadError, OSError):
                    self.counts[f"{name}: closed"] += 1
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            connection.close()

    async def _analyses(self, connection: Connection) -> None:
        await connection.post("/api/analysis", {"fen": Board().fen(), "limit": "12"})

    async def _long_moves(self, connection: Connection) -> None:
        game = await connection.post("/api/games", {"black": {"player": "champion", "limit": "10s"}})
        await connection.post(f"/api/games/{game['id']}/engine", {"ply": 0})

    async def _games(self, connection: Connection) -> None:
        game = await connection.post("/api/games", {"pdn": PDN, "white": {"player": "human"}})
        await connection.get(f"/api/games/{game['id']}")

    async def _lists(self, connection: Connection) -> None:
        await connection.get("/api/runs")

    async def _matrices(self, connection: Connection) -> None:
        await connection.get(f"/api/runs/{DEEP}/matrix")

    async def _crafted(self, connection: Connection) -> None:
        await connection.get(f"/api/runs/{CRAFTED}")

    async def _raw(self, name: str, sent: bytes, reads: bool) -> None:
        """Send this, then either a byte per second or read nothing."""
        host, port = self._url.removeprefix("http://").split(":")
        while not self._is_over:  # do not rely on cancellation: Python 3.11's wait_for may swallow it
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(sent)
                try:
                    while reads and not reader.at_eof() and not self._is_over:
                        await asyncio.sleep(1)
                        writer.write(b"x")
                        await writer.drain()
                        with suppress(TimeoutError):
                            await asyncio.wait_for(reader.read(1000), 0.01)
                    await asyncio.sleep(1)
                finally:
                    writer.close()
                self.counts[f"{name}: ended"] += 1

    async def attack(self, seconds: float) -> None:
        """Do everything at once for ``seconds``."""
        head = b"Host: 127.0.0.1\r\n"
        body = b"POST /api/games HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n" + head
        work = [
            *(self._asks("analysis", self._analyses) for _ in range(10)),
            *(self._asks("long move", self._long_moves) for _ in range(10)),
            *(self._asks("pdn", self._games) for _ in range(3)),
            *(self._asks("list", self._lists) for _ in range(5)),
            *(self._asks("matrix", self._matrices) for _ in range(15)),
            *(self._asks("crafted run", self._crafted) for _ in range(5)),
            *(self._raw("half a head", b"GET / HTTP/1.1\r\n" + head, True) for _ in range(100)),
            *(self._raw("half a body", body + b"\r\n{", True) for _ in range(50)),
            *(
                self._raw("stream", f"GET /api/runs/{DEEP}/events HTTP/1.1\r\n".encode() + head + b"\r\n", False)
                for _ in range(60)
            ),
        ]
        tasks = [asyncio.ensure_future(one) for one in work]
        await asyncio.sleep(seconds)
        self._is_over = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    """Attack a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    wanted = parser.parse_args()
    make_deep_run(wanted.runs)
    make_crafted_run(wanted.runs)
    os.nice(19)
    hostile = Hostile(wanted.url)
    print("begins", flush=True)
    began = time.monotonic()
    asyncio.run(hostile.attack(wanted.seconds))
    told = ", ".join(f"{name} {count}" for name, count in sorted(hostile.counts.items()))
    print(f"hostile for {time.monotonic() - began:.0f} s: {told}", file=sys.stderr)


if __name__ == "__main__":
    main()
