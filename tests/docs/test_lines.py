"""No line of prose is longer than 120 characters; tables and blocks of code in documents may be. Ruff holds Python."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT

LONGEST = 120
TEMPLATES = sorted([*(ROOT / ".github").rglob("*.md"), *(ROOT / "src").rglob("*.md")])
COMMENT = re.compile(r"^\s*(?://|/\*|\*|#|<!--)|\s//\s")
SOURCES = sorted(
    path
    for folder in ("src", "tests", "tools", "docs/assets")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".js", ".css", ".html", ".h", ".cu", ".cpp"}
)


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a document with their numbers, but for tables, blocks of code and what cannot be broken."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not (in_code or line.startswith(("|", "    ")) or re.fullmatch(r"\S*\[?.{0,20}\]?\(\S+\)\S*|\S+", line)):
            yield number, line


def test_what_is_prose():
    text = "a line\n| a | table |\n```\ncode\n```\n    code\nhttps://example.org\nthe end"
    assert [line for _, line in prose(text)] == ["a line", "the end"]


@pytest.mark.parametrize("page", [*PAGES, *TEMPLATES], ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_of_documents(page: Path):
    long = [number for number, line in prose(page.read_text(encoding="utf-8")) if len(line) > LONGEST]
    assert not long, f"{page.relative_to(ROOT)}: lines {long} have more than {LONGEST} characters"


def test_comments_of_other_sources():
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST and COMMENT.search(line) and "@typedef" not in line  # that is code
    ]
    assert len(SOURCES) > 20
    assert not long
