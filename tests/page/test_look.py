"""The look: contrasts by computation, sizes of files and of the board, nothing sticking out, axe."""

import re
from pathlib import Path

import pytest

from evocheckers.page.app import PAGES, STATIC
from tests.page.browsing import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
SIZES = [(1280, 800), (960, 700), (844, 390), (390, 844), (768, 1024)]
THEMES = ("light", "dark")
LARGEST = 200_000
PATHS = [path for path in PAGES if path != "/"]


def tokens(theme: str) -> dict[str, str]:
    """The colours of the style sheet by name."""
    text = (STATIC / "common" / "tokens.css").read_text()
    found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))
    for name, light, dark in re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", text):
        found[name] = light if theme == "light" else dark
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_contrasts(theme):
    colour = tokens(theme)
    texts = [(ink, ground) for ink in ("ink", "soft", "accent", "fault", "good") for ground in ("paper", "panel")]
    texts += [("ink", "raised"), ("accent-ink", "accent"), ("paper", "fault")]
    texts += [("square-ink", "square-dark"), ("square-ink", "square-last")]
    marks = [(piece, square) for piece in ("black-fill", "white-fill") for square in ("square-dark", "square-last")]
    marks += [("black-edge", "panel"), ("black-crown", "black-fill"), ("white-crown", "white-fill")]
    marks += [("focus", "paper"), ("focus", "panel")]
    faults = [(pair, contrast(*(colour[name] for name in pair))) for pair in texts]
    assert [fault for fault in faults if fault[1] < 4.5] == []
    faults = [(pair, contrast(*(colour[name] for name in pair))) for pair in marks]
    assert [fault for fault in faults if fault[1] < 3] == []


def test_files_are_small_and_short():
    for path in (path for path in STATIC.rglob("*") if path.is_file()):
        assert path.stat().st_size < LARGEST, path
        if path.suffix == ".js":
            assert len(path.read_text().splitlines()) <= 600, path
        assert "http://" not in path.read_text(errors="ignore").replace("http://www.w3.org", ""), path


def test_it_can_be_installed(client):
    for path in PAGES:
        assert '<link rel="manifest" href="/static/common/manifest.json" />' in client.get(path).text
    manifest = client.get("/static/common/manifest.json").json()
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        answer = client.get(icon["src"])
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, icon["type"])


def faults_of(page: Page) -> list[str]:
    """What axe finds; that its own styles are refused is no fault of the page."""
    before = list(page.faults)
    page.page.evaluate(AXE.read_text())
    found = page.page.evaluate("axe.run()")
    page.page.wait_for_timeout(100)  # complaints come after the answer
    page.faults[:] = before
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:150]}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_every_size(browser, server, theme):
    """The board is large and whole, nothing sticks out, what one plays with is visible, and axe finds nothing."""
    context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
    page = Page(context.new_page(), server.url).ready()
    page.load("1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 6. 3-7 28-24 *")
    page.page.locator("#position-value strong").wait_for()
    for width, height in SIZES:
        page.page.set_viewport_size({"width": width, "height": height})
        across, inner = page.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert across <= inner, (width, height)
        box = page.page.locator("#board").bounding_box()
        assert min(width, height) - box["width"] < 130, (width, height, box)
        assert box["y"] + box["height"] <= height
        for control in ("#new", "#back", "#resign", "#moves", "#seat-bottom"):
            seen = page.page.locator(control).bounding_box()
            assert seen["y"] + seen["height"] <= height + 1, (width, height, control)
    if AXE.exists():
        assert faults_of(page) == []
    assert page.faults == []
    context.close()


MISTAKE = "1. 9-13 22-18 2. 6-9 25-22 3. 11-15 18x11 4. 8x15 23-18 5. 13-17 18x11 6. 7x16 21x14x7 7. 2x11 24-20 *"
COVERED = """() => {
    const seen = [...document.querySelector(".game").children].filter((one) => one.getClientRects().length);
    return seen.flatMap((one, i) => {
        const [box, next] = [one.getBoundingClientRect(), seen[i + 1]?.getBoundingClientRect()];
        const hasOwnBar = getComputedStyle(one).overflowY === "auto";
        const end = hasOwnBar ? box.bottom : box.top + Math.max(box.height, one.scrollHeight);
        const isBelow = next && next.left < box.right && next.right > box.left && next.top > box.top;
        return isBelow && end > next.top + 1 ? [`${one.id || one.className} ${end} ${next.top}`] : [];
    });
}"""
"""The parts of the panel whose contents reach into the part below."""


def test_nothing_in_the_panel_covers_anything(page, client):
    """With as much in it as there can be: lines of an analysis, a mistake with what was better, a solution."""
    people = {"black": {"player": "human"}, "white": {"player": "human"}}
    game = client.post("/api/games", json={"pdn": MISTAKE, **people}).json()["id"]

    def look(path: str, *steps: str) -> None:
        page.open(path)
        for step in steps:
            page.page.click(step)
        for width, height in SIZES:
            page.page.set_viewport_size({"width": width, "height": height})
            assert page.page.evaluate(COVERED) == [], (path, width, height)

    look(f"/#{game}", "#look-into", "#analysis-moves button")
    look("/puzzles#2", "#solution", "#explanation .line button")
    page.open(f"/review#{game}")
    page.says("All 14 moves")
    look(f"/review#{game}", "#next", "#verdict .line button")
    look(f"/watch#{game}", "#run")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci")
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_pages_and_dialogs(browser, server, theme):
    context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
    page = Page(context.new_page(), server.url)
    for path in PATHS:
        page.open(path)
        page.page.locator("h1").first.wait_for()
        assert faults_of(page) == [], path
    page.ready()
    page.page.keyboard.press("a")
    page.page.locator("#analysis-moves button").first.click()
    assert faults_of(page) == [], "lines"
    for button, dialog in (("#new", "new"), ("#edit", "edit"), ("#import", "import"), ("#share", "share")):
        page.page.click(button)
        page.page.locator(f"#{dialog}-dialog").wait_for()
        assert faults_of(page) == [], dialog
        page.page.keyboard.press("Escape")
    assert page.faults == []
    context.close()


def test_the_theme_can_be_chosen(page):
    page.ready()
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.page.evaluate(ground)
    page.page.click("button[aria-label='Light or dark']")
    after = page.page.evaluate(ground)
    assert after != before
    page.page.reload()
    assert page.page.evaluate(ground) == after
