"""``evocheckers evolve``: begin runs and resume them.

Settings are given as ``--set KEY=VALUE``, ``--grid KEY=A,B,C`` and in TOML files. ``evolve --list`` shows the presets
or, with a preset, its settings with meaning, range, default and source.
"""

import inspect
import itertools
import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evocheckers.cli.completion import complete_preset
from evocheckers.cli.options import AddressOption, ExecutorOption, WorkersOption, check_writable, make_executor
from evocheckers.cli.output import JsonOption, announce_compilation, console, write_json
from evocheckers.cli.runs import facts_of
from evocheckers.errors import EvocheckersError
from evocheckers.files import read_regular

if TYPE_CHECKING:
    from rich.console import Console

    from evocheckers.evolution.evolve import Generation
    from evocheckers.evolution.scheme import Settings
    from evocheckers.games.batch import Executor
    from evocheckers.runs.file import Run
    from evocheckers.runs.recorder import Event
    from evocheckers.tournaments.score import Score


MAX_CONFIG_BYTES = 1 << 20
"""Largest size of a settings file."""
_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z])")


def list_presets(json_file: Path | None) -> None:
    """List all presets: what each is, its scheme, how long it runs, and what it sets."""
    from rich.table import Table

    from evocheckers.evolution.registry import PRESETS, SchemeError, find_preset, foreign_schemes

    out = console(json_file)
    rows: list[dict[str, Any]] = []
    table = Table("preset", "what it is", "scheme", "generations", "sets")
    for name in (*PRESETS, *foreign_schemes()):
        try:
            preset = find_preset(name)
        except SchemeError as error:
            rows.append({"preset": name, "fault": error.fault})
            table.add_row(name, error.fault)
            continue
        summary = {"about": preset.about, "scheme": preset.scheme.name, "generations": preset.generations}
        rows.append({"preset": name, **summary, "settings": dict(preset.settings)})
        changed = ", ".join(f"{key}={value}" for key, value in preset.settings.items())
        table.add_row(name, *map(str, summary.values()), changed)
    out.print(table)
    out.print("the settings of one: evocheckers evolve PRESET --list")
    write_json(rows, json_file)


def list_settings(name: str, json_file: Path | None) -> None:
    """List all settings of a preset."""
    from rich.table import Table

    from evocheckers.evolution.registry import find_preset, make_settings

    preset = find_preset(name)
    values = make_settings(preset.scheme, preset.settings).model_dump(mode="json")
    out = console(json_file)
    rows = [
        describe(preset.scheme.settings, key) | {"default": values[key]} for key in preset.scheme.settings.model_fields
    ]
    table = Table("setting", "default", "range", "meaning", "source and notes")
    for row in rows:
        value = row["default"]
        default = f"{value:.4g}" if isinstance(value, float) else "none" if value is None else str(value)
        table.add_row(row["setting"], default, row["range"], row["meaning"], row["source"])
    out.print(f"{name}: {preset.about}; scheme {preset.scheme.name}, {preset.generations} generations", soft_wrap=True)
    out.print(table)
    out.print(f"change one: evocheckers evolve {name} --set SETTING=VALUE")
    summary = {"preset": name, "about": preset.about, "scheme": preset.scheme.name, "generations": preset.generations}
    write_json({**summary, "settings": rows}, json_file)


def describe(settings: "type[Settings]", name: str) -> dict[str, Any]:
    """Meaning, range and source of a setting, from its docstring and limits or from its class's docstring."""
    from evocheckers.evolution.scheme import range_of

    field = settings.model_fields[name]
    meaning, *notes = _SENTENCE_END.split(" ".join((field.description or "").split()))
    home = next(base for base in settings.__mro__ if name in inspect.get_annotations(base))
    source = " ".join(notes) or (home.__doc__ or "").strip().partition("\n")[0]
    return {"setting": name, "range": range_of(settings, name), "meaning": meaning, "source": source}


_CURVE_WIDTH = 20


def parse_assignments(assignments: list[str]) -> dict[str, Any]:
    """Parse ``key=value`` texts; values are read as TOML, or else as text, and ``none``, which TOML lacks, as None."""
    from evocheckers.evolution.scheme import ConfigError

    values: dict[str, Any] = {}
    for assignment in assignments:
        name, sign, text = assignment.partition("=")
        if not sign or not name.strip():
            raise ConfigError(f"{assignment!r} is not of the form key=value", name.strip(), assignment)
        try:
            values[name.strip()] = tomllib.loads(f"x = {text}")["x"]
        except (ValueError, RecursionError):  # invalid TOML, a number of thousands of digits, deeply nested brackets
            values[name.strip()] = None if text.strip() == "none" else text
    return values


