"""The networks that come with the package. Each file is checked against its digest before it is used."""

import hashlib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from evocheckers.networks.network import Network, NetworkFileError

SHIPPED: Mapping[str, str] = MappingProxyType(
    {
        "planes-136": "c54e99450b44e65fd2058a916cc849c016c6f56ec82c4dcd22160f4f3f5ad4a6",
        "planes-85": "c4534c536d7fa1fc2a45a94948694621d4153188c98ab7c4e5219526136ba439",
        "lamarck-220": "35301ff7e08a229e1510bf2321f329eac23481504ea8022cd312920d25602be4",
        "es-190": "2300779ccc49d623f7a726e2dbad4c6c53ec1eca9f474e1542d9810e9b5b0ce4",
        "anaconda-840": "16dea5d6a87772d0f4b2762c1d345072df3f4b2a3da31cdd4bc3cac1a836e6e6",
    }
)
"""SHA-256 of every file, by player: a scheme or a kind of network, and the generations of all its runs."""
CHAMPION = "planes-136"
"""The network that ``champion`` refers to."""


def own_name(name: str) -> str:
    """The name under which a network stays what it is, even if another becomes ``champion``."""
    return CHAMPION if name == "champion" else name


def shipped_network(name: str) -> Network:
    """A shipped network, by name or as ``champion``; raises an error if the file is not the one that was shipped."""
    name = own_name(name)
    path = resources.files("evocheckers") / "networks" / "shipped" / f"{name}.safetensors"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NetworkFileError(str(path), (error.strerror or str(error)).lower()) from None
    found = hashlib.sha256(data).hexdigest()
    if found != SHIPPED[name]:
        raise NetworkFileError(str(path), f"has the digest {found[:16]}, not {SHIPPED[name][:16]}; install again")
    return Network.from_bytes(data, str(path))
