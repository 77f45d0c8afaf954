"""Playing in a real browser: by click, drag, finger and keyboard, forth and back."""

import random
import re
import threading

import pytest

from evocheckers import Board
from tests.page.browsing import TWO_PATHS, WAYS


@pytest.mark.parametrize(("way", "plies"), [("click", 60), ("drag", 16), ("key", 16), ("tap", 16)])
def test_games_by_every_way_of_moving(page, way, plies):
    page.ready()
    page.new_game(level="0")
    page.page.locator("#seat-top", has_text="First steps").wait_for()
    generator = random.Random(5)
    for ply in range(0, plies, 2):
        page.settled(ply)
        choices = generator.choices(page.board().legal_moves(), k=3)
        WAYS[way](page, max(choices, key=lambda move: len(move.captured)).path)
        page.page.locator(f"#status[data-ply='{ply + 2}'], #status[data-waiting=nobody]").wait_for()
        if page.page.locator("#status[data-waiting=nobody]").count():
            break
    else:
        page.page.click("#resign")
        page.page.click("#resign-dialog button[value=resign]")
    page.says(re.compile("wins|Draw"))
    page.page.click("#result-dialog button[value=close]")
    assert len(page.moves()) > 10
    replayed = Board().push_all(page.moves())
    assert replayed.fen() == page.page.input_value("#fen")


def test_after_an_animated_reply_one_click_selects(page):
    page.page.emulate_media(reduced_motion="no-preference")
    page.ready()
    page.new_game(level="0")
    for ply in (2, 4):
        page.type(str(page.board().legal_moves()[0]))
        page.settled(ply)
        page.page.wait_for_timeout(1000)  # the reply has moved by then
        square = page.board().legal_moves()[0].path[0]
        assert page.page.locator("#board .movable").count() > 0
        page.square(square).click()
        page.page.locator("#board .selected").wait_for(timeout=2000)
        page.page.keyboard.press("Escape")


def test_the_page_says_that_it_compiles(page, monkeypatch):
    from evocheckers.page.games.searches import Searches

    go_on = threading.Event()
    search = Searches.search

    def held(*given):
        go_on.wait(20)
        return search(*given)

    monkeypatch.setattr(Searches, "search", held)
    monkeypatch.setattr(Searches, "compiling", property(lambda _: not go_on.is_set()))
    page.ready()
    page.type("11-15")
    page.says("Compiling for this machine, once")
    go_on.set()
    page.page.locator("#status[data-ply='2']", has_text="Black to move").wait_for()


def test_a_jump_with_two_paths(page):
    page.ready()
    for way, squares in (("27x18x11", [27, 18, 11]), ("27x20x11", [27, 20, 11])):
        page.load(TWO_PATHS)
        page.says("you must capture")
        for square in squares:  # step by step
            page.square(square).click()
        page.page.locator("#moves button", has_text=way).wait_for()
    page.load(TWO_PATHS)
    page.says("you must capture")
    page.square(27).click()
    page.square(11).click()  # the last square: which way?
    assert sorted(page.texts("#choices button")) == ["27x18x11", "27x20x11"]
    page.page.click("#choices button:has-text('27x20x11')")
    page.page.locator("#moves button", has_text="27x20x11").wait_for()


def test_a_capture_dragged_leg_by_leg(page):
    page.ready()
    page.load("B:W6,14,15,32:BK1")
    page.says("you must capture")
    for start, end in ((1, 10), (10, 17)):
        page.drag(start, end)
    page.page.locator("#moves button", has_text="1x10x17").wait_for()


def test_a_dropped_piece_goes_back_if_refused(page):
    page.ready()
    page.hold("/moves", "not so")
    page.drag(11, 15)
    assert page.square(15).get_attribute("aria-label") == "square 15, black man"  # the server has not answered yet
    page.release()
    page.says("not so")
    page.settled(0)
    assert "black man" in page.square(11).get_attribute("aria-label")


def test_why_a_piece_may_not_move(page):
    page.ready()
    page.square(6).click()
    page.says("The piece on 6 is blocked")
    page.square(22).click()
    page.says("That piece is White’s")
    page.load("B:W18,27,30:B15,9,3")
    page.says("you must capture")
    page.square(9).click()
    page.says("You must capture: the piece on 15 can")
    page.load("B:W21,20:B26,3")
    page.says("Black to move")
    page.square(26).click()
    page.square(22).click()
    page.says("Men only go forward")


