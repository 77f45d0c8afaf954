"""Many games at once against one server: ``python -m tests.web.load --games 200``.

Every game is played by a client of its own that keeps its own board, so a mixed-up answer shows. Prints how long the
server took for moves of people and of the engine, errors, and the server's memory.
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from evocheckers import Board


def memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


async def play_game(client: httpx.AsyncClient, number: int, plies: int, limit: str, times: list[float]) -> int:
    """One game; the number of engine moves."""
    generator, board, moves = random.Random(number), Board(), 0
    await asyncio.sleep(generator.uniform(0, 3))
    wanted = {"white": {"player": "champion", "limit": limit}, "person": ""}
    game = (await client.post("/api/games", json=wanted)).raise_for_status().json()
    while game["waiting_for"] != "nobody" and game["ply"] < plies:
        body = {"ply": game["ply"]}
        path = f"/api/games/{game['id']}/engine"
        if game["waiting_for"] == "human":
            body["move"] = generator.choice(game["legal"])["text"]
            path = f"/api/games/{game['id']}/moves"
        began = time.perf_counter()
        game = (await client.post(path, json=body)).raise_for_status().json()
        if "move" in body:
            assert game["moves"][-1]["text"] == body["move"], "another game's answer"
        else:
            times.append(time.perf_counter() - began)
            moves += 1
        board.push(game["moves"][-1]["text"])
        assert board.fen() == game["fen"], "another game's answer"
        await asyncio.sleep(generator.uniform(0.5, 1.5))
    return moves


async def load(url: str, games: int, plies: int, limit: str) -> tuple[list[float], int, int]:
    times: list[float] = []
    limits = httpx.Limits(max_connections=games, max_keepalive_connections=games)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
        tasks = [play_game(client, number, plies, limit, times) for number in range(games)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    for error in errors[:5]:
        print("error:", repr(error), file=sys.stderr)
    return times, sum(result for result in results if isinstance(result, int)), len(errors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--limit", default="4")
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--port", "0", "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = re.findall(r"http://\S+", server.stdout.readline())[0]
            for number in range(1, wanted.rounds + 1):
                began = time.perf_counter()
                times, moves, errors = asyncio.run(load(url, wanted.games, wanted.plies, wanted.limit))
                seconds = time.perf_counter() - began
                times.sort()
                middle, high = times[len(times) // 2], times[int(0.99 * len(times))]
                print(
                    f"round {number}: {wanted.games} games, {moves} engine moves at limit {wanted.limit} in "
                    f"{seconds:.0f} s, {errors} errors, median {1000 * middle:.0f} ms, p99 {1000 * high:.0f} ms, "
                    f"longest {1000 * times[-1]:.0f} ms, server {memory_mb(server.pid):.0f} MB",
                    flush=True,
                )
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
