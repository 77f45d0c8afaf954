"""The documentation site: it builds without a warning, all links hold, and it needs nothing from elsewhere."""

import html
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from evocheckers.evolution.registry import PRESETS
from tests.docs.pages import PAGES, ROOT
from tests.page.serving import CHROMIUM
from tools.site import examples
from tools.site.python import homes

pytest.importorskip("mkdocs", reason="the site needs the extra evocheckers[docs]")


class Links(HTMLParser):
    """What a page refers to, what of that a browser loads by itself, and the anchors that it offers."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors |= {found.get("id") or "", found.get("name") or ""}
        target = found.get("href") or found.get("src")
        if target is not None:
            self.targets.append(target)
            if tag != "a" and found.get("rel") != "canonical":
                self.loaded.append(target)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    line = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    told = done.stdout + done.stderr  # --quiet would hide warnings even from --strict
    assert (done.returncode, "WARNING" in told) == (0, False), told
    return folder


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Links]:
    return {path: Links(path) for path in site.rglob("*.html")}


def test_all_links_hold(pages, site):
    broken = []
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or page.name == "404.html":
                continue
            path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            path = path / "index.html" if path.is_dir() else path
            anchor = unquote(parts.fragment)
            if not path.is_file() or (anchor and path in pages and anchor not in pages[path].anchors):
                broken.append(f"{page.relative_to(site)}: {target}")
    assert len(pages) > 30
    assert not broken


def test_nothing_is_loaded_from_elsewhere(pages, site):
    loaded = [target for links in pages.values() for target in links.loaded]
    assert loaded
    assert not [target for target in loaded if urlsplit(target).netloc]
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", style.read_text(encoding="utf-8")), style


def test_the_reference_has_every_setting_command_and_name(site):
    settings = (site / "reference" / "settings.html").read_text()
    for preset in PRESETS.values():
        assert f"<code>{preset.name}</code>" in settings
        assert all(f"<code>{name}</code>" in settings for name in preset.scheme.settings.model_fields)
    python = Links(site / "reference" / "python.html").anchors
    assert {f"evocheckers.{home}.{name}" for name, home in homes().items()} <= python
    assert {"evocheckers-evolve", "evocheckers-runs-export"} <= Links(site / "reference" / "command-line.html").anchors
    assert "CREATE" in (site / "reference" / "run-file.html").read_text()


def test_how_to_pages_show_the_examples(site):
    for page, names in (("scheme", ["hill_of_one"]), ("player", ["greedy"]), ("pytorch", ["centre", "train_torch"])):
        text = re.sub(r"<[^>]+>", "", (site / "how-to" / f"{page}.html").read_text())
        for name in names:
            first, *_ = (ROOT / "examples" / f"{name}.py").read_text().splitlines()
            assert first in html.unescape(text)
    assert not [path for path in site.rglob("*.html") if "generated:" in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_show_the_examples_as_they_are(page):
    text = page.read_text(encoding="utf-8")
    assert examples.refreshed(text) == text


def test_doctests_are_blocks_of_code(site):
    assert "<blockquote>" not in (site / "reference" / "python.html").read_text()


def test_search_works_in_files_that_are_opened_from_disk(site):
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as started:
        page = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("quiescence")
        page.locator(".md-search-result__item", has_text="Glossary").first.wait_for(state="attached")
        assert asked
        assert all(url.startswith("file:") for url in asked)
