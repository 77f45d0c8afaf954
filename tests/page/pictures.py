"""The pictures of the page in ``docs/figures``: ``python -m tests.page.pictures --runs FOLDER [--run NAME]``."""

import argparse
import tempfile
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import sync_playwright

from tests.page.serving import CHROMIUM, Server

GAME = "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 6. 3-7 28-24 7. 7x16 24-19 *"
EARLY = "1. 11-15 22-17 2. 8-11 23-19 3. 4-8 *"
"""An opening with a name, and moves to choose from."""
STUDIED = (
    "9-13 22-18 6-9 25-22 11-15 18x11 8x15 23-18 13-17 18x11 7x16 21x14x7 2x11 24-20 16-19 22-18 12-16 28-24 19x28 "
    "18-15 11x18 20x11 1-6 30-25 9-13 26-22 5-9 22x15 13-17 25-21 17-22 31-26 22x31 11-8 4x11x18 27-23 18x27 32x23 *"
)
"""A game with mistakes by both sides."""
FOLDER = Path(__file__).parents[2] / "docs" / "figures"
LOOKS: tuple[tuple[str, int, int, Literal["light", "dark"]], ...] = (
    ("desktop", 1280, 800, "light"),
    ("dark", 1280, 800, "dark"),
    ("phone", 390, 844, "light"),
    ("phone-dark", 390, 844, "dark"),
    ("sideways", 844, 390, "light"),
)


def study(page: Any, server: Server) -> None:
    """A review and a puzzle."""
    people = {"black": {"player": "human"}, "white": {"player": "human"}}
    with server.client() as client:
        game = client.post("/api/games", json={"pdn": STUDIED, **people}).json()
    page.goto(f"{server.url}/review#{game['id']}")
    page.locator("#status", has_text="All").wait_for()
    page.click("#next")
    page.locator("#verdict", has_text="Better was").wait_for()
    page.screenshot(path=FOLDER / "page-review.png")
    page.goto(f"{server.url}/puzzles#1")
    page.locator(".movable").first.wait_for()
    page.screenshot(path=FOLDER / "page-puzzles.png")


def analyse(page: Any, server: Server) -> None:
    """The lines of a position."""
    with server.client() as client:
        game = client.post("/api/games", json={"white": {"player": "human"}, "pdn": EARLY}).json()
    page.goto(f"{server.url}/#{game['id']}")
    page.locator("#position-value strong").wait_for()
    page.click("#look-into")
    page.locator("#status", has_text="Best").wait_for()
    page.screenshot(path=FOLDER / "page-analysis.png", full_page=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--run", help="the run to show; without it, that picture stays as it is")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as started:
        server = Server(Path(data), wanted.runs)
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with server.client() as client:
            game = client.post("/api/games", json={"white": {"player": "champion", "limit": "6"}, "pdn": GAME}).json()
            for ply in range(game["ply"] + 1):
                client.post(f"/api/games/{game['id']}/score", json={"ply": ply})
        for name, width, height, scheme in LOOKS:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.goto(f"{server.url}/#{game['id']}")
            page.locator(".movable").first.wait_for()
            page.locator("#position-value strong").wait_for(state="attached")
            page.screenshot(path=FOLDER / f"page-{name}.png")
            if name == "desktop":
                analyse(page, server)
                page.goto(f"{server.url}/learn")
                page.locator(".movable").first.wait_for()
                page.locator("#node-text", has_text="Node").wait_for()
                page.screenshot(path=FOLDER / "page-learn.png")
                study(page, server)
                if wanted.run:
                    page.goto(f"{server.url}/evolution#{wanted.run}")
                    page.locator("#position-text", has_text="should play").wait_for()
                    page.screenshot(path=FOLDER / "page-evolution.png", full_page=True)
            context.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
