"""The networks that come with the package. Each file is checked against its digest before it is used."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from evocheckers.evaluation.network import Network, NetworkFileError
from evocheckers.experiments.presets import PRESETS, make_settings

SHIPPED: Mapping[str, str] = MappingProxyType(
    {"champion": "7a481d2efa381daff5eba60eb330a3dd85ee354c46b3fbac46dbf86f3f29a7d4"}
)
"""SHA-256 of every file, by the player's name."""


def shipped_network(name: str) -> Network:
    """A network by name; a file that is not the one that was shipped is refused."""
    path = resources.files("evocheckers") / "networks" / f"{name}.safetensors"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NetworkFileError(str(path), (error.strerror or str(error)).lower()) from None
    found = hashlib.sha256(data).hexdigest()
    if found != SHIPPED[name]:
        raise NetworkFileError(str(path), f"has the digest {found[:16]}, not {SHIPPED[name][:16]}; install again")
    return Network.from_bytes(data, str(path))


def command_of(network: Network) -> str:
    """The command that breeds a network again, by what its file says of its source; empty if it says nothing."""
    source = network.source
    if not {"preset", "settings", "seed", "generation"} <= set(source) or source["preset"] not in PRESETS:
        return ""
    preset = PRESETS[source["preset"]]
    usual = make_settings(preset.scheme, preset.settings).model_dump(mode="json")
    settings = json.loads(json.dumps(source["settings"]))
    changed = {name: value for name, value in settings.items() if usual.get(name) != value}
    words = ["evocheckers", "evolve", preset.name, "--seed", str(source["seed"])]
    words += ["--generations", str(source["generation"])]
    words += ["--executor", "gpu"] if changed.get("precision") == "fp16" else []
    for name, value in changed.items():
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        words += ["--set", f"{name}={text}"]
    return shlex.join(words)
