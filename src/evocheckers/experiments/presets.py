"""The systems by name. Numbers of the papers are defaults of the schemes' settings; a preset names what differs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from evocheckers.errors import EvocheckersError
from evocheckers.evolution import anaconda, es, hill_climbing, social
from evocheckers.evolution.scheme import Scheme, Settings

SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {scheme.name: scheme for scheme in (anaconda.SCHEME, social.SCHEME, hill_climbing.SCHEME, es.SCHEME)}
)


class ConfigError(EvocheckersError):
    """Settings that do not fit."""


@dataclass(frozen=True)
class Preset:
    """A system: its scheme, what it sets, and how long it runs."""

    name: str
    scheme: str
    about: str
    generations: int
    settings: Mapping[str, Any] = field(default_factory=dict)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("es", "es", "our own evolution strategy, from results alone", 300),
            Preset("anaconda", "anaconda", "Chellapilla and Fogel: five random opponents, 840 generations", 840),
            Preset(
                "blondie24-rr",
                "anaconda",
                "Al-Khateeb and Kendall: Anaconda with a round robin",
                140,
                {"tournament": "round-robin"},
            ),
            Preset("c10", "social", "Al-Khateeb and Kendall: individual and social learning", 140),
            Preset(
                "c10-rr",
                "social",
                "Al-Khateeb and Kendall: the same with a round robin",
                140,
                {"tournament": "round-robin"},
            ),
            Preset("over-the-hill", "hill-climbing", "Horgan: champion and rookie, 50,000 iterations", 500),
            Preset("over-the-hill-128", "hill-climbing", "Horgan: the earlier 128 inputs", 500, {"inputs": 128}),
            Preset(
                "over-the-hill-3of4",
                "hill-climbing",
                "Horgan: the asked-for three wins out of four",
                500,
                {"games": 4, "wins_needed": 3},
            ),
        )
    }
)


def make_settings(scheme: str, values: Mapping[str, Any]) -> Settings:
    """Checked settings; what does not fit is named in one line."""
    import json

    from pydantic import ValidationError

    try:
        # Through JSON, so that lists serve as tuples and nothing else is bent.
        return SCHEMES[scheme].settings.model_validate_json(json.dumps(dict(values)))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            known = ", ".join(sorted(SCHEMES[scheme].settings.model_fields))
            raise ConfigError(f"no setting {name!r}; {scheme} has {known}") from None
        raise ConfigError(f"setting {name} = {first['input']!r}: {first['msg']}") from None
    except (TypeError, ValueError) as error:
        raise ConfigError(f"settings: {error}") from None
