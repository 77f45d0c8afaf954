"""The piece sum removed: which systems learn checkers if nothing says that pieces count?

Chellapilla and Fogel give their networks the sum of the inputs at the output node, so a network with random weights
already counts pieces. Here each system evolves with and without it, from the same seeds and for the same number of
games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evocheckers.analysis.ensemble import Ensemble, measure
from evocheckers.games.openings import ballots
from evocheckers.networks.network import Network
from evocheckers.papers.lab import Laboratory, identity
from evocheckers.papers.report import Report
from evocheckers.papers.scores import counts, gain
from evocheckers.players.player import Contestant
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score

PLIES = 2
GAMES = (0, 3000, 15_000)
QUICK_GAMES = (0, 20)
OPPONENTS = ("random", "material", "material:noise")


@dataclass(frozen=True)
class System:
    """A system that evolves or learns, and the settings that remove the sum."""

    preset: str
    games: int
    """Games per generation."""
    settings: Mapping[str, Any]
    bare: Mapping[str, Any]
    small: Mapping[str, Any] = field(default_factory=dict)
    """Settings for the quick form: generations of 20 games."""

    def generation(self, games: int) -> int:
        """The generation after which about ``games`` games have been played."""
        return max(1, round(games / self.games)) if games else 0


_ANACONDA = {"plies": PLIES, "extensions": 0}
_ES = {"plies": PLIES, "schedule": GAMES[-1] // 300}
_LEARNER = {
    "depths": [PLIES],
    "games": [500],
    "changes": [],
    "steps": 60,
    "batch": 4096,
    "schedule": GAMES[-1] // 500,
}
SYSTEMS = {
    "Anaconda": System("anaconda", 150, _ANACONDA, {"piece_sum": False}, {"parents": 2}),
    "evolution strategy": System("es", 300, _ES, {"network": "spatial-bare"}, {"pairs": 10}),
    "learner": System(
        "self-play", 500, _LEARNER, {"network": "spatial-bare"}, {"games": [20], "steps": 2, "batch": 256}
    ),
}
QUICK_GENERATION = 20


def without_piece_sum(lab: Laboratory, command: str) -> Report:
    """Evolve every system with and without the sum of the inputs, measuring along the way."""
    checkpoints = QUICK_GAMES if lab.quick else GAMES
    last = checkpoints[-1]
    found: dict[tuple[str, bool, int, str], Ensemble] = {}
    for checkpoint in checkpoints:
        for name, system in SYSTEMS.items():
            for has_sum in (True, False):
                networks = [_network(lab, system, has_sum, seed, checkpoint) for seed in range(1, lab.seeds + 1)]
                for opponent in OPPONENTS:
                    found[name, has_sum, checkpoint, opponent] = _measured(lab, networks, opponent)
    report = Report("ours/without-piece-sum", command)
    report.state(games=f"{last:,}", seeds=lab.seeds, plies=PLIES, match_games=2 * len(_lines(lab)))
    report.lists["opponent"] = list(OPPONENTS)
    summary = []
    for name in SYSTEMS:
        scores = {one: (found[name, False, 0, one], found[name, False, last, one]) for one in OPPONENTS}
        first, final = scores["random"]
        mean, low, high = gain(final, first)
        learns = f"{mean:+.0f}% [{low:+.0f}, {high:+.0f}]"
        rises = [f"{100 * a.share:.0f}% to {b.share_text}" for a, b in scores.values()]
        summary.append([name, *rises, learns])
        report.fact(f"{name}-begins-with", found[name, True, 0, "random"].share_text, quoted=True)
        report.fact(f"{name}-begins-without", first.share_text, quoted=True)
        report.fact(f"{name}-learns", learns, quoted=True)
        for opponent in OPPONENTS:
            for has_sum, label in ((True, "with"), (False, "without")):
                words = found[name, has_sum, last, opponent].share_text
                report.fact(f"{name}-{label}-{opponent}", words, quoted=True)
    header = ("system", *(f"against `{opponent}`" for opponent in OPPONENTS), "gain against `random`")
    report.table("summary", header, summary)
    for opponent in OPPONENTS:
        rows = [
            [name, "with" if has_sum else "without"]
            + [found[name, has_sum, checkpoint, opponent].share_text for checkpoint in checkpoints]
            for name in SYSTEMS
            for has_sum in (True, False)
        ]
        header = ("system", "sum", *(f"{checkpoint:,} games" for checkpoint in checkpoints))
        report.table(f"against-{opponent}", header, rows)
    return report


def _lines(lab: Laboratory) -> Sequence[str]:
    return ballots()[:1] if lab.quick else ballots()


def _network(lab: Laboratory, system: System, has_sum: bool, seed: int, games: int) -> Network:
    """A run's network after about ``games`` games."""
    settings = {**system.settings, **({} if has_sum else system.bare), **(system.small if lab.quick else {})}
    generation = (games // QUICK_GENERATION) if lab.quick else system.generation(games)
    path = lab.evolved(
        system.preset, max(generation, 1), settings, seed, f"{system.preset}{'' if has_sum else '-bare'}"
    )
    with Run.open(path) as run:
        return run.network(generation)


def _measured(lab: Laboratory, networks: Sequence[Network], opponent: str) -> Ensemble:
    """What the runs' networks score; every match is stored."""
    other = lab.contestant(opponent if opponent == "random" else f"{opponent}@{PLIES}")
    scores = []
    for network in networks:
        about = {"network": identity(Contestant.from_network("network", network, PLIES)), "opponent": identity(other)}

        def play(network: Network = network) -> list[int]:
            return counts(measure([network], other, PLIES, lab.executor, lines=_lines(lab))[0].score)

        answer = lab.step(f"bare-{opponent}", about | {"lines": len(_lines(lab))}, play)
        scores.append(Score(*answer))
    return Ensemble(scores)
