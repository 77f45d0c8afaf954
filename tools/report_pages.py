"""The pages of ``docs/experiments`` that are made from a reproduction's report.

``python -m tools.report_pages over-the-hill reports/over-the-hill`` imports a new report with its figures; without
arguments every page is written again from the data next to it and the text of its template, which stands beside the
reproduction in ``src/evocheckers/papers``. The generated part is between the comments ``<!-- report -->`` and
``<!-- end of report -->``; text written by hand follows it.
"""

import json
import shutil
import sys
from pathlib import Path

from evocheckers.papers.report import Report

DOCS = Path(__file__).resolve().parent.parent / "docs"
EXPERIMENTS = DOCS / "experiments"
FIGURES = DOCS / "figures"
BEGIN, END = "<!-- report -->\n", "<!-- end of report -->\n"


def reports() -> dict[str, Report]:
    """The stored reports, by the names of their pages."""
    found = {path.stem: json.loads(path.read_text()) for path in sorted(EXPERIMENTS.glob("*.json"))}
    return {name: Report.from_json(data) for name, data in found.items() if isinstance(data, dict)}


def refreshed(page: str, name: str, report: Report) -> str:
    """A page with its report regenerated."""
    before, begun, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"{name}.md does not say where its report begins and ends")
    return f"{before}{BEGIN}\n{report.to_markdown(f'../figures/{name}-')}\n{END}{after}"


def take_over(name: str, folder: Path) -> None:
    """Store a new report and its figures; the page is created if there is none."""
    report = Report.from_json(json.loads((folder / "report.json").read_text()))
    for figure in report.figures:
        shutil.copyfile(folder / f"{figure}.png", FIGURES / f"{name}-{figure}.png")
    (EXPERIMENTS / f"{name}.json").write_text(json.dumps(report.to_json(), indent=1) + "\n")
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
