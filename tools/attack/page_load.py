"""Many games at once against one page: ``python -m tools.attack.page_load --games 300 --seconds 60 [--hostile]``.

Every game is played by a separate client that keeps its own board, so that a mixed-up response shows; between moves it
pauses for about a second, like a person. With ``--hostile``, another process attacks meanwhile (``page_hostile``).
The clients use processor time too, which those of a real page do not: ``--server-cores 2`` reserves the first two cores
for the server and gives the others to the clients.
Prints how long the server took for the engine's moves, errors, and the server's memory.
"""

import argparse
import asyncio
import gc
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from evocheckers import Board
from tools.attack.page import Connection, serving


class MixedUpError(Exception):
    """A response that belongs to another game."""


@dataclass
class Load:
    """The outcome."""

    games: int = 0
    moves: int = 0
    """People's moves."""
    times: list[float] = field(default_factory=list)
    """Times of the engine's moves, in seconds."""
    errors: list[BaseException] = field(default_factory=list)

    def slowest(self, share: float) -> float:
        """The time that all but this share of the moves stayed below, in milliseconds."""
        return 1000 * sorted(self.times)[int((1 - share) * (len(self.times) - 1))] if self.times else 0.0

    def __str__(self) -> str:
        return (
            f"{self.games} games, {len(self.times)} engine moves, {len(self.errors)} errors, median "
            f"{self.slowest(0.5):.0f} ms, p99 {self.slowest(0.01):.0f} ms, longest {self.slowest(0):.0f} ms"
        )


async def play_games(url: str, number: int, limit: str, until: float, pause: float, found: Load) -> None:
    """Play one game after another until the time is up."""
    generator, connection = random.Random(number), Connection(url)
    await asyncio.sleep(generator.uniform(0, 2 * pause))
    try:
        while time.monotonic() < until:
            await _play_game(connection, generator, limit, until, pause, found)
    except Exception as error:  # any error counts
        found.errors.append(error)
    finally:
        connection.close()


async def _play_game(
    connection: Connection, generator: random.Random, limit: str, until: float, pause: float, found: Load
) -> None:
    board = Board()
    game = await connection.post("/api/games", {"white": {"player": "champion", "limit": limit}})
    found.games += 1
    while game["waiting_for"] != "nobody" and time.monotonic() < until:
        path = f"/api/games/{game['id']}"
        began = time.perf_counter()
        if game["waiting_for"] == "human":
            move = generator.choice(game["legal"])["text"]
            game = await connection.post(f"{path}/moves", {"ply": game["ply"], "move": move})
            found.moves += 1
            _check(game["moves"][-1]["text"] == move)
        else:
            game = await connection.post(f"{path}/engine", {"ply": game["ply"]})
            found.times.append(time.perf_counter() - began)
        board.push(game["moves"][-1]["text"])
        _check(board.fen() == game["fen"])
        await asyncio.sleep(generator.uniform(0.5 * pause, 1.5 * pause))


def _check(fits: bool) -> None:
    if not fits:
        raise MixedUpError


async def load(url: str, games: int, seconds: float, limit: str = "4", pause: float = 1.0) -> Load:
    """Play ``games`` games at once for ``seconds``."""
    found, until = Load(), time.monotonic() + seconds
    await asyncio.gather(*(play_games(url, number, limit, until, pause, found) for number in range(games)))
    return found


async def warm_up(url: str) -> None:
    """Wait for machine code, which is compiled once on each machine."""
    connection = Connection(url)
    game = await connection.post("/api/games", {"black": {"player": "champion", "limit": "4"}})
    await connection.post(f"/api/games/{game['id']}/engine", {"ply": 0})
    connection.close()


def begin_hostile(url: str, runs: Path, seconds: float) -> subprocess.Popen[str]:
    """Start a hostile client and wait until it has begun."""
    command = [sys.executable, "-m", "tools.attack.page_hostile", url, "--runs", str(runs), "--seconds", str(seconds)]
    hostile = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if hostile.stdout is not None:
        hostile.stdout.readline()
    return hostile


def memory_mb(pid: int) -> float:
    """Memory of a process, on Linux."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+([0-9]+)", status)[0]) / 1024


def main() -> None:
    """Load a page of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--limit", default="4")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--server-cores", type=int, default=0)
    wanted = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    server, clients = cores[: wanted.server_cores], cores[wanted.server_cores :]
    if not clients:
        parser.error(f"--server-cores {wanted.server_cores}: there are {len(cores)} cores, and clients need one")
    os.sched_setaffinity(0, clients)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), "--runs", folder, cores=server) as served:
        process, url = served
        asyncio.run(warm_up(url))
        gc.freeze()  # a pause of ours would look like the server's
        for number in range(1, wanted.rounds + 1):
            hostile = None
            if wanted.hostile:
                hostile = begin_hostile(url, Path(folder), wanted.seconds + 3)
            try:
                found = asyncio.run(load(url, wanted.games, wanted.seconds, wanted.limit))
            finally:
                if hostile is not None:
                    print(hostile.communicate()[1].strip(), file=sys.stderr)
            print(f"round {number}: {found}, server {memory_mb(process.pid):.0f} MB", flush=True)
            for error in found.errors[:5]:
                print(f"error: {error!r}", file=sys.stderr)


if __name__ == "__main__":
    main()
