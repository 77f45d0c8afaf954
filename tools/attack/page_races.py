"""Races on one game: ``python -m tools.attack.page_races [--races 200] [--seed 1]``.

While an engine thinks, its move is requested repeatedly, moves are taken back, positions are valued and a player
resigns, at random moments. Afterwards the game must match the acknowledged changes: an acknowledged resignation is
there, no move is played twice, and the moves in every response follow the rules.
"""

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evocheckers import Board
from tools.attack.page import Connection, RefusedError, serving


@dataclass
class Races:
    """The outcome."""

    races: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    """Acknowledged changes that were missing afterwards, in words."""
    answers: Counter[int] = field(default_factory=Counter)
    """Number of responses by status."""

    def __str__(self) -> str:
        answers = ", ".join(f"{status}: {count}" for status, count in sorted(self.answers.items()))
        return f"{self.races} races, {self.acknowledged} resignations acknowledged, {len(self.lost)} lost ({answers})"


async def _try(url: str, path: str, body: Any, delay: float, found: Races) -> dict[str, Any] | None:
    """Send one request after a delay; None if it is refused."""
    await asyncio.sleep(delay)
    connection = Connection(url)
    try:
        answer = await connection.post(path, body)
    except RefusedError as error:
        found.answers[error.status] += 1
        if error.status >= 500:
            found.lost.append(str(error))
        return None
    finally:
        connection.close()
    found.answers[200] += 1
    if Board(answer["start"]).push_all(move["text"] for move in answer["moves"]).fen() != answer["fen"]:
        found.lost.append(f"{path}: moves and position do not fit")
    return answer


async def race(url: str, generator: random.Random, found: Races) -> None:
    """One game that several clients change at once."""
    connection = Connection(url)
    game = await connection.post("/api/games", {"white": {"player": "champion", "limit": "150ms"}})
    path = f"/api/games/{game['id']}"
    await connection.post(f"{path}/moves", {"ply": 0, "move": "11-15"})
    asked: list[tuple[str, dict[str, Any], float]] = [
        ("engine", {"ply": 1}, 0.0),  # in progress when the others come, which wait for it if games are locked
        ("takeback", {"ply": 2}, 0.03),
        ("moves", {"ply": 0, "move": "11-15"}, 0.05),
        ("engine", {"ply": 1}, 0.07),
    ]
    anywhere: list[tuple[str, dict[str, Any]]] = [("engine", {"ply": 1}), ("score", {"ply": 0}), ("draw", {})]
    anywhere += [("moves", {"ply": 2, "move": "8-11"})]
    asked += [(what, body, generator.uniform(0, 0.4)) for what, body in anywhere]
    others = [_try(url, f"{path}/{what}", body, delay, found) for what, body, delay in asked]
    resigning = _try(url, f"{path}/resign", {"side": "black"}, generator.uniform(0.1, 0.4), found)
    resigned, *_ = await asyncio.gather(resigning, *others)
    found.races += 1
    last = await connection.get(path)
    connection.close()
    texts = [move["text"] for move in last["moves"]]
    if Board(last["start"]).push_all(texts).fen() != last["fen"]:
        found.lost.append("moves and position do not fit")
    if resigned is not None:
        found.acknowledged += 1
        kept = last["ending"] is not None and last["ending"]["reason"] == "resignation"
        taken_back = len(texts) < resigned["ply"]  # taking back a move after the end reopens a game
        if not kept and not taken_back:
            found.lost.append(f"resignation after {resigned['ply']} plies; the game has {len(texts)}")


async def run_races(url: str, races: int, seed: int, at_once: int = 4) -> Races:
    """Run ``races`` races, ``at_once`` at a time."""
    found = Races()
    for first in range(0, races, at_once):
        numbers = range(first, min(races, first + at_once))
        await asyncio.gather(*(race(url, random.Random(seed * 10**6 + number), found) for number in numbers))
    return found


def main() -> None:
    """Race on a page of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (_, url):
        found = asyncio.run(run_races(url, wanted.races, wanted.seed))
    print(found)
    for fault in found.lost[:10]:
        print(f"lost: {fault}")
    if found.lost:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
