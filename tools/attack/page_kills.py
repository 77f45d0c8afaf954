"""Kill a page under load: ``python -m tools.attack.page_kills [--kills 10] [--games 20]``.

Games are played as fast as the page answers; after a moment it is killed without warning and restarted on the same
folder. Every acknowledged move must be there, and each game continues from where it was.
"""

import argparse
import asyncio
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tools.attack.page import Connection, RefusedError, serving

LONGEST_SECONDS = 3.0
"""Longest lifetime of a page after its first answer."""


@dataclass
class Kills:
    """The outcome."""

    kills: int = 0
    moves: int = 0
    """Acknowledged moves."""
    lost: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.kills} kills, {self.moves} acknowledged moves, {len(self.lost)} lost"


class Player:
    """Plays one game after another and remembers what was acknowledged."""

    def __init__(self, number: int) -> None:
        self._generator = random.Random(number)
        self._id = ""
        self._moves: list[str] = []

    async def play(self, url: str, found: Kills) -> None:
        """Play until the page is gone."""
        connection = Connection(url)
        try:
            game = await self._resume(connection, found)
            while True:
                if game["waiting_for"] == "nobody":
                    game = await self._begin(connection)
                path = f"/api/games/{self._id}"
                if game["waiting_for"] == "human":
                    move = self._generator.choice(game["legal"])["text"]
                    game = await connection.post(f"{path}/moves", {"ply": game["ply"], "move": move})
                else:
                    game = await connection.post(f"{path}/engine", {"ply": game["ply"]})
                self._moves = [move["text"] for move in game["moves"]]
                found.moves += 1
        except (asyncio.IncompleteReadError, OSError):
            return
        except RefusedError as error:
            found.lost.append(f"refused: {error}")
        finally:
            connection.close()

    async def _begin(self, connection: Connection) -> dict:
        game = await connection.post("/api/games", {"white": {"player": "champion", "limit": "2"}})
        self._id, self._moves = game["id"], []
        return game

    async def _resume(self, connection: Connection, found: Kills) -> dict:
        """The game as the page has it: everything acknowledged, and perhaps one more move."""
        if not self._id:
            return await self._begin(connection)
        game = await connection.get(f"/api/games/{self._id}")
        moves = [move["text"] for move in game["moves"]]
        if moves[: len(self._moves)] != self._moves or len(moves) > len(self._moves) + 1:
            found.lost.append(f"{len(self._moves)} moves were acknowledged, the game has {len(moves)}")
        return game


async def _live_and_die(kill: asyncio.Future, url: str, players: list[Player], found: Kills) -> None:
    playing = [asyncio.ensure_future(player.play(url, found)) for player in players]
    await kill
    await asyncio.gather(*playing)


async def _first_answer(url: str) -> None:
    """Wait until the page answers, which starts its lifetime."""
    connection = Connection(url)
    await connection.get("/api/options")
    connection.close()


def run_kills(folder: Path, kills: int, games: int, seed: int) -> Kills:
    """Kill a page ``kills`` times, with ``games`` games in progress."""
    found, generator = Kills(), random.Random(seed)
    players = [Player(seed * 1000 + number) for number in range(games)]
    for _ in range(kills + 1):
        with serving(folder) as (process, url):

            async def live() -> None:
                loop = asyncio.get_running_loop()
                dead = loop.create_future()

                def kill() -> None:
                    process.kill()
                    dead.set_result(None)

                await _first_answer(url)
                loop.call_later(generator.uniform(1.0, LONGEST_SECONDS), kill)
                await _live_and_die(dead, url, players, found)

            asyncio.run(live())
        found.kills += 1
    found.kills -= 1  # the last one only checked what the one before had left
    return found


def main() -> None:
    """Kill a page of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run_kills(Path(folder), wanted.kills, wanted.games, wanted.seed)
    print(found)
    for fault in found.lost[:10]:
        print(f"lost: {fault}")
    if found.lost:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
