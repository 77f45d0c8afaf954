"""The networks that come with the package. Each file is checked against its digest before it is used."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from evocheckers.evaluation.network import Network, NetworkFileError
from evocheckers.evolution.presets import PRESETS, make_settings

SHIPPED: Mapping[str, str] = MappingProxyType(
    {
        "lamarck-220": "35301ff7e08a229e1510bf2321f329eac23481504ea8022cd312920d25602be4",
        "planes-85": "c4534c536d7fa1fc2a45a94948694621d4153188c98ab7c4e5219526136ba439",
        "es-190": "2300779ccc49d623f7a726e2dbad4c6c53ec1eca9f474e1542d9810e9b5b0ce4",
        "anaconda-840": "16dea5d6a87772d0f4b2762c1d345072df3f4b2a3da31cdd4bc3cac1a836e6e6",
    }
)
"""SHA-256 of every file, by the player's name: preset and generation."""
CHAMPION = "lamarck-220"
"""The network that ``champion`` refers to."""


def shipped_network(name: str) -> Network:
    """A shipped network, by name or as ``champion``; raises an error if the file is not the one that was shipped."""
    name = CHAMPION if name == "champion" else name
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
