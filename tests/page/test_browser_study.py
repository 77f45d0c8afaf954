"""Reviews, watching and puzzles in a real browser."""

import re

import httpx
import pytest

GAME = '[FEN "B:W22,32:B14,3,4"] [Black "Ann"] [White "Bo"] 1. 14-17 22x13 2. 3-7 32-27 *'
PEOPLE = {"black": {"player": "human"}, "white": {"player": "human"}}


@pytest.fixture
def record(client) -> str:
    """The id of a game with a blunder."""
    return client.post("/api/games", json={"pdn": GAME, **PEOPLE}).json()["id"]


def test_a_review_names_the_mistake_and_goes_on_from_there(page, record):
    page.open(f"/review#{record}")
    page.says("All 4 moves")
    assert page.page.locator("#moves .mark.blunder").count() == 1
    assert "accuracy" in page.page.inner_text("#seat-top")
    page.page.click("#next")
    page.page.locator("#verdict", has_text="a blunder").wait_for()
    page.page.locator("#verdict", has_text="Better was").wait_for()
    assert page.page.locator(".arrow.best").count() == 1
    page.page.locator("#verdict .line button").nth(1).click()  # two plies into the better line
    better = page.texts("#verdict .line button")
    for key, place in (("ArrowLeft", 0), ("ArrowRight", 1), ("End", len(better) - 1)):
        page.page.keyboard.press(key)
        assert page.texts("#verdict .line [aria-current]") == [better[place]]
    page.page.keyboard.press("Escape")
    assert page.page.locator("#verdict .line [aria-current]").count() == 0
    assert page.page.locator(".arrow.best").count() == 1  # the game's position again
    page.page.keyboard.press("ArrowLeft")
    page.page.locator("#verdict", has_text="before the first move").wait_for()
    page.page.click("#analyse")
    page.page.locator("#lines tr").first.wait_for()
    values = [float(text.replace("−", "-")) for text in page.texts("#lines .amount") if re.match("[+−]", text)]
    assert values == sorted(values, reverse=True)
    page.page.locator("#lines .line button").first.click()
    page.page.locator("#lines .line [aria-current]").wait_for()


def test_finding_the_better_move(page, record):
    page.open(f"/review#{record}")
    page.says("All 4 moves")
    page.page.click("#next")
    better = page.page.locator("#verdict .line button").first.inner_text()
    page.page.click("#retry")
    page.page.locator("#verdict", has_text="Find a better move").wait_for()
    page.page.locator(".movable").first.wait_for()
    for square in better.split("-"):
        page.square(int(square)).click()
    page.page.locator("#verdict", has_text="the best move").wait_for()


def test_playing_on_from_a_position(page, record):
    page.open(f"/review#{record}")
    page.says("All 4 moves")
    page.page.click("#play-on")
    page.page.locator("#play-on-dialog option[value=random]").wait_for(state="attached")
    page.page.select_option("#play-on-dialog [name=player]", "random")
    page.page.click("#play-on-dialog button[value=start]")
    page.page.locator(".movable").first.wait_for()
    assert page.page.input_value("#fen") == "B:W22,32:B3,4,14"


def test_watching_pause_step_and_speed(page, client):
    two = {"player": "random"}
    game = client.post("/api/games", json={"black": two, "white": two, "opening": "9-14"}).json()
    page.open(f"/watch#{game['id']}")
    page.page.locator("#status[data-running=true]").wait_for()
    page.page.click("#run")
    page.page.locator("#status[data-running=false]").wait_for()
    before = len(page.moves())
    page.page.click("#step")
    page.page.locator(f"#moves button >> nth={before}").wait_for()
    page.page.fill("#speed", "4")
    page.page.click("#run")
    page.page.locator(f"#moves button >> nth={before + 6}").wait_for()
    page.page.click("#first")
    page.page.locator("#status[data-running=false][data-ply='0']").wait_for()
    pdn = httpx.get(page.url + page.page.get_attribute("#pdn", "href")).text
    assert re.search(r'\[Date "\d{4}\.\d{2}\.\d{2}"\]', pdn)
    assert '[Opening "9-14"]' in pdn
    assert '[Black "Random moves"]' in pdn


def test_a_record_is_replayed_from_its_first_move(page, record):
    page.open(f"/watch#{record}")
    page.page.locator("#status[data-ply='4'][data-running=false]").wait_for()  # to the end, and there it stops
    page.page.click("#run")
    page.page.locator("#status[data-running=true]").wait_for()


def solution(client, number: int) -> list[list[int]]:
    return [step["move"]["path"] for step in client.get(f"/api/puzzles/{number}").json()["line"]]


def test_a_puzzle_is_solved_by_playing(page, client):
    page.open("/puzzles#1")
    page.page.locator("#title", has_text="Puzzle 1").wait_for()
    for path in solution(client, 1):
        page.page.locator(".movable").first.wait_for()
        for square in (path[0], path[-1]):
            page.square(square).click()
        page.says(re.compile("Right|Solved"))
    page.says("Solved!")
    assert page.page.locator("#numbers .solved").count() == 1
    page.page.reload()
    page.page.locator("#progress", has_text="1 of").wait_for()  # kept in the browser
    page.page.click("#next")
    page.page.locator("#title", has_text="Puzzle 2").wait_for()


def test_a_puzzle_that_is_failed_shows_its_solution(page, client):
    page.open("/puzzles#2")
    page.page.locator(".movable").first.wait_for()
    first = client.get("/api/puzzles/2").json()["line"][0]
    wrong = next(move for move in first["legal"] if move["text"] != first["move"]["text"])
    for square in wrong["path"]:
        page.square(square).click()
    page.says("is not it")
    page.page.click("#solution")
    page.page.locator("#explanation", has_text=first["move"]["text"]).wait_for()
    assert page.page.locator("#numbers .failed").count() == 1


def test_a_set_for_a_class(page):
    page.open("/puzzles#2-3")
    page.page.locator("#title", has_text="Puzzle 2").wait_for()
    assert page.texts("#numbers button") == ["2", "3"]
    page.page.click("#next")
    page.page.locator("#title", has_text="Puzzle 3").wait_for()
    assert page.page.url.endswith("#2-3/3")
    page.page.fill("#set-numbers", "1, 3")
    page.page.click("#set-form button")
    page.page.locator("#title", has_text="Puzzle 1").wait_for()
    assert page.page.input_value("#set-link") == f"{page.url}/puzzles#1,3"