def parse_grid(texts: list[str]) -> list[dict[str, Any]]:
    """Parse ``key=a,b,c`` texts into all combinations of settings; without texts, there is one empty combination."""
    from evocheckers.evolution.scheme import ConfigError

    choices: list[list[tuple[str, Any]]] = []
    for text in texts:
        name, sign, values = text.partition("=")
        parts = [part for part in values.split(",") if part]
        if not sign or not name.strip() or not parts:
            raise ConfigError(f"{text!r} is not of the form key=a,b,c", name.strip(), text)
        choices.append([(name.strip(), parse_assignments([f"x={part}"])["x"]) for part in parts])
    return [dict(combination) for combination in itertools.product(*choices)]


def read_config(path: Path) -> dict[str, Any]:
    """Settings from a TOML file."""
    from evocheckers.evolution.scheme import ConfigError

    try:
        return tomllib.loads(read_regular(path, MAX_CONFIG_BYTES).decode())
    except RecursionError:
        raise ConfigError(f"config {path}: brackets nested too deeply", "config", path) from None
    except OSError as error:
        raise ConfigError(f"config {path}: {(error.strerror or str(error)).lower()}", "config", path) from None
    except ValueError as error:  # invalid TOML or UTF-8, or a number of thousands of digits
        raise ConfigError(f"config {path}: {error}", "config", path) from None


def evolve(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[PRESET|RUN]",
            autocompletion=complete_preset,
            help="A preset (see --list), or a run file to resume.",
        ),
    ] = None,
    run_file: Annotated[
        Path | None,
        typer.Option("--run", metavar="FILE", help="Run file, resumed if it exists; a folder for several runs."),
    ] = None,
    generations: Annotated[
        int | None, typer.Option(min=1, help="The last generation; by default the preset's.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed for all random choices; 1 by default.")] = None,
    executor_name: ExecutorOption = "threads",
    address: AddressOption = None,
    workers: WorkersOption = None,
    count: Annotated[
        int, typer.Option("--runs", min=1, max=10_000, help="Number of runs at once, with seeds from --seed on.")
    ] = 1,
    grid: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=A,B,C", help="One run for each value of a setting; may be repeated."),
    ] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; may be repeated.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings from a TOML file.")] = None,
    measure_every: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Generations between matches against piece differential; 0 for none. By default 20, or as before.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="moves|results|points", help="What to record of games: all, no moves, or only points."),
    ] = None,
    tensorboard: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Also write curves for TensorBoard; several runs have a folder each in it."
        ),
    ] = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="List the presets; with a preset, its settings and what they mean.")
    ] = False,
    json_file: JsonOption = None,
) -> None:
    """Evolve networks from their own games and who won them. If killed, the same command resumes the run."""
    if list_all:
        list_presets(json_file) if name is None else list_settings(name, json_file)
        return
    if name is None:
        raise EvocheckersError("evolve needs a preset or a run file; evocheckers evolve --list shows the presets")
    from evocheckers.evolution.registry import PRESETS, is_preset
    from evocheckers.runs.recorder import open_run, open_runs
    from evocheckers.runs.schema import KeptGames

    if keep is not None and keep not in list(KeptGames):
        raise EvocheckersError(f"cannot keep {keep!r}; write {', '.join(KeptGames)}")
    kept_games = KeptGames(keep) if keep else None
    announce_compilation()
    check_writable(json_file)
    out = console(json_file)
    executor = make_executor(executor_name, workers, address)
    changes = (read_config(config) if config else {}) | parse_assignments(assignments or [])
    if count > 1 or grid:
        if not is_preset(name):
            raise EvocheckersError(f"several runs at once need a preset ({', '.join(PRESETS)}), not {name!r}")
        seeds = range(1 if seed is None else seed, (1 if seed is None else seed) + count)
        folder = run_file or Path("runs")
        with ExitStack() as closing:
            fleet = open_runs(
                name, folder, generations, seeds, parse_grid(grid or []), changes, kept_games, measure_every
            )
            for run in fleet:
                closing.enter_context(run)
            _tell_notices(fleet, out)
            logs = [closing.enter_context(_log(tensorboard and tensorboard / run.path.stem)) for run in fleet]
            _watch_fleet(fleet, executor, logs, out)
            write_json([facts_of(run) for run in fleet], json_file)
        return
    opened = open_run(name, run_file, generations, seed, changes, kept_games, measure_every)
    with opened as run, _log(tensorboard) as log:
        done = run.generation
        began = f"resumes after generation {done}" if done else "begins"
        about = PRESETS[run.preset].about if run.preset in PRESETS else run.scheme.name
        out.print(f"{run.preset} ({about})", soft_wrap=True)
        out.print(f"{run.path}: seed {run.seed}, {run.generations} generations; {began}", soft_wrap=True)
        _tell_notices([run], out)
        try:
            _watch(run, executor, log, out)
        except KeyboardInterrupt:
            out.print(f"interrupted; {run.generation} generations are recorded in {run.path}")
            raise
        out.print(f"done: {run.path}, digest {run.digest[:16] or '-'}")
        out.print(f"see it: evocheckers runs plot {run.path}", soft_wrap=True)
        out.print(f"keep it: evocheckers runs export {run.path} --out best.safetensors", soft_wrap=True)
        write_json(facts_of(run), json_file)


