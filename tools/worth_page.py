"""The tables and the figure of docs/experiments/what-a-result-is-worth.md, from measurements by ``reproduce worth``.

``python -m tools.worth_page reports/worth/worth.json`` imports new data; without a file, the page is rewritten from the
data next to it. What it writes is between comments with the name of a table, or ``ranking``, and the report's digest.
"""

import json
import re
import sys
from pathlib import Path

from evocheckers.analysis.plots import plot_into
from evocheckers.papers.ours.worth import Curves, Point, report_on

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "experiments" / "what-a-result-is-worth.md"
DATA = PAGE.with_suffix(".json")
FIGURE = DOCS / "figures" / "worth-by-games.png"


def read(path: Path) -> Curves:
    """Read the measurements."""
    return Curves(Point.from_json(point) for point in json.loads(path.read_text()))


def refreshed(page: str, curves: Curves) -> str:
    """A page with its digest and all parts of the report that it contains regenerated."""
    report = report_on(curves, "evocheckers reproduce worth")
    blocks = report.blocks()
    parts = {"ranking": next(block for block in blocks if report.facts["ranking"] in " ".join(block.split()))}
    for name, table in report.tables.items():
        place = blocks.index(table.to_markdown())
        parts[name] = "\n\n".join(blocks[place - 1 : place + 1])
    for name, text in parts.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, found, rest = page.partition(begin)
        _, ended, after = rest.partition(end)
        if not (found and ended):
            raise ValueError(f"the page does not say where {name!r} begins and ends")
        page = f"{before}{begin}\n{text}\n\n{end}{after}"
    return re.sub(r"(report's digest is `)[0-9a-f]+`", rf"\g<1>{report.digest}`", page)


def main() -> None:
    """Import data, if any, and write the page and the figure."""
    if len(sys.argv) > 1:
        DATA.write_text(Path(sys.argv[1]).read_text())
    curves = read(DATA)
    PAGE.write_text(refreshed(PAGE.read_text(), curves))
    plot_into(FIGURE, curves.plot)


if __name__ == "__main__":
    main()
