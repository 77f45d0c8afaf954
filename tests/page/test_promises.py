"""What docs/page.md promises and no other test looks at."""

import random
import re
import socket
import subprocess
import sys
from collections import Counter

import pytest

from evocheckers import Board

HUMANS = {"black": {"player": "human"}, "white": {"player": "human"}}
TWO_KINGS = "B:WK32:BK1"
FOUR_KINGS = "B:WK31,K32:BK1,K2"
SHUFFLE = ("1-6", "32-27", "6-1", "27-32")
MOVES_PER_SIDE = 200


def test_a_position_for_the_third_time_is_a_draw(new_game, play):
    game = new_game(**HUMANS, fen=TWO_KINGS)
    for move in SHUFFLE * 2:
        assert game["ending"] is None
        game = play(game, move).json()
    assert (game["ending"]["winner"], game["waiting_for"]) == ("draw", "nobody")
    assert play(game, "1-6").json()["detail"] == "the game is over"


def wander(plies: int) -> list[str]:
    """Kings that stay on their own three rows, so that nobody captures, and come to no position three times."""
    generator, board = random.Random(3), Board(FOUR_KINGS)
    seen = Counter([board.fen()])
    while len(board.moves) < plies:
        for move in generator.sample(board.legal_moves(), len(board.legal_moves())):
            after = board.copy()
            after.push(move)
            if seen[after.fen()] < 2 and int(str(move).split("-")[1]) not in range(13, 21):
                break
        board = after
        seen[board.fen()] += 1
    return [str(move) for move in board.moves]


def test_200_moves_by_each_side_are_a_draw(new_game, play):
    moves = wander(2 * MOVES_PER_SIDE)
    game = new_game(**HUMANS, pdn=f'[FEN "{FOUR_KINGS}"] {" ".join(moves[:-1])} *')
    assert (game["ply"], game["ending"]) == (2 * MOVES_PER_SIDE - 1, None)
    assert play(game, moves[-1]).json()["ending"]["winner"] == "draw"


def test_seven_first_moves_and_43_ballots(client, new_game):
    openings = client.get("/api/options").json()["openings"]
    assert sorted(map(len, openings.values())) == [7, 43]
    for kind in openings.values():
        assert [move["text"] for move in new_game(opening=kind[-1])["moves"]] == kind[-1].split()


def test_a_hint_is_the_champions_move_at_8_plies(client, new_game):
    game = new_game(opening="9-13 22-18")
    hint = client.post(f"/api/games/{game['id']}/hint", json={}).json()
    analysed = client.post("/api/analysis", json={"fen": game["fen"], "limit": "8"}).json()
    best = max(move["score"] for move in analysed["moves"])
    assert hint["line"][0] in [move["text"] for move in analysed["moves"] if move["score"] == best]


def test_it_listens_on_this_machine_alone(tmp_path):
    """Linux answers at every address of 127.0.0.0/8 if a server listens at all addresses."""
    command = [sys.executable, "-m", "evocheckers", "play", "--no-browser", "--data", str(tmp_path), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert found is not None
        port = int(found[1])
        socket.create_connection(("127.0.0.1", port), 5).close()
        if sys.platform == "linux":
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.2", port), 5)
    finally:
        process.kill()
        process.communicate()


def test_squares_are_labelled_and_escape_lets_go(browser, server):
    page = browser.new_page()
    page.goto(server.url)
    square = page.locator("#board [data-square='11'][aria-label]")
    square.wait_for()
    labels = [page.locator(f"#board [data-square='{number}']").get_attribute("aria-label") for number in range(1, 33)]
    assert all(label.startswith(f"square {number}, ") for number, label in enumerate(labels, 1))
    assert sum("empty" in label for label in labels) == 8
    page.locator("#status[data-waiting=human]").wait_for()
    square.focus()
    page.keyboard.press("Enter")
    assert "selected" in square.get_attribute("aria-label")
    page.keyboard.press("Escape")
    assert "selected" not in square.get_attribute("aria-label")
    assert page.locator("#status").get_attribute("aria-live") == "polite"
    page.close()
