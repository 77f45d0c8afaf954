"""Shell completion; ``evocheckers --install-completion`` sets it up."""


def complete_player(incomplete: str) -> list[str]:
    """All kinds of players; those that need an argument end in a colon."""
    from evocheckers.players.grammar import KINDS

    words = [f"{kind}:" if written.startswith(f"{kind}:") else kind for kind, written in KINDS.items()]
    return _fitting(words, incomplete)


def complete_preset(incomplete: str) -> list[str]:
    """All presets, including those of other packages."""
    from evocheckers.evolution.registry import preset_names

    return _fitting(preset_names(), incomplete)


def complete_reproduction(incomplete: str) -> list[str]:
    """All reproductions."""
    from evocheckers.papers.catalogue import REPRODUCTIONS

    return _fitting([*REPRODUCTIONS], incomplete)


def complete_openings(incomplete: str) -> list[str]:
    """All sets of openings."""
    from evocheckers.games.openings import NAMES

    return _fitting([*NAMES], incomplete)


def _fitting(words: list[str], incomplete: str) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]
