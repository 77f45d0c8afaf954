"""Every setting of every preset, scheme by scheme."""

from typing import Any

from evocheckers.cli.evolve import describe
from evocheckers.evolution.registry import PRESETS, Preset, make_settings


def text() -> str:
    """A section per scheme: its presets, then its settings with meaning, range, default and source."""
    schemes: dict[str, list[Preset]] = {}
    for preset in PRESETS.values():
        schemes.setdefault(preset.scheme.name, []).append(preset)
    return "\n\n".join(_section(name, presets) for name, presets in schemes.items())


def _section(name: str, presets: list[Preset]) -> str:
    scheme = presets[0].scheme
    lines = [f"## Scheme `{name}`", "", "| preset | what it is | generations | sets |", "|---|---|---|---|"]
    for preset in presets:
        sets = ", ".join(f"`{key}={value}`" for key, value in preset.settings.items())
        lines.append(f"| `{preset.name}` | {preset.about} | {preset.generations} | {sets} |")
    lines += ["", "| setting | default | range | meaning | source and notes |", "|---|---|---|---|---|"]
    defaults = make_settings(scheme, {}).model_dump(mode="json")
    for key in scheme.settings.model_fields:
        row = describe(scheme.settings, key)
        shown = (row["range"], row["meaning"], row["source"])
        lines.append(f"| `{key}` | `{_value(defaults[key])}` | {' | '.join(map(_cell, shown))} |")
    return "\n".join(lines)


def _value(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "none" if value is None else str(value)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;")
