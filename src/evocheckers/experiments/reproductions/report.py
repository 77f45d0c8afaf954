"""A reproduction's report: text, tables and figures in order, as Markdown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evocheckers.experiments.plots import plot_into


@dataclass(frozen=True)
class Table:
    """Rows under a heading."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def to_markdown(self) -> str:
        lines = [f"**{self.title}**", ""] if self.title else []
        lines.append("| " + " | ".join(self.header) + " |")
        lines.append("|" + "---|" * len(self.header))
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in self.rows]
        return "\n".join(lines)


@dataclass(frozen=True)
class Figure:
    """A plot, in a file beside the report."""

    name: str
    caption: str
    draw: Callable[[Any], None]
    """Gets Matplotlib's ``pyplot`` and fills its current figure."""

    def to_markdown(self) -> str:
        return f"![{self.caption}]({self.name}.png)"

    def save(self, folder: Path) -> Path:
        """Write it."""
        path = folder / f"{self.name}.png"
        plot_into(path, self.draw)
        return path


@dataclass
class Report:
    """What came out, beside what the paper says."""

    title: str
    command: str
    parts: list[str | Table | Figure] = field(default_factory=list)

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self.parts.append(text)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add a table."""
        self.parts.append(Table(title, header, rows))

    def figure(self, name: str, caption: str, draw: Callable[[Any], None]) -> None:
        """Add a figure."""
        self.parts.append(Figure(name, caption, draw))

    def to_markdown(self) -> str:
        """The whole report."""
        blocks = [f"# {self.title}", f"Made by `{self.command}`."]
        blocks += [part if isinstance(part, str) else part.to_markdown() for part in self.parts]
        return "\n\n".join(blocks) + "\n"

    def to_json(self) -> dict[str, Any]:
        """The report as data: paragraphs, tables, names of figures."""
        parts: list[Any] = []
        for part in self.parts:
            if isinstance(part, Table):
                parts.append({"table": part.title, "header": list(part.header), "rows": [list(r) for r in part.rows]})
            else:
                parts.append({"figure": part.name} if isinstance(part, Figure) else {"text": part})
        return {"title": self.title, "command": self.command, "parts": parts}

    def write(self, folder: Path) -> Path:
        """Write ``report.md`` and the figures into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for part in self.parts:
            if isinstance(part, Figure):
                part.save(folder)
        path = folder / "report.md"
        path.write_text(self.to_markdown())
        return path
