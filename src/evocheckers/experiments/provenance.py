"""Where a network comes from, as the command that evolves it again."""

import json
import shlex

from evocheckers.evaluation.network import Network
from evocheckers.evolution.presets import PRESETS, make_settings


def command_of(network: Network) -> str:
    """The command that evolves a network again, according to the source in its file; empty if that is unknown."""
    source = json.loads(json.dumps(dict(network.source)))
    preset, settings = source.get("preset"), source.get("settings")
    seed, generation = source.get("seed"), source.get("generation")
    if not isinstance(preset, str) or preset not in PRESETS or not isinstance(settings, dict):
        return ""
    if not isinstance(seed, int) or not isinstance(generation, int) or generation < 1:
        return ""
    usual = make_settings(PRESETS[preset].scheme, PRESETS[preset].settings).model_dump(mode="json")
    current = PRESETS[preset].scheme.current(settings)
    changed = {name: value for name, value in current.items() if usual.get(name) != value}
    if None in changed.values():  # rare; no command is given
        return ""
    words = ["evocheckers", "evolve", preset, "--seed", str(seed), "--generations", str(generation)]
    words += ["--executor", "gpu"] if changed.get("precision") == "fp16" else []
    for name, value in changed.items():
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        words += ["--set", f"{name}={text}"]
    return shlex.join(words)
