"""Coverage-guided fuzzing: ``python -m tools.fuzz.guided TARGET -runs=100000``; options are libFuzzer's."""

import sys
import tempfile
from pathlib import Path

import atheris

import evocheckers

READERS = ["rules.fen", "rules.notation", "rules.pdn", "players.grammar"]
READERS += ["players.hub.protocol", "players.hub.level", "players.hub.engine"]
READERS += ["cli.evolve", "runs.recorder", "runs.reader", "runs.schema", "runs.file", "runs.validation"]
READERS += ["evolution.registry", "evolution.scheme", "games.openings"]
READERS += ["networks.network", "endgames.files"]
"""Instrumented modules. Code that Numba compiles cannot be instrumented, but it reads no input either."""


def _modules() -> list[str]:
    folder = Path(evocheckers.__path__[0])
    paths = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


def main() -> None:
    """Fuzz one reader; libFuzzer leaves an input that breaks it in a file and prints its name."""
    modules = _modules()
    if unknown := set(READERS) - set(modules):
        raise SystemExit(f"no such module: {', '.join(sorted(unknown))}")
    others = [f"evocheckers.{name}" for name in modules if name not in READERS]
    with atheris.instrument_imports(include=["evocheckers"], exclude=others, enable_loader_override=False):
        from tools.fuzz.targets import TARGETS, forget_files, survive
    target = TARGETS[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(target.make_corpus()):
            (Path(folder) / str(number)).write_bytes(data)
            survive(target.read, data)  # compile first, so that no input is blamed for it
        atheris.Setup(
            [sys.argv[0], "-timeout=20", *sys.argv[2:], folder], lambda data: survive(target.read, data) and None
        )
        try:
            atheris.Fuzz()
        finally:
            forget_files()


if __name__ == "__main__":
    main()
