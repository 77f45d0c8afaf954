"""The analysis on the page to play on: lines beside the game, gone along and left again."""

import re

from evocheckers import Board

START = ["11-15", "23-18"]


def shown(page) -> str:
    """The position on the board, as FEN."""
    return page.page.input_value("#fen")


def current(page) -> list[str]:
    return page.texts("#analysis-moves .line [aria-current]")


def analysed(page) -> list[list[str]]:
    """The lines of the position after two moves, the best first."""
    page.ready()
    page.load("1. 11-15 23-18 *")
    page.says("Black to move")
    page.page.click("#analyse")
    page.says("Best: ")
    return [row.locator(".line button").all_inner_texts() for row in page.page.locator("#analysis-moves tr").all()]


def test_lines_are_sorted_and_every_move_shows_its_position(page):
    lines = analysed(page)
    board = Board().push_all(START)
    assert sorted(line[0] for line in lines) == sorted(map(str, board.legal_moves()))
    values = [float(text.replace("−", "-")) for text in page.texts("#analysis-moves .amount")]
    assert values == sorted(values, reverse=True)  # Black is to move
    page.page.locator("#analysis-moves tr").nth(1).locator("button").nth(2).click()
    page.says("Not played: move 3 of")
    assert shown(page) == Board().push_all([*START, *lines[1][:3]]).fen()
    assert current(page) == [lines[1][2]]
    assert page.page.locator(".movable").count() == 0  # nobody moves in a position that was not played
    for key, plies in (("ArrowRight", 4), ("ArrowLeft", 3), ("End", len(lines[1])), ("ArrowLeft", len(lines[1]) - 1)):
        page.page.keyboard.press(key)
        assert (shown(page), current(page)) == (
            Board().push_all([*START, *lines[1][:plies]]).fen(),
            [lines[1][plies - 1]],
        )
    page.page.click("#to-game")
    page.says("Black to move")
    assert (shown(page), current(page)) == (board.fen(), [])
    assert page.page.locator(".movable").count() > 0
    assert page.page.locator("#analysis").is_visible()  # for the next line


def test_escape_and_the_first_step_lead_back_to_the_game(page):
    lines = analysed(page)
    here = shown(page)
    for leave in ("Escape", "Home", "ArrowLeft"):
        page.page.locator("#analysis-moves .line button").first.click()
        page.says("Not played")
        page.page.keyboard.press(leave)
        page.says("Black to move")
        assert (shown(page), page.page.locator("#to-game").is_hidden()) == (here, True)
    page.page.locator("#analysis-moves .line button").nth(1).click()
    page.square(22).click()
    page.says("Escape leads back")
    page.page.locator("#moves button").first.click()  # a move of the game leaves the line, too
    page.says("Position after 1 of 2 plies")
    assert shown(page) == Board().push_all(START[:1]).fen()
    assert len(lines) > 5


def test_a_position_of_a_line_can_be_analysed(page):
    first = analysed(page)[0]
    page.page.locator("#analysis-moves .line button").nth(1).click()
    page.says("Not played: move 2")
    page.page.click("#analyse")
    page.page.locator("#analysis-moves .line button").first.filter(has_not_text=first[0]).wait_for()
    board = Board().push_all([*START, *first[:2]])
    assert sorted(page.texts("#analysis-moves .line button:first-child")) == sorted(map(str, board.legal_moves()))
    page.page.locator("#analysis-moves .line button").first.click()
    page.says("Not played: move 3")
    page.page.keyboard.press("ArrowLeft")
    page.says("Not played: move 2")  # the way there is the way back
    page.type(str(Board().push_all(START).legal_moves()[0]))
    page.page.locator("#status[data-ply='3']").wait_for()
    assert page.page.locator("#analysis").is_hidden()
    assert page.page.locator("#to-game").is_hidden()


def test_the_opening_has_its_name(page):
    page.ready()
    page.load("1. 11-15 *")
    assert page.page.locator("#opening").is_hidden()
    page.type("23-18")
    page.page.locator("#opening", has_text="Opening: Cross").wait_for()


def test_a_third_occurrence_is_explained(page):
    page.ready()
    page.load('[FEN "B:WK32:BK1"] 1. 1-5 32-27 2. 5-1 27-32 3. 1-5 32-27 4. 5-1 *')
    page.type("27-32")
    page.page.locator("#result-title", has_text="A draw").wait_for()
    said = page.page.inner_text("#result-text")
    assert said == "Draw: the same position for the third time, after 4 moves."
    page.page.click("#result-dialog button[value=close]")
    page.says(re.compile("the same position for the third time"))
