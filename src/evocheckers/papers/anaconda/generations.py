"""Generation 250 against generation 840 of the same runs: Anaconda was rated at both, class A and then expert."""

from collections.abc import Sequence

from evocheckers.analysis.ensemble import Ensemble, measure, played_out
from evocheckers.games.openings import ballots
from evocheckers.networks.network import Network
from evocheckers.papers.anaconda.rating import PAPER_RATING
from evocheckers.papers.lab import PIECE_COUNTERS, Evolution, Laboratory, identity
from evocheckers.papers.report import Report
from evocheckers.papers.scores import counts, gain
from evocheckers.players.player import Contestant
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score, elo_of

GENERATIONS = (0, 250, 840)
PAPER_EARLY_RATING = 1930.0
"""Its rating at generation 250; ``PAPER_RATING`` is that at generation 840."""
SETTINGS = {"extensions": 0}


def generations_250_840(lab: Laboratory, command: str) -> Report:
    """Runs of Anaconda from several seeds: generation 840 against 250 and 0, and each against piece differential."""
    first, early, late = (0, 2, 4) if lab.quick else GENERATIONS
    plies = lab.size(8, 2)
    settings = {**SETTINGS, "parents": 2, "plies": 2} if lab.quick else SETTINGS
    networks: dict[int, list[Network]] = {first: [], early: [], late: []}
    seeds = range(1, lab.seeds + 1)
    for path in lab.evolved_together([Evolution("anaconda", late, settings, seed) for seed in seeds]):
        with Run.open(path) as run:
            for generation, found in networks.items():
                found.append(run.network(generation))
    report = Report("anaconda/generations-250-840", command)
    report.state(early=early, late=late, runs=lab.seeds, games=2 * len(_lines(lab)), plies=plies)
    rows = []
    for older in (early, first):
        raw, out = _against(
            lab, networks[late], [Contestant.from_network(f"{older}", n, plies) for n in networks[older]], plies
        )
        rows.append([f"{late} against {older}", _wdl(raw), raw.share_text, raw.elo_text, out.share_text, out.elo_text])
        report.fact(f"{late}-{older}", raw.elo_text, quoted=True)
        report.fact(f"{late}-{older}-out", out.elo_text, quoted=True)
        if older == early:
            report.fact("late-against-early", raw.elo_text)
            report.fact("late-against-early-out", out.elo_text)
    report.table("same-run", ("", *_HEADER), rows)
    report.fact("paper-early", f"{PAPER_EARLY_RATING:.0f}")
    report.fact("paper-late", f"{PAPER_RATING:.2f}")
    report.fact("paper-apart", f"{PAPER_RATING - PAPER_EARLY_RATING:.0f}")
    report.lists["opponent"] = list(PIECE_COUNTERS)
    for opponent in PIECE_COUNTERS:
        other = lab.contestant(f"{opponent}@{plies}")
        rows, ensembles = [], {}
        for generation, found in networks.items():
            raw = ensembles[generation] = _as_played(lab, found, other, plies)
            rows.append([str(generation), _wdl(raw), raw.share_text, raw.elo_text])
            report.fact(f"{generation}-{opponent}", raw.elo_text, quoted=True)
        report.table(f"against-{opponent}", ("generation", *_AS_PLAYED), rows)
        points = elo_of(ensembles[late].share) - elo_of(ensembles[early].share)
        report.fact(f"rise-{opponent}", _rise(ensembles[late], ensembles[early]))
        report.fact(f"rise-{opponent}-points", f"{points:+.0f}")
    return report


_AS_PLAYED = ("W-D-L", "score, 95% over runs", "points")
_HEADER = ("as played", "score, 95% over runs", "points", "played out", "points")


def _rise(later: Ensemble, earlier: Ensemble) -> str:
    """The rise in per cent of the points, with its interval over seeds if there are several."""
    mean, low, high = gain(later, earlier)
    return f"{mean:+.1f}% [{low:+.1f}, {high:+.1f}]" if len(later.scores) > 1 else f"{mean:+.1f}% (one seed)"


def _wdl(ensemble: Ensemble) -> str:
    return ensemble.together.wdl_text


def _lines(lab: Laboratory) -> Sequence[str]:
    return ballots()[:1] if lab.quick else ballots()


def _against(
    lab: Laboratory, networks: Sequence[Network], others: Sequence[Contestant], plies: int
) -> tuple[Ensemble, Ensemble]:
    """Every network against its opponent, as played and played out; every match is stored."""
    raw, out = [], []
    for network, other in zip(networks, others, strict=True):

        def play(network: Network = network, other: Contestant = other) -> list[list[int]]:
            matches = measure([network], other, plies, lab.executor, lines=_lines(lab))
            adjudicated = played_out(matches, lab.endgames(), lab.executor, lab.adjudicator_plies)
            return [counts(matches[0].score), counts(adjudicated.together)]

        answer = lab.step(f"match-{other.name}", _about(lab, network, other, plies), play)
        raw.append(Score(*answer[0]))
        out.append(Score(*answer[1]))
    return Ensemble(raw), Ensemble(out)


def _as_played(lab: Laboratory, networks: Sequence[Network], other: Contestant, plies: int) -> Ensemble:
    """Every network against the same opponent, as played; every match is stored."""
    scores = []
    for network in networks:

        def play(network: Network = network) -> list[int]:
            return counts(measure([network], other, plies, lab.executor, lines=_lines(lab))[0].score)

        scores.append(Score(*lab.step(f"as-played-{other.name}", _about(lab, network, other, plies), play)))
    return Ensemble(scores)


def _about(lab: Laboratory, network: Network, other: Contestant, plies: int) -> dict[str, object]:
    own = identity(Contestant.from_network("network", network, plies))
    return {"network": own, "opponent": identity(other), "plies": plies, "lines": len(_lines(lab))}
