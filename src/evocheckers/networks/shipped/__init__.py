"""The networks that come with the package. Each file is checked against its digest before it is used."""

import hashlib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from evocheckers.networks.network import Network, NetworkFileError

SHIPPED: Mapping[str, str] = MappingProxyType(
    {
        "self-play-136": "e188b190a1c8f781517e6f02f8c8eb1dbc52533915e576d9ab74ae4608bd2ea5",
        "self-play-85": "101cfb7f1a641c0bd4d4bd754444d32a216c0384ca1ce10fefe2ac96f30d6aa7",
        "self-play-220": "80fe8f148c6ba597e0d708682f0538dda3f373a06e68b48046446ee2f9e154ca",
        "es-190": "671f5b590f73d0519eecf9b8cb76c61bd364f3487a9a10df22328911ea0e0269",
        "anaconda-840": "b303c849d195f71b3028c76cb936cafa072ade9bb94a6f1ff7c9b1a57e865b93",
    }
)
"""SHA-256 of every file, by player: how it was made (a preset), and the generations of all its runs."""
CHAMPION = "self-play-136"
"""The network that ``champion`` refers to."""
RENAMED: Mapping[str, str] = MappingProxyType(
    {"lamarck-220": "self-play-220", "planes-85": "self-play-85", "planes-136": "self-play-136"}
)
"""Names that are refused, with the name that the network has now."""


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
