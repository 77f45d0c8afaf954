"""The pages in Firefox: by click, drag, finger and keys, at five sizes, in both themes; each page of study once."""

import pytest

from tests.page.firefox import FIREFOX, Firefox
from tests.page.test_look import SIZES, THEMES

ENTER, ESCAPE, LEFT, END = "\ue007", "\ue00c", "\ue012", "\ue010"
BLUNDER = '[FEN "B:W22,32:B14,3,4"] 1. 14-17 22x13 2. 3-7 32-27 *'


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    if FIREFOX is None:
        pytest.skip("no Firefox on this machine")
    try:
        made = Firefox(tmp_path_factory.mktemp("firefox"))
    except (OSError, TimeoutError) as error:
        pytest.skip(f"Firefox does not start on this machine: {error}")
    yield made
    made.close()


def middle(firefox: Firefox, square: int) -> tuple[float, float]:
    script = f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(\
document.querySelector(\"#board [data-square='{square}'] .dark\").getBoundingClientRect())"
    x, y = firefox.run(script)
    return x, y


def labelled(firefox: Firefox, text: str) -> int:
    """The first square whose label says so."""
    found = firefox.run(f"document.querySelector(\"#board [data-square][aria-label*='{text}']\").dataset.square")
    return int(found)


def begin(firefox: Firefox, server) -> None:
    """A new game against random moves."""
    firefox.run("localStorage.clear()")
    with server.client() as client:
        game = client.post("/api/games", json={"white": {"player": "random"}}).json()["id"]
    firefox.open("about:blank")
    firefox.open(f"{server.url}/#{game}")
    firefox.wait("document.querySelector('.movable')")


def settled(firefox: Firefox, plies: int) -> None:
    firefox.wait(f"document.querySelector('#status[data-ply=\"{plies}\"][data-waiting=human]')")


def test_a_game_by_click_drag_finger_and_keys(firefox, server):
    firefox.open(server.url)
    firefox.size(1280, 800)
    begin(firefox, server)
    firefox.pointer([middle(firefox, 11)])
    firefox.pointer([middle(firefox, 15)])
    settled(firefox, 2)
    before = firefox.run("document.querySelectorAll('#moves button')[0].textContent")
    assert before == "11-15"
    for ply, kind in ((2, "mouse"), (4, "touch")):
        start = labelled(firefox, "can move")
        firefox.pointer([middle(firefox, start)], kind)
        end = labelled(firefox, "can go here")
        if kind == "mouse":
            firefox.pointer([middle(firefox, start)])  # let go, to drag it
            firefox.pointer([middle(firefox, start), middle(firefox, end)])
        else:
            firefox.pointer([middle(firefox, end)], kind)
        firefox.wait(f"Number(document.querySelector('#status').dataset.ply) > {ply}")
        firefox.wait("document.querySelector('#status[data-waiting=human]')")
    begin(firefox, server)
    for square in (9, 14):
        firefox.run(f"document.querySelector(\"#board [data-square='{square}']\").focus()")
        firefox.keys(ENTER)
    settled(firefox, 2)
    assert firefox.run("document.querySelector('#moves button').textContent") == "9-14"
    assert firefox.faults == []


@pytest.mark.parametrize("theme", THEMES)
def test_every_size(firefox, server, theme):
    firefox.open(server.url)
    firefox.run(f"localStorage.setItem('evocheckers-theme', '{theme}')")
    firefox.open("about:blank")
    for path in ("/", "/learn", "/puzzles", "/evolution"):
        firefox.open(server.url + path)
        firefox.wait("document.querySelector('header nav')")
        for width, height in SIZES:
            firefox.size(width, height)
            across, inner = firefox.run("[document.documentElement.scrollWidth, innerWidth]")
            assert across <= inner, (path, width, height)
        assert firefox.run("getComputedStyle(document.documentElement).colorScheme") == theme
    assert firefox.faults == []


@pytest.fixture
def wide(firefox, server):
    """The same Firefox on an empty page with nothing kept, and no complaint at the end."""
    firefox.open(server.url)
    firefox.run("localStorage.clear()")
    firefox.size(1280, 800)
    firefox.open("about:blank")
    yield firefox
    assert firefox.faults == []


def go(firefox: Firefox, path: list[int] | tuple[int, ...]) -> None:
    for square in path:
        firefox.click(f"#board [data-square='{square}'] .dark")


def test_a_review(wide, server, new_game):
    people = {"black": {"player": "human"}, "white": {"player": "human"}}
    wide.open(f"{server.url}/review#{new_game(pdn=BLUNDER, **people)['id']}")
    wide.says("#status", "All 4 moves")
    wide.click("#next")
    wide.says("#verdict", "a blunder")
    wide.click("#verdict .line button:nth-child(2)")
    wide.wait("document.querySelector('#verdict .line [aria-current]')")
    wide.keys(ESCAPE, LEFT)
    wide.says("#verdict", "before the first move")
    wide.click("#analyse")
    wide.wait("document.querySelectorAll('#lines tr').length > 2")


def test_watching(wide, server, new_game):
    two = {"player": "random"}
    wide.open(f"{server.url}/watch#{new_game(black=two, white=two)['id']}")
    wide.wait("document.querySelector('#status[data-running=true]')")
    wide.click("#run")
    wide.wait("document.querySelector('#status[data-running=false]')")
    before = wide.run("document.querySelectorAll('#moves button').length")
    wide.click("#step")
    wide.wait(f"document.querySelectorAll('#moves button').length > {before}")
    wide.click("#first")
    wide.wait("document.querySelector('#status[data-ply=\"0\"]')")


def test_a_puzzle(wide, server, client):
    wide.open(f"{server.url}/puzzles#1")
    line = client.get("/api/puzzles/1").json()["line"]
    for step in line:
        start, *_, end = step["move"]["path"]
        wide.wait(f"document.querySelector(\"#board [data-square='{start}'][aria-label*='can move']\")")
        go(wide, [start, end])
        wide.wait("/Right|Solved/.test(document.querySelector('#status').textContent)")
    wide.says("#status", "Solved!")
    wide.wait("document.querySelectorAll('#numbers .solved').length === 1")


def test_a_lesson(wide, server):
    wide.open(f"{server.url}/learn")
    wide.wait("document.querySelector('.movable')")
    go(wide, (11, 15))
    wide.wait("document.querySelector('#lesson-message.good')")
    wide.click("#lesson-next")
    wide.says("#lesson-title", "Jump")
    wide.says("#node-text", "Node 41 of 91")
    wide.run("document.querySelector('#node-number').focus()")
    wide.keys(END)
    wide.says("#node-text", "the whole board")


def test_an_evolution(wide, server, small_run):
    wide.open(f"{server.url}/evolution#{small_run}")
    wide.says("#status", "generation 1 of 1, finished")
    wide.wait("document.querySelectorAll('.chart').length > 2")
    wide.click("#games-form button")
    wide.click("#games button")
    wide.wait("document.querySelector('#moves button')")  # the game is replayed


def test_lines_of_the_analysis(wide, server, new_game):
    wide.open(f"{server.url}/#{new_game(white={'player': 'random'}, opening='9-14')['id']}")
    wide.wait("document.querySelector('#status[data-ply=\"2\"]')")
    wide.click("#analyse")
    wide.click("#analysis-moves .line button:nth-child(2)")
    wide.says("#status", "Not played: move 2 of")
    wide.keys(LEFT)
    wide.says("#status", "Not played: move 1 of")
    wide.keys(ESCAPE)
    wide.says("#status", "Black to move")
