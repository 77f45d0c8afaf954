"""The page in a real browser: by click, drag and keyboard, reloaded in mid-game, and followed while a run grows."""

import random
import re
from collections.abc import Iterator

import pytest

from evocheckers import Board
from evocheckers.executors.threads import ThreadExecutor
from evocheckers.runs.recording import carry_on, open_run

TWO_PATHS = "W:W27:B15,16,23,24"


class Page:
    """A page with its complaints."""

    def __init__(self, page, url) -> None:
        self.page, self.url = page, url
        self.faults: list[str] = []
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", lambda request: self._failed(request))
        page.on("request", lambda request: None if request.url.startswith(url) else self.faults.append(request.url))
        page.on("response", lambda answer: self.faults.append(answer.url) if answer.status >= 400 else None)

    def _failed(self, request) -> None:
        if not request.url.endswith("/events"):  # a stream ends with its page
            self.faults.append(f"failed: {request.url}")

    def open(self, path: str = "/") -> "Page":
        self.page.goto(self.url + path)
        return self

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(selector).all_inner_texts()

    def square(self, number: int):
        return self.page.locator(f"#board [data-square='{number}']")

    def moves(self) -> list[str]:
        return self.texts("#moves button")

    def board(self) -> Board:
        return Board(self.page.input_value("#fen"))

    def settled(self, plies: int) -> None:
        """Until so many plies are played, and it is a person's turn."""
        self.page.locator(f"#status[data-ply='{plies}'][data-waiting=human]").wait_for()


