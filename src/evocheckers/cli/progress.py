"""Progress of an evolution: on a terminal a bar that always moves, elsewhere a line now and then."""

import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


LINE_SECONDS = 5.0
"""How often a line is printed if there is no terminal."""
_SPEED_SECONDS = 600.0
"""The remaining time is estimated from the speed over this period; a generation can take minutes."""


class EvolutionProgress:
    """Generations done and to do, elapsed and remaining time, and the current activity. A context manager."""

    def __init__(self, out: "Console", total: int, done: int = 0, unit: str = "generation") -> None:
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.table import Column

        self._out, self._total, self._unit = out, total, unit
        self._began = self._told = time.monotonic()
        self._since: tuple[int, float] | None = None
        """Generations done, and when, at the end of the first one, which may have included compilation."""
        text = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        columns = (
            SpinnerColumn(),
            BarColumn(bar_width=8),
            TextColumn("{task.fields[count]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            TextColumn("{task.description}", markup=False, table_column=text),
        )
        self._bar = Progress(
            *columns, console=out, expand=True, disable=not out.is_terminal, speed_estimate_period=_SPEED_SECONDS
        )
        self._task = self._bar.add_task("", total=total, completed=done, count=f"{done}/{total}")
        self._doing, self._line, self._shown, self._compiling = "", "", "", False

    def __enter__(self) -> "EvolutionProgress":
        from evocheckers.native.cache import compile_listeners

        if self._out.is_terminal and compile_listeners:
            compile_listeners[:] = [self._compile]
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._bar.update(self._task, completed=self._total, description=self._line)
        self._bar.stop()

    def begin(self, doing: str) -> None:
        """Show the current activity; on a terminal, it replaces the last generation's line if it is something else."""
        self._doing = doing
        self._show()

    def finish(self, done: int, line: str) -> None:
        """Record a finished generation; its line is shown until there is something else to show."""
        self._line, self._compiling = line, False
        # Rich stops the bar once it is complete, but the last generation has yet to be measured.
        self._bar.update(self._task, completed=min(done, self._total - 1e-6), count=f"{done}/{self._total}")
        self._show()
        now = time.monotonic()
        self._since = self._since or (done, now)
        if not self._out.is_terminal and (now - self._told >= LINE_SECONDS or done >= self._total):
            self._told = now
            times = duration(now - self._began)
            counted, since = self._since
            if counted < done:
                times += f", {duration((now - since) / (done - counted) * (self._total - done))} left"
            parts = [f"{self._unit} {done:>4}/{self._total}", *([line] if line else []), times]
            self._out.print("  ".join(parts), soft_wrap=True)

    def tell(self, text: str) -> None:
        """Print a line that stays."""
        self._compiling = False
        self._out.print(text, soft_wrap=True)

    def _compile(self) -> None:
        self._compiling = True
        self._show()

    def _show(self) -> None:
        text = self._line if self._line and self._doing.startswith("generation") else self._doing
        if self._compiling:
            text = "compiling, once, half a minute or less"
        is_news = text not in (self._shown, self._line)
        self._shown = text
        self._bar.update(self._task, description=text, refresh=is_news)


def duration(seconds: float) -> str:
    """A duration in a suitable unit."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
