"""The page in Firefox: by click, drag, finger and keys, at five sizes, in both themes."""

import pytest

from tests.web.firefox import FIREFOX, Firefox
from tests.web.test_look import SIZES, THEMES

ENTER = "\ue007"


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
