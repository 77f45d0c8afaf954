"""Hooks that MkDocs calls while it builds the site: text between ``<!-- generated: NAME -->`` and ``<!-- end of
generated -->`` is replaced by what the code says. On a forge, the line in between says where to find it."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]  # MkDocs loads only this file

from tools.site import command_line, examples, python, run_file, settings  # noqa: E402

PARTS: dict[str, Callable[[], str]] = {
    "command line": command_line.text,
    "examples": examples.text,
    "python": python.text,
    "run file": run_file.text,
    "settings": settings.text,
}
MARK = re.compile(r"^<!-- generated: (.+?) -->\n.*?\n<!-- end of generated -->$", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """A page with its generated parts filled in."""
    return MARK.sub(lambda found: PARTS[found[1]](), markdown)
