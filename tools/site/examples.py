"""The files of ``examples/``: programs as they are, the notebook with its cells' output.

A page shows a program between ``<!-- example: FILE -->`` and ``<!-- end of example -->``; ``python -m
tools.site.examples`` rewrites all such places.
"""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples"
PLACE = re.compile(r"(<!-- example: (\S+) -->\n).*?(<!-- end of example -->)", re.DOTALL)


def text() -> str:
    """A section per program, by name, then the notebooks."""
    programs = [f"## `{path.name}`\n\n{program(path.name)}" for path in sorted(FOLDER.glob("*.py"))]
    return "\n\n".join([*programs, *(_notebook(path) for path in sorted(FOLDER.glob("*.ipynb")))])


def program(name: str) -> str:
    """A program as a code block."""
    return f"```python\n{(FOLDER / name).read_text(encoding='utf-8').rstrip()}\n```"


def _notebook(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join([f"## `{path.name}`", *(_cell(cell) for cell in cells)])


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return "\n".join(f"##{line}" if line.startswith("#") else line for line in source.splitlines())
    shown = [f"```python\n{source}\n```"]
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", "")})
        picture = "".join(data.get("image/svg+xml", "")).replace("\n", "")
        shown.append(picture or f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    return "\n\n".join(shown)


def refreshed(page: str) -> str:
    """A page with its programs updated."""
    return PLACE.sub(lambda found: f"{found[1]}\n{program(found[2])}\n\n{found[3]}", page)


if __name__ == "__main__":
    for path in sorted((ROOT / "docs").rglob("*.md")):
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
