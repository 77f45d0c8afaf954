"""The systems by name. The papers' numbers are the defaults of the schemes' settings; a preset names what differs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from evocheckers.errors import did_you_mean
from evocheckers.evolution import anaconda, es, hill_climbing, lamarck, social
from evocheckers.evolution.ranges import range_of
from evocheckers.evolution.registry import find_scheme, foreign_schemes, package_of
from evocheckers.evolution.scheme import ConfigError, S, Scheme


@dataclass(frozen=True)
class Preset:
    """A system: its scheme, the settings it changes, and how many generations it runs."""

    name: str
    scheme: Scheme[Any, Any]
    about: str
    generations: int
    settings: Mapping[str, Any] = field(default_factory=dict)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("lamarck", lamarck.SCHEME, "our own: networks learn from the results of their own games", 60),
            Preset("es", es.SCHEME, "our own evolution strategy, from results alone", 300),
            Preset("anaconda", anaconda.SCHEME, "Chellapilla and Fogel: five random opponents, 840 generations", 840),
            Preset(
                "blondie24-rr",
                anaconda.SCHEME,
                "Al-Khateeb and Kendall: Anaconda with a round robin",
                140,
                {"tournament": "round-robin"},
            ),
            Preset("c10", social.SCHEME, "Al-Khateeb and Kendall: individual and social learning", 140),
            Preset(
                "c10-rr",
                social.SCHEME,
                "Al-Khateeb and Kendall: the same with a round robin",
                140,
                {"tournament": "round-robin"},
            ),
            Preset("over-the-hill", hill_climbing.SCHEME, "Horgan: champion and rookie, 50,000 iterations", 500),
            Preset("over-the-hill-128", hill_climbing.SCHEME, "Horgan: the earlier 128 inputs", 500, {"inputs": 128}),
            Preset(
                "over-the-hill-3of4",
                hill_climbing.SCHEME,
                "Horgan: the three wins out of four that he calls for",
                500,
                {"games": 4, "wins_needed": 3},
            ),
        )
    }
)


FOREIGN_GENERATIONS = 100
"""Default number of generations for another package's scheme."""
MAX_SHOWN = 60
"""Most characters of a bad value that a message quotes."""


def find_preset(name: str) -> Preset:
    """A preset by name; every scheme of another package is a preset with its own defaults."""
    if name in PRESETS:
        return PRESETS[name]
    if name not in foreign_schemes():
        raise ConfigError(f"no preset {name!r}; there are {', '.join(preset_names())}", "preset", name)
    return Preset(name, find_scheme(name), f"a scheme of {package_of(name)}", FOREIGN_GENERATIONS)


def preset_names() -> list[str]:
    """The names of all presets, ours first."""
    return [*PRESETS, *foreign_schemes()]


def is_preset(name: str) -> bool:
    """Whether there is a preset of that name."""
    return name in PRESETS or name in foreign_schemes()


def make_settings(scheme: Scheme[S, Any], values: Mapping[str, Any]) -> S:
    """Checked settings of a scheme; an error names the first that is invalid, in one line."""
    for name, value in values.items():
        try:
            json.dumps(value)
        except (TypeError, ValueError, RecursionError):
            raise _unfit(scheme, name, value) from None
    try:
        # Through JSON, so that lists serve as tuples and nothing else is converted.
        return scheme.settings.model_validate_json(json.dumps(dict(values)))
    except ValidationError as error:
        first = error.errors()[0]
    if isinstance(fault := first.get("ctx", {}).get("error"), ConfigError):
        raise fault
    if not first["loc"]:
        raise ConfigError(f"settings: {first['msg']}")
    name = str(first["loc"][0])
    raise _unfit(scheme, name, values.get(name))


def _unfit(scheme: Scheme[Any, Any], name: str, value: Any) -> ConfigError:
    if name not in scheme.settings.model_fields:
        known = ", ".join(sorted(scheme.settings.model_fields))
        hint = did_you_mean(name, scheme.settings.model_fields)
        return ConfigError(f"no setting {name!r}{hint}; {scheme.name} has {known}", name, value)
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or deeply nested brackets
        text = "..."
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
    return ConfigError(f"setting {name} = {shown}: must be {range_of(scheme.settings, name)}", name, value)
