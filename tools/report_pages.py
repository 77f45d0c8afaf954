"""The pages of ``docs/experiments`` that are made from a reproduction's report.

``python -m tools.report_pages over-the-hill reports/over-the-hill`` imports a new report with its figures; without
arguments every page is rewritten from the data next to it. The generated part is between the comments
``<!-- report -->`` and ``<!-- end of report -->``; text written by hand follows it.
"""

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill
from typing import Any

from evocheckers.papers.report import Table

DOCS = Path(__file__).resolve().parent.parent / "docs"
EXPERIMENTS = DOCS / "experiments"
FIGURES = DOCS / "figures"
BEGIN, END = "<!-- report -->\n", "<!-- end of report -->\n"


def reports() -> dict[str, dict[str, Any]]:
    """The stored reports, by the names of their pages."""
    found = {path.stem: json.loads(path.read_text()) for path in sorted(EXPERIMENTS.glob("*.json"))}
    return {name: report for name, report in found.items() if isinstance(report, dict)}


def markdown(name: str, report: Mapping[str, Any]) -> str:
    """A report as Markdown for its page."""
    blocks = [f"# {report['title']}", f"Made by `{report['command']}`; digest `{report['digest']}`."]
    for part in report["parts"]:
        if "table" in part:
            blocks.append(Table(part["table"], part["header"], part["rows"]).to_markdown())
        elif "figure" in part:
            blocks.append(f"![{part['caption']}](../figures/{name}-{part['figure']}.png)")
        else:
            blocks.append(fill(part["text"], 118, break_long_words=False, break_on_hyphens=False))
    return "\n\n".join(blocks)


def refreshed(page: str, name: str, report: Mapping[str, Any]) -> str:
    """A page with its report regenerated."""
    before, begun, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"{name}.md does not say where its report begins and ends")
    return f"{before}{BEGIN}\n{markdown(name, report)}\n\n{END}{after}"


def take_over(name: str, folder: Path) -> None:
    """Store a new report and its figures; the page is created if there is none."""
    report = json.loads((folder / "report.json").read_text())
    for part in report["parts"]:
        if "figure" in part:
            shutil.copyfile(folder / f"{part['figure']}.png", FIGURES / f"{name}-{part['figure']}.png")
    (EXPERIMENTS / f"{name}.json").write_text(json.dumps(report, indent=1) + "\n")
    page = EXPERIMENTS / f"{name}.md"
    if not page.exists():
        page.write_text(BEGIN + END)


def main() -> None:
    """Import a report, if one is named, and write all pages."""
    if len(sys.argv) > 1:
        take_over(sys.argv[1], Path(sys.argv[2]))
    for name, report in reports().items():
        page = EXPERIMENTS / f"{name}.md"
        page.write_text(refreshed(page.read_text(), name, report))


if __name__ == "__main__":
    main()
