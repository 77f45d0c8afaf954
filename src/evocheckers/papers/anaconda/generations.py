"""Generation 250 against generation 840: Anaconda was rated at both, class A and then expert."""

from collections.abc import Sequence

from evocheckers.analysis.ensemble import Ensemble, measure, played_out
from evocheckers.games.openings import ballots
from evocheckers.networks.network import Network
from evocheckers.papers.curves import gain
from evocheckers.papers.lab import READINGS, Evolution, Laboratory, counts, identity
from evocheckers.papers.report import Report
from evocheckers.players.player import Contestant
from evocheckers.runs.file import Run
from evocheckers.tournaments.score import Score, elo_of
from evocheckers.tournaments.strength import contestant

GENERATIONS = (0, 250, 840)
PAPER_RATINGS = {250: 1930.0, 840: 2045.85}
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
    report = Report(f"Generation {early} against generation {late}", command)
    paper = PAPER_RATINGS[840] - PAPER_RATINGS[250]
    rows = []
    for older in (early, first):
        raw, out = _against(lab, networks[late], [contestant(f"{older}", n, plies) for n in networks[older]], plies)
        rows.append([f"{late} against {older}", _wdl(raw), raw.share_text, raw.elo_text, out.share_text, out.elo_text])
        report.fact(f"{late}-{older}", raw.elo_text)
        report.fact(f"{late}-{older}-out", out.elo_text)
    report.text(
        f"Generation {late} against generation {early} of the same run: {rows[0][3]} points as played, {rows[0][5]} "
        f"played out (95% over {lab.seeds} runs). The paper's ratings at generations 250 and 840, "
        f"{PAPER_RATINGS[250]:.0f} and {PAPER_RATINGS[840]:.2f}, are {paper:.0f} points apart."
    )
    report.text(
        f"{lab.seeds} runs of `anaconda` from different seeds, {late} generations each, with `extensions=0` (captures "
        "are followed until a position is quiet, not by two more plies at every jump, which would cost eight times as "
        f"much). The best network of each generation plays {2 * len(_lines(lab))} games at {plies} plies."
    )
    report.table("Generations of the same run", ("", *_HEADER), rows)
    for opponent in READINGS:
        other = lab.contestant(f"{opponent}@{plies}")
        rows, ensembles = [], {}
        for generation, found in networks.items():
            raw = ensembles[generation] = _as_played(lab, found, other, plies)
            rows.append([str(generation), _wdl(raw), raw.share_text, raw.elo_text])
            report.fact(f"{generation}-{opponent.replace(':', '-')}", raw.elo_text)
        report.table(f"Against `{opponent}`, as played", ("generation", *_AS_PLAYED), rows)
        rise = _rise(ensembles[late], ensembles[early])
        points = elo_of(ensembles[late].share) - elo_of(ensembles[early].share)
        report.text(
            f"Against `{opponent}`, from generation {early} to {late}, seed by seed: {rise} of the points, "
            f"{points:+.0f} rating points."
        )
        report.fact(f"rise-{opponent.replace(':', '-')}", rise)
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
            judged = played_out(matches, lab.endgames(), lab.executor, lab.judge_plies)
            return [counts(matches[0].score), counts(judged.together)]

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
    own = identity(contestant("network", network, plies))
    return {"network": own, "opponent": identity(other), "plies": plies, "lines": len(_lines(lab))}
