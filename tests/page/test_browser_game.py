"""What a game on the page is made of: values, levels, clocks, ratings, the end, links, tabs, a server that is away."""

import re

from evocheckers.page.games.levels import level_models
from tests.page.browsing import TWO_PATHS, Page


def test_values_are_the_champions_in_men_to_black(page):
    page.ready()
    page.page.locator("#position-value", has_text="men to Black; the champion").wait_for()
    page.load("W:W21,32:BK1,K2,K6")
    page.page.locator("#position-value strong", has_text=re.compile(r"\+\d|Black wins")).wait_for()
    assert "Black" in page.page.locator("#bar").get_attribute("aria-label")
    page.page.uncheck("#with-values")
    assert page.page.locator("#bar").is_hidden()
    page.page.reload()
    page.page.locator(".movable").first.wait_for()
    assert page.page.locator("#value").is_hidden()


def test_every_level_has_its_rating(page):
    page.ready()
    page.page.click("#new")
    page.page.locator("#levels .level-name").first.wait_for()
    names = page.texts("#levels .level-name")
    assert names[:-1] == [level.name for level in level_models()]
    ratings = [int(text) for text in page.texts("#levels .rating")]
    assert ratings == sorted(ratings) == [level.rating for level in level_models()]


def test_a_rated_game_with_a_clock_to_its_end(page):
    page.ready()
    page.new_game(level="0", clock="180+2", rated="Ada")
    page.page.locator("#seat-bottom", has_text="Ada").wait_for()
    assert page.texts(".clock") == ["3:00", "3:00"]
    page.type("11-15")
    page.settled(2)
    for help_button in ("#takeback", "#hint", "#threat", "#analyse"):
        assert page.page.locator(help_button).is_disabled()
    assert page.page.locator("#value").is_hidden()
    page.page.locator(".clock.running", has_text=re.compile(r"2:5\d|3:0\d")).wait_for()
    page.page.click("#resign")
    page.page.click("#resign-dialog button[value=cancel]")
    page.settled(2)
    page.page.click("#resign")
    page.page.click("#resign-dialog button[value=resign]")
    page.page.locator("#result-title", has_text="You lose").wait_for()
    page.page.locator("#result-text", has_text="Your rating").wait_for()
    page.page.locator("#next-level", has_text="Beginner").wait_for()
    page.page.click("#result-dialog button[value=rematch]")
    page.page.locator("#seat-bottom", has_text="White: Ada").wait_for()  # the other colour
    page.page.locator("#status[data-ply='1']").wait_for()


def test_a_clock_that_runs_out_loses(page, server):
    page.ready()
    game = page.page.evaluate(
        """async () => (await (await fetch("/api/games", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify({white: {player: "random"}, clock: {initial: 10, increment: 0}})})).json()).id"""
    )
    page.open(f"/#{game}")
    page.page.locator(".clock").first.wait_for()
    page.page.clock.install()
    page.type("11-15")
    page.settled(2)
    page.page.route("**/flag", lambda route: route.fulfill(status=409, json={"detail": "there is time left"}))
    page.page.clock.fast_forward(11_000)
    page.page.locator(".clock.low", has_text="0:00.0").wait_for()
    page.expect_conflicts()


def test_reload_back_and_a_bad_link(page):
    page.ready()
    page.type("11-15")
    page.settled(2)
    first, moves = page.page.url, page.moves()
    page.page.reload()
    page.settled(2)
    assert page.moves() == moves
    page.new_game(level="0")
    page.page.locator("#seat-top", has_text="First steps").wait_for()
    second = page.page.url
    page.page.go_back()
    page.settled(2)
    assert (page.page.url, page.moves()) == (first, moves)
    page.page.go_forward()
    page.settled(0)
    page.page.evaluate("location.hash = 'AAAAAAAAAAAAAAAAAAAAAA'")  # a game that is none does not replace yours
    page.says("no such game")
    assert page.page.url == second
    page.page.goto("about:blank")
    page.open("/#what/is/this")
    page.says("leads to no game")
    assert page.page.url == second
    page.faults.clear()  # an answer of 404, and the blank page


def test_a_network_that_is_not_there_leaves_a_game_to_play(page):
    page.open("/?player=run:nothing%231")
    page.says("no player")
    page.page.locator(".movable").first.wait_for()
    page.faults.clear()  # an answer of 404
    page.page.click("#analyse")
    page.page.locator("#analysis").wait_for()


