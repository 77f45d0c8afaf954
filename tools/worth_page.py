"""The tables and the figure of docs/experiments/what-a-result-is-worth.md, from measurements by ``reproduce worth``.

``python -m tools.worth_page reports/worth/worth.json`` imports new data; without a file, the page is rewritten from the
data next to it. What it writes is between comments with its name.
"""

import json
import sys
from pathlib import Path
from textwrap import fill

from evocheckers.analysis.plots import plot_into
from evocheckers.papers.curves import Curves, Point, tables

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "experiments" / "what-a-result-is-worth.md"
DATA = PAGE.with_suffix(".json")
FIGURE = DOCS / "figures" / "worth-by-games.png"


def read(path: Path) -> Curves:
    """Read the measurements."""
    return Curves(Point.from_json(point) for point in json.loads(path.read_text()))


def refreshed(page: str, curves: Curves) -> str:
    """A page with all tables that it contains regenerated."""
    blocks = {"finding": fill(curves.finding(curves.last), 118)}
    blocks |= {name: table.to_markdown() for name, table in tables(curves, curves.last).items()}
    for name, text in blocks.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, found, rest = page.partition(begin)
        _, ended, after = rest.partition(end)
        if found and not ended:
            raise ValueError(f"the page does not say where {name!r} ends")
        if found:
            page = f"{before}{begin}\n{text}\n\n{end}{after}"
    return page


def main() -> None:
    """Import data, if any, and write the page and the figure."""
    if len(sys.argv) > 1:
        DATA.write_text(Path(sys.argv[1]).read_text())
    curves = read(DATA)
    PAGE.write_text(refreshed(PAGE.read_text(), curves))
    plot_into(FIGURE, curves.plot)


if __name__ == "__main__":
    main()
