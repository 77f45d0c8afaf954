"""Schemes and presets by name.

A scheme is one of this package's or another package's, which offers it by an entry point of the group
``evocheckers.schemes`` whose object is a ``Scheme``. A preset is a system under the name that people give: a scheme,
the settings that differ from its defaults, and a number of generations. The papers' numbers are the defaults of the
schemes' settings. What a network file says about its source gives the command that makes the network again.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from evocheckers.errors import EvocheckersError, did_you_mean
from evocheckers.evolution import anaconda, hill_climbing, learners, social
from evocheckers.evolution import evolution_strategy as es
from evocheckers.evolution.scheme import ConfigError, S, Scheme, range_of
from evocheckers.networks.network import Network

GROUP = "evocheckers.schemes"

SCHEMES: Mapping[str, Scheme[Any, Any]] = MappingProxyType(
    {
        scheme.name: scheme
        for scheme in (anaconda.SCHEME, social.SCHEME, hill_climbing.SCHEME, es.SCHEME, learners.SCHEME)
    }
)
"""The schemes of this package."""


_registered: dict[str, Scheme[Any, Any]] = {}


class SchemeError(EvocheckersError):
    """A scheme that is not available; ``name`` says which."""

    def __init__(self, name: str, fault: str) -> None:
        self.name, self.fault = name, fault
        super().__init__(f"scheme {name!r}: {fault}")


def register(scheme: Scheme[Any, Any]) -> str:
    """Make a scheme object known by its name in this process, so that its runs can be recorded; returns the name."""
    if SCHEMES.get(scheme.name, scheme) is not scheme:
        raise SchemeError(scheme.name, "this package has a scheme of that name; choose another")
    if scheme.name not in SCHEMES:
        _registered[scheme.name] = scheme
    return scheme.name


def foreign_schemes() -> dict[str, EntryPoint]:
    """Entry points of other packages by name, not loaded; our own schemes take precedence."""
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in SCHEMES}


def find_scheme(name: str) -> Scheme[Any, Any]:
    """A scheme by name, ours or another package's."""
    if name in SCHEMES or name in _registered:
        return SCHEMES.get(name) or _registered[name]
    point = foreign_schemes().get(name)
    if point is None:
        raise SchemeError(name, "neither this package nor any other that is installed has it")
    try:
        scheme = point.load()
    except Exception as error:  # another package's code can raise anything
        raise SchemeError(name, f"{point.value} cannot be loaded: {error}") from None
    if not isinstance(scheme, Scheme):
        raise SchemeError(name, f"{point.value} is not a Scheme")
    return scheme


def package_of(name: str) -> str:
    """The package that a scheme comes from, with its version; empty for ours."""
    point = foreign_schemes().get(name)
    return f"{point.dist.name} {point.dist.version}" if point is not None and point.dist is not None else ""


@dataclass(frozen=True)
class Preset:
    """A system: its scheme, the settings it changes, and how many generations it runs."""

    name: str
    scheme: Scheme[Any, Any]
    about: str
    generations: int
    settings: Mapping[str, Any] = field(default_factory=dict)


_POPULATION = {"learners": 8, "copies": 4, "social": 0.5, "select_every": 5}
"""A population of learners that also learn from each other's games."""

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("self-play", learners.SCHEME, "our own: a network learns from the results of its own games", 60),
            Preset(
                "lamarck",
                learners.SCHEME,
                "our own: eight networks learn, the weakest are replaced, and children inherit what was learnt",
                60,
                _POPULATION,
            ),
            Preset(
                "baldwin",
                learners.SCHEME,
                "our own: the same, but children begin with what their parents were born with",
                60,
                {**_POPULATION, "inherit": False},
            ),
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
    if name in _registered:
        return Preset(name, _registered[name], "a scheme of this program", FOREIGN_GENERATIONS)
    if name not in foreign_schemes():
        raise ConfigError(f"no preset {name!r}; there are {', '.join(preset_names())}", "preset", name)
    return Preset(name, find_scheme(name), f"a scheme of {package_of(name)}", FOREIGN_GENERATIONS)


def preset_names() -> list[str]:
    """The names of all presets, ours first."""
    return [*PRESETS, *foreign_schemes()]


def is_preset(name: str) -> bool:
    """Whether there is a preset of that name."""
    return name in PRESETS or name in _registered or name in foreign_schemes()


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


def command_of(network: Network) -> str:
    """The command that makes a network again, according to the source in its file; empty if that is unknown."""
    source = json.loads(json.dumps(dict(network.source)))
    name, values = source.get("preset"), source.get("settings")
    seed, generation = source.get("seed"), source.get("generation")
    if not isinstance(name, str) or name not in PRESETS or not isinstance(values, dict):
        return ""
    if not isinstance(seed, int) or not isinstance(generation, int) or generation < 1:
        return ""
    preset = PRESETS[name]
    try:
        settings = make_settings(preset.scheme, values).model_dump(mode="json")
    except ConfigError:
        return ""
    usual = make_settings(preset.scheme, preset.settings).model_dump(mode="json")
    changed = {key: value for key, value in settings.items() if usual[key] != value}
    if None in changed.values():  # rare; no command is given
        return ""
    words = ["evocheckers", "evolve", name, "--seed", str(seed), "--generations", str(generation)]
    words += ["--executor", "gpu"] if changed.get("precision") == "fp16" else []
    for key in sorted(changed):
        value = changed[key]
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        words += ["--set", f"{key}={text}"]
    return shlex.join(words)
