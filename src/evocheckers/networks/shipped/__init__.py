"""The networks that come with the package. Each file is checked against its digest before it is used."""

import hashlib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from evocheckers.networks.network import Network, NetworkFileError

SHIPPED: Mapping[str, str] = MappingProxyType(
    {
        "planes-136": "c54e99450b44e65fd2058a916cc849c016c6f56ec82c4dcd22160f4f3f5ad4a6",
        "planes-85": "62c985ebd606b3f7d30d02fb3caa0443f4dd3d28f85868e5faef98f60702d7d7",
        "lamarck-220": "3b584f2af3e75d0a3ec619529c2ab8ed056e9d1cbf76ded82c8e5db64bdec364",
        "es-190": "671f5b590f73d0519eecf9b8cb76c61bd364f3487a9a10df22328911ea0e0269",
        "anaconda-840": "b303c849d195f71b3028c76cb936cafa072ade9bb94a6f1ff7c9b1a57e865b93",
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