def _tell_notices(runs: "list[Run]", out: "Console") -> None:
    """Print what was noticed when the runs were opened, each notice once."""
    for notice in dict.fromkeys(notice for run in runs for notice in run.notices):
        out.print(f"note: {notice}", soft_wrap=True)


@contextmanager
def _log(folder: Path | None) -> "Iterator[Callable[[Event], None]]":
    """A function that receives every event: a TensorBoard writer, or one that does nothing."""
    if folder is None:
        yield lambda _: None
        return
    from evocheckers.runs.export import ScalarLog

    with ScalarLog(folder) as writer:
        yield writer.write


def _watch(run: "Run", executor: "Executor", log: "Callable[[Event], None]", out: "Console") -> None:
    """Take a run to its end and report every step."""
    from evocheckers.cli.progress import EvolutionProgress
    from evocheckers.runs.recorder import Measurement, carry_on

    with EvolutionProgress(out, run.generations, run.generation) as progress:
        for step in carry_on(run, executor, announce=progress.begin):
            log(step)
            if isinstance(step, Measurement):
                progress.tell(_point_of_curve(f"generation {step.generation:>4}", step.score))
            else:
                progress.finish(step.number, _line(run, step))


def _watch_fleet(
    runs: "list[Run]", executor: "Executor", logs: "list[Callable[[Event], None]]", out: "Console"
) -> None:
    """Print a line when all runs have reached a measured generation, and finally all runs side by side."""
    from rich.table import Table

    from evocheckers.cli.progress import EvolutionProgress
    from evocheckers.runs.recorder import Measurement, carry_on_together
    from evocheckers.tournaments.score import Score

    about = f"{len(runs)} runs at once, {runs[0].generations} generations, in {runs[0].path.parent}"
    out.print(f"{runs[0].preset}: {about}", soft_wrap=True)
    total, done = sum(run.generations - run.generation for run in runs), 0
    sums: dict[int, list[Score]] = {}
    with EvolutionProgress(out, total, unit="generations of all runs") as progress:
        for number, step in carry_on_together(runs, executor, announce=progress.begin):
            logs[number](step)
            if not isinstance(step, Measurement):
                done += 1
                progress.finish(done, "")
                continue
            scores = sums.setdefault(step.generation, [])
            scores.append(step.score)
            if len(scores) == len(runs):
                together = sum(scores, Score(0, 0, 0))
                progress.tell(_point_of_curve(f"generation {step.generation:>4} of all", together))
    table = Table(title="Last measurement of every run against piece differential")
    for name in ("run", "seed", "generation", "won-drawn-lost", "score, 95%", "points, 95%"):
        table.add_column(name)
    for run in runs:
        measured = run.strengths()
        if measured:
            last, score = max(measured.items())
            texts = score.wdl_text, score.share_text, score.elo_text
            table.add_row(run.path.stem, str(run.seed), str(last), *texts)
    out.print(table)


def _line(run: "Run", generation: "Generation[Any]") -> str:
    """The scheme's own report, followed by facts about the games."""
    games = generation.report.games
    speed = games.evaluations.sum() / max(generation.playing_seconds, 1e-9) / 1e6
    drawn = f"{100 * (games.winners == 0).mean():.0f}% drawn"
    summary = f"{len(games)} games, {drawn}, {games.plies.mean():.0f} plies, {speed:.1f} M evaluations/s"
    return f"{run.scheme.headline(generation.report)}; {summary}"


def _point_of_curve(name: str, score: "Score") -> str:
    """A measurement as a line with a bar as long as the share of the points; line by line, this plots the curve."""
    points, _, interval = score.elo_text.partition(" ")
    filled = round(_CURVE_WIDTH * score.share)
    bar = "█" * filled + "░" * (_CURVE_WIDTH - filled)
    return f"{name} against piece differential {bar} {score.wdl_text:>8}, {points} points {interval}"