@pytest.fixture
def page(browser, server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(20_000)
    made = Page(context.new_page(), server.url)
    yield made
    assert made.faults == []
    context.close()


def load(page: Page, text: str) -> None:
    page.page.click("#import")
    page.page.fill("#import-text", text)
    page.page.click("#import-form button[value=load]")
    page.page.locator("#import-dialog").wait_for(state="hidden")


def new_game(page: Page, **chosen: str) -> None:
    page.page.click("#new")
    for name, value in chosen.items():
        page.page.select_option(f"#new-form [name={name}]", value)
    page.page.click("#new-form button[value=start]")
    page.page.locator("#new-dialog").wait_for(state="hidden")


def click_move(page: Page, move) -> None:
    page.square(move.path[0]).click()
    for square in move.path[1:]:
        page.square(square).click()


def drag_move(page: Page, move) -> None:
    boxes = [page.square(square).bounding_box() for square in (move.path[0], move.path[1])]
    (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
    page.page.mouse.move(to_x, to_y, steps=3)
    page.page.mouse.up()
    for square in move.path[2:]:
        if page.page.locator(".selected").count():
            page.square(square).click()


def key_move(page: Page, move) -> None:
    for square in move.path:
        page.square(square).focus()
        page.page.keyboard.press("Enter")


@pytest.mark.parametrize("make", [click_move, drag_move, key_move])
def test_whole_games(page, make):
    page.open()
    page.page.locator(".movable").first.wait_for()
    new_game(page, player="random", limit="2")
    page.page.locator("#seat-top", has_text="Random").wait_for()
    generator = random.Random(5)
    for ply in range(0, 60, 2):
        page.page.locator(f"#status[data-ply='{ply}'][data-waiting=human]").wait_for()
        choices = generator.choices(page.board().legal_moves(), k=3)
        make(page, max(choices, key=lambda move: len(move.captured)))
        page.page.locator(f"#status[data-ply='{ply + 2}'], #status[data-waiting=nobody]").wait_for()
        if page.page.locator("#status[data-waiting=nobody]").count():
            break
    else:
        page.page.click("#resign")
    page.page.locator("#status", has_text=re.compile("wins|Draw")).wait_for()
    assert len(page.moves()) > 10
    replayed = Board().push_all(page.moves())
    assert replayed.fen() == page.page.input_value("#fen")


def test_a_jump_with_two_paths(page):
    page.open()
    page.page.locator(".movable").first.wait_for()
    for way, squares in (("27x18x11", [27, 18, 11]), ("27x20x11", [27, 20, 11])):
        load(page, TWO_PATHS)
        page.page.locator("#status", has_text="you must capture").wait_for()
        for square in squares:  # step by step
            page.square(square).click()
        page.page.locator("#moves button", has_text=way).wait_for()
    load(page, TWO_PATHS)
    page.page.locator("#status", has_text="you must capture").wait_for()
    page.square(27).click()
    page.square(11).click()  # the last square: which way?
    assert sorted(page.texts("#choices button")) == ["27x18x11", "27x20x11"]
    page.page.click("#choices button:has-text('27x20x11')")
    page.page.locator("#moves button", has_text="27x20x11").wait_for()


def test_take_back_reload_navigate_and_export(page, server):
    page.open()
    page.page.locator(".movable").first.wait_for()
    new_game(page, player="champion", limit="2")
    page.page.locator("#seat-top", has_text="2 plies").wait_for()
    page.page.fill("#move-text", "11-15")
    page.page.keyboard.press("Enter")
    page.settled(2)
    page.page.fill("#move-text", "11-16")
    page.page.keyboard.press("Enter")
    page.page.locator("#status", has_text="11-16").wait_for()
    page.faults.clear()  # the refusal of an illegal move is an answer of 422
    before = page.moves()
    page.page.reload()
    page.settled(2)
    assert page.moves() == before
    page.page.click("#back")
    page.page.locator("#status", has_text="after 1 of 2").wait_for()
    page.page.keyboard.press("ArrowLeft")
    page.page.locator("#status", has_text="after 0 of 2").wait_for()
    page.page.click("#last")
    page.page.click("#takeback")
    page.page.locator("#moves button").first.wait_for(state="detached")
    assert page.board() == Board()
    page.page.click("#hint")
    page.page.locator("#status", has_text="Hint").wait_for()
    pdn = page.page.request.get(server.url + page.page.get_attribute("#pdn", "href")).text()
    assert '[White "Champion"]' in pdn
    load(page, '[Event "x"] 1. 9-14 22-18 2. 5-9 *')
    page.page.locator("#moves button").nth(2).wait_for()
    assert page.moves() == ["9-14", "22-18", "5-9"]


def test_edit_a_position_and_analyse_it(page):
    page.open()
    page.page.locator(".movable").first.wait_for()
    page.page.click("#edit")
    page.page.click("#edit-clear")
    for tool, square in (("White king", 30), ("Black man", 6), ("Black man", 9)):
        page.page.click(f"#edit-tools button:has-text('{tool}')")
        page.page.locator(f"#edit-board [data-square='{square}']").click()
    page.page.select_option("#edit-turn", "W")
    page.page.click("#edit-form button[value=play]")
    page.page.locator("#edit-dialog").wait_for(state="hidden")
    page.page.locator("#status", has_text="White to move").wait_for()
    assert page.page.input_value("#fen") == "W:WK30:B6,9"
    page.page.click("#analyse")
    page.page.locator("#analysis").wait_for()
    assert len(page.texts("#analysis-moves tr")) == 2
    assert len(page.texts(".worth")) == 3
    page.page.click("#value-all")
    page.page.locator("#thought", has_text="plies ahead").wait_for()


def test_follow_a_running_evolution_and_play_its_network(page, server):
    path = server.runs / "tiny.sqlite"
    changes = {"plies": 1, "pairs": 2, "moves_per_side": 10}
    with open_run("es", path, 4, 1, changes) as run:
        grow = carry_on(run, ThreadExecutor(1), 2)
        for _ in range(2):
            next(grow)
        page.open("/evolution#tiny")
        page.page.locator("#status", has_text="generation 1 of 4").wait_for()
        assert page.page.locator(".chart").count() >= 4
        for _ in grow:
            pass
        page.page.locator("#status", has_text="generation 4 of 4, finished").wait_for()
    page.page.click("#games-form button")
    page.page.locator("#games button").first.wait_for()
    assert len(page.texts("#games li")) == 4
    page.page.click("#matrix-button")
    page.page.locator("#matrix td").first.wait_for()
    page.page.click("#games button >> nth=0")
    page.page.locator("#moves button").first.wait_for()
    page.open("/evolution#tiny")
    page.page.locator("#status", has_text="finished").wait_for()
    page.page.fill("#generation", "2")
    page.page.click("#play-this")
    page.page.locator("#seat-top", has_text="tiny, generation 2").wait_for()
    page.page.locator(".movable").first.wait_for()


def test_watching_two_players(page):
    page.open()
    page.page.locator(".movable").first.wait_for()
    new_game(page, player="random", side="none", other="material", limit="2")
    page.page.locator("#status[data-ply='4']").wait_for()
    assert page.page.locator("#resign").is_disabled()
    page.page.click("#flip")
    page.page.locator("#seat-bottom", has_text="Random").wait_for()


def test_touch(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(20_000)
    page = Page(context.new_page(), server.url).open()
    page.page.locator(".movable").first.wait_for()
    page.square(11).tap()
    page.square(15).tap()
    page.settled(2)
    assert page.moves()[0] == "11-15"
    width, inner = page.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert width <= inner  # nothing sticks out
    assert page.faults == []
    context.close()


def test_nothing_of_another_position_stays(page, server):
    page.open()
    page.page.locator(".movable").first.wait_for()
    page.page.click("#analyse")
    page.page.locator("#analysis").wait_for()
    first = page.page.url
    load(page, TWO_PATHS)
    page.page.locator("#status", has_text="you must capture").wait_for()
    assert page.page.locator("#analysis").is_hidden()
    assert page.page.locator(".worth").count() == 0
    page.square(27).click()
    page.square(11).click()
    page.page.locator("#choices button").first.wait_for()
    new_game(page, player="random")
    page.page.locator("#seat-top", has_text="Random").wait_for()
    assert page.page.locator("#choices").is_hidden()
    page.page.evaluate("address => { location.hash = address; }", first.partition("#")[2])
    page.page.locator("#seat-top", has_text="Champion").wait_for()


def test_a_capture_dragged_leg_by_leg(page):
    page.open()
    page.page.locator(".movable").first.wait_for()
    load(page, "B:W6,14,15,32:BK1")
    page.page.locator("#status", has_text="you must capture").wait_for()
    for start, end in ((1, 10), (10, 17)):
        boxes = [page.square(square).bounding_box() for square in (start, end)]
        (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.page.mouse.move(to_x, to_y, steps=5)
        page.page.mouse.up()
    page.page.locator("#moves button", has_text="1x10x17").wait_for()


def test_a_network_that_is_not_there_leaves_a_game_to_play(page):
    page.open("/?player=run:nothing%231")
    page.page.locator("#status", has_text="no player").wait_for()
    page.page.locator(".movable").first.wait_for()
    page.faults.clear()  # an answer of 404
    page.page.click("#flip")
    page.page.click("#analyse")
    page.page.locator("#analysis").wait_for()


def test_a_recorded_result_and_its_players_are_kept(page):
    page.open()
    page.page.locator(".movable").first.wait_for()
    load(page, '[Black "Ann"] [White "Bo"] [Result "1-0"] 1. 11-15 22-18 2. 15x22 1-0')
    page.page.locator("#status", has_text="Black wins: as recorded").wait_for()
    page.page.locator("#seat-top", has_text="Ann").wait_for()
    page.page.locator("#seat-bottom", has_text="Bo").wait_for()
