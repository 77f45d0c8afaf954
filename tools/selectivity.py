"""Whether each number of the selective search's selectivity pays: ``python -m tools.selectivity [NAME=VALUE ...]``.

The search as it is plays itself with one number changed, at equal nodes, over all three-move ballots with both colours.
Without arguments every number is tried at the values of ``ALTERNATIVES``. Several changes joined by ``+`` are tried
together. The games are the same on every machine. ``--player`` and ``--nodes`` choose the evaluator and the limit.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from evocheckers import Limit, Searcher, ThreadExecutor
from evocheckers.games.openings import opening_lines
from evocheckers.networks.evaluator import Evaluator
from evocheckers.players.make import make_contestant
from evocheckers.players.player import Contestant, SearchingPlayer
from evocheckers.search.selective.selectivity import SELECTIVITY, Selectivity
from evocheckers.tournaments.match import play_match, score_of

ALTERNATIVES = (
    "jump_plies=1",
    "reply_plies=0",
    "reduction=0",
    "reduction=0.35+reduction_slope=0.45",
    "open_reduction=0",
    "late_plies=0",
    "late_moves=8",
    "probcut_plies=0",
    "probcut_reduction=3",
    "probcut_margin=0.5",
    "futility_plies=0",
    "futility_margin=1.0",
    "table_cutoff_plies=0",
    "is_exact=1",
)


def changed(change: str) -> Selectivity:
    """The search's selectivity with one number, or several, replaced."""
    values: dict[str, Any] = {}
    for part in change.split("+"):
        name, _, value = part.partition("=")
        if name not in Selectivity._fields:
            raise SystemExit(f"{name} is not one of {', '.join(Selectivity._fields)}")
        try:
            values[name] = type(getattr(SELECTIVITY, name))(float(value))
        except ValueError:
            raise SystemExit(f"{part}: write NAME=NUMBER") from None
    return SELECTIVITY._replace(**values)


def contestant(player: str, limit: Limit, name: str, selectivity: Selectivity) -> Contestant:
    """A player whose search looks less closely where ``selectivity`` says."""
    known = make_contestant(player)
    if not isinstance(known.evaluator, Evaluator):
        raise SystemExit(f"{player} has no compiled evaluator")
    evaluator = known.evaluator
    return Contestant(name, make=lambda: SearchingPlayer(Searcher(evaluator, selectivity=selectivity), limit))


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print a row of a table for each change, from the side of the search as it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("changes", nargs="*", default=ALTERNATIVES, metavar="NAME=VALUE")
    parser.add_argument("--player", default="champion")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--openings", default="three-move")
    given = parser.parse_args(arguments)
    limit, lines = Limit(nodes=given.nodes), opening_lines(given.openings)
    shipped = contestant(given.player, limit, "as it is", SELECTIVITY)
    print("| changed | games | won-drawn-lost | points, 95% |\n|---|---|---|---|", flush=True)
    for change in given.changes:
        other = contestant(given.player, limit, change, changed(change))
        score = score_of(list(play_match(shipped, other, lines, ThreadExecutor(), repetition=True)))
        print(f"| `{change}` | {score.games} | {score.wdl_text} | {score.elo_text} |", flush=True)


if __name__ == "__main__":
    main()