def test_arrows_go_through_the_game_wherever_the_focus_is(page):
    page.ready()
    page.load("1. 9-14 22-18 2. 5-9 24-19 *")
    page.page.locator("#moves button").nth(3).wait_for()
    for focus in ("#flip", "#fen", "#move-text", "#moves button >> nth=0"):
        page.page.locator(focus).focus()
        page.page.keyboard.press("End")
        page.page.keyboard.press("ArrowLeft")
        page.says("after 3 of 4")
        page.page.keyboard.press("ArrowRight")
        page.says("to move")
    page.square(11).click()  # the mouse does not take the arrows away
    page.page.keyboard.press("ArrowLeft")
    page.says("after 3 of 4")
    page.page.keyboard.press("Home")
    page.says("after 0 of 4")


def test_the_list_follows_the_game(page):
    page.ready()
    page.load("1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 6. 3-7 28-24 7. 7x16 24-19 *")
    current = page.page.locator("#moves [aria-current]")
    page.page.set_viewport_size({"width": 1000, "height": 560})
    for key, text in (("End", "24-19"), ("Home", None), ("End", "24-19")):
        page.page.keyboard.press(key)
        if text is None:
            page.says("after 0")
            continue
        current.wait_for()
        assert current.inner_text() == text
        list_box, box = page.page.locator("#moves").bounding_box(), current.bounding_box()
        assert list_box["y"] <= box["y"]
        assert box["y"] + box["height"] <= list_box["y"] + list_box["height"] + 1
    page.page.locator("#seat-bottom .captured").wait_for()


def test_take_back_navigate_and_export(page, server):
    page.ready()
    page.new_game(level="4")
    page.page.locator("#seat-top", has_text="Club").wait_for()
    page.type("11-15")
    page.settled(2)
    page.type("11-16")
    page.says("11-16")
    page.faults.clear()  # the refusal of an illegal move is an answer of 422
    page.page.click("#back")
    page.says("after 1 of 2")
    page.page.click("#last")
    page.page.click("#takeback")
    page.page.locator("#moves button").first.wait_for(state="detached")
    assert page.board() == Board()
    for button, kind in (("#hint", "hint"), ("#threat", "threat")):
        page.page.click(button)
        page.page.locator(f".arrow.{kind}").wait_for()
    pdn = page.page.request.get(server.url + page.page.get_attribute("#pdn", "href")).text()
    assert '[White "Champion"]' in pdn


def test_a_move_given_ahead(page, new_game):
    game = new_game(fen="B:W32:B1,9", white={"player": "random"})  # whatever is answered, the move ahead is legal
    page.open(f"/#{game['id']}")
    page.settled(0)
    page.hold("/engine")
    page.drag(9, 14)
    page.page.locator("#status", has_text="thinking").wait_for()
    page.drag(14, 18)
    page.page.locator(".arrow.premove").wait_for()
    page.release()
    page.settled(4)
    assert page.moves()[2] == "14-18"


def test_edit_a_position_and_analyse_it(page):
    page.ready()
    page.page.click("#edit")
    page.page.click("#edit-clear")
    for tool, square in (("White king", 30), ("Black man", 6), ("Black man", 9)):
        page.page.click(f"#edit-tools button:has-text('{tool}')")
        page.page.locator(f"#edit-board [data-square='{square}']").click()
    page.page.select_option("#edit-turn", "W")
    page.page.click("#edit-form button[value=play]")
    page.page.locator("#edit-dialog").wait_for(state="hidden")
    page.says("White to move")
    assert page.page.input_value("#fen") == "W:WK30:B6,9"
    page.page.click("#analyse")
    page.page.locator("#analysis").wait_for()
    assert len(page.texts("#analysis-moves tr")) == 2
    assert len(page.texts(".worth")) == 3


def test_watching_two_players(page):
    page.ready()
    page.new_game(level="0", side="none")
    page.page.locator("#moves button >> nth=3").wait_for()
    assert page.page.locator("#resign").is_disabled()
    page.page.click("#flip")
    page.page.locator("#seat-bottom", has_text="First steps").wait_for()
