"""The public names of the package, for mkdocstrings to describe."""

import evocheckers


def text() -> str:
    """A section per folder, with its public names in alphabetical order."""
    folders: dict[str, list[str]] = {}
    for name in evocheckers.__all__:
        home = evocheckers._HOMES[name]
        folders.setdefault(home.partition(".")[0], []).append(f"::: evocheckers.{home}.{name}")
    return "\n\n".join("\n\n".join([f"## {folder}", *names]) for folder, names in sorted(folders.items()))
