"""Checkers players that teach themselves: evolution, learning from self-play, and the papers that began it.

    import evocheckers as ec
    champion = ec.load("champion")
    champion.search(ec.Board(), plies=8)
    print(ec.match("champion@8", "material@8"))
    for generation in ec.evolve("anaconda", generations=20): ...

The public names stand in ``__init__.pyi`` and are loaded when they are first used, so that importing the package stays
instant.
"""

import lazy_loader

from evocheckers.version import PROGRAM_VERSION

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__version__ = PROGRAM_VERSION
