"""``evocheckers evolve --list``: the presets, or a preset's settings with meaning, range, default and source."""

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evocheckers.cli.output import console, write_json

if TYPE_CHECKING:
    from evocheckers.evolution.scheme import Settings

_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z])")


def list_presets(json_file: Path | None) -> None:
    """List all presets: what each is, its scheme, how long it runs, and what it sets."""
    from rich.table import Table

    from evocheckers.evolution.presets import PRESETS, find_preset
    from evocheckers.evolution.registry import SchemeError, foreign_schemes

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
        told = {"about": preset.about, "scheme": preset.scheme.name, "generations": preset.generations}
        rows.append({"preset": name, **told, "settings": dict(preset.settings)})
        changed = ", ".join(f"{key}={value}" for key, value in preset.settings.items())
        table.add_row(name, *map(str, told.values()), changed)
    out.print(table)
    out.print("the settings of one: evocheckers evolve PRESET --list")
    write_json(rows, json_file)


def list_settings(name: str, json_file: Path | None) -> None:
    """List all settings of a preset."""
    from rich.table import Table

    from evocheckers.evolution.presets import find_preset, make_settings

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
    told = {"preset": name, "about": preset.about, "scheme": preset.scheme.name, "generations": preset.generations}
    write_json({**told, "settings": rows}, json_file)


def describe(settings: "type[Settings]", name: str) -> dict[str, Any]:
    """Meaning, range and source of a setting, from its docstring and limits or from its class's docstring."""
    from evocheckers.evolution.ranges import range_of

    field = settings.model_fields[name]
    meaning, *notes = _SENTENCE_END.split(" ".join((field.description or "").split()))
    home = next(base for base in settings.__mro__ if name in inspect.get_annotations(base))
    source = " ".join(notes) or (home.__doc__ or "").strip().partition("\n")[0]
    return {"setting": name, "range": range_of(settings, name), "meaning": meaning, "source": source}
