"""The documents: which there are, and the commands in them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.site.examples import PLACE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Command(NamedTuple):
    """A line after a prompt, without its comment, and the lines that the page shows below it."""

    page: Path
    words: str
    shown: str


def console_commands(page: Path) -> Iterator[Command]:
    """The commands in a page's blocks of the language ``console``, in order."""
    for language, block in _FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                line, _, shown = part.replace("\\\n", " ").partition("\n")
                yield Command(page, re.sub(r"\s+# .*", "", line), shown)


def indented_commands(page: Path) -> Iterator[Command]:
    """The calls of the program in a page's indented blocks."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"^    (evocheckers .*)$", text, re.MULTILINE):
        yield Command(page, re.sub(r"\s+# .*", "", line), "")


def snippets(page: Path) -> list[str]:
    """A page's blocks of Python, but for the programs of ``examples/``, which are run on their own."""
    found = _FENCE.findall(PLACE.sub("", page.read_text(encoding="utf-8")))
    return [block for language, block in found if language == "python"]