def test_a_link_shows_a_game_and_gives_nobody_a_move(page, server, browser):
    page.ready()
    page.type("11-15")
    page.settled(2)
    page.page.click("#share")
    link = page.page.input_value("#share-link")
    page.page.click("#share-dialog button[value=close]")
    context = browser.new_context()
    other = Page(context.new_page(), server.url)
    other.page.goto(link)
    other.page.locator("#moves button").nth(1).wait_for()
    assert page.page.url.partition("#")[2] not in other.page.content() + other.page.url
    assert other.page.locator(".movable").count() == 0
    assert other.page.locator("#resign").is_disabled()
    page.type(str(page.board().legal_moves()[0]))
    other.page.locator("#moves button").nth(2).wait_for(timeout=10_000)  # it is followed
    assert other.faults == []
    context.close()


def test_my_games_and_two_tabs(page, browser):
    page.ready()
    page.new_game(level="0")
    page.page.locator("#seat-top", has_text="First steps").wait_for()
    page.type("11-15")
    page.settled(2)
    second = page.page.context.new_page()
    second.goto(page.page.url)
    second.locator("#status[data-ply='2']").wait_for()
    page.type(str(page.board().legal_moves()[0]))
    second.locator("#status[data-ply='4']").wait_for()  # the other tab played
    second.close()
    page.load(TWO_PATHS)
    page.says("you must capture")
    page.page.click("#my-games")
    page.page.click("#games-list button:has-text('First steps')")
    page.settled(4)


def test_two_tabs_get_the_same_engine_move(page):
    page.ready()
    page.new_game(level="0")
    page.page.locator("#seat-top", has_text="First steps").wait_for()
    second = Page(page.page.context.new_page(), page.url)
    second.page.goto(page.page.url)
    second.settled(0)
    page.hold("/engine")
    second.hold("/engine")
    page.type("11-15")
    second.page.locator("#status[data-ply='1'][data-waiting=engine]").wait_for()
    second.release()
    second.settled(2)
    with page.page.expect_response("**/engine") as answered:
        page.release()  # too late: the move has been played
    assert answered.value.status == 200
    page.settled(2)
    assert page.moves() == second.moves()
    assert second.faults == []
    second.page.close()


def test_a_server_that_is_away_loses_no_move(page):
    page.ready()
    page.page.route("**/api/games/*/moves", lambda route: route.abort())  # nobody answers
    page.type("11-15")
    page.page.locator(".away").wait_for()
    assert page.square(15).get_attribute("aria-label") == "square 15, black man"
    page.page.unroute("**/api/games/*/moves")
    page.settled(2)
    assert page.moves()[0] == "11-15"
    assert page.page.locator(".away").count() == 0
    page.faults.clear()


def test_nothing_of_another_position_stays(page):
    page.ready()
    page.page.click("#analyse")
    page.page.locator("#analysis").wait_for()
    page.load(TWO_PATHS)
    page.says("you must capture")
    assert page.page.locator("#analysis").is_hidden()
    assert page.page.locator(".worth").count() == 0
    page.square(27).click()
    page.square(11).click()
    page.page.locator("#choices button").first.wait_for()
    page.new_game(level="0")
    page.page.locator("#seat-top", has_text="First steps").wait_for()
    assert page.page.locator("#choices").is_hidden()


def test_a_recorded_result_and_its_players_are_kept(page):
    page.ready()
    page.load('[Black "Ann"] [White "Bo"] [Result "1-0"] 1. 11-15 22-18 2. 15x22 1-0')
    page.says("Black wins: as recorded")
    page.page.locator("#seat-top", has_text="Ann").wait_for()
    page.page.locator("#seat-bottom", has_text="Bo").wait_for()


def test_sounds_are_off_until_switched_on(page):
    page.page.add_init_script(
        "window.heard = 0; const Made = AudioContext; window.AudioContext = class extends Made {"
        " constructor() { super(); window.heard += 1; } }"
    )
    page.ready()
    page.type("11-15")
    page.settled(2)
    assert page.page.evaluate("heard") == 0
    page.page.check("#with-sound")
    assert page.page.evaluate("heard") == 1
