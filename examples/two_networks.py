"""Two networks of random numbers play each other: Black's seven first moves, each with both colours."""

import numpy as np

from evocheckers import Contestant, Limit, Match, Network, ThreadExecutor
from evocheckers.games.openings import opening_lines
from evocheckers.tournaments.match import play_match


def player(seed: int) -> Contestant:
    """A network of random numbers that looks 4 plies ahead."""
    network = Network.random(np.random.default_rng(seed))
    return Contestant(f"seed {seed}", network.evaluator(), Limit(plies=4))


def main() -> None:
    """Play the match and print every game."""
    first, second = player(1), player(2)
    games = list(play_match(first, second, opening_lines("first-moves"), ThreadExecutor()))
    for game in games:
        print(f"{game.number:>2}. {game.black} - {game.white}: {game.outcome}, {len(game.moves)} plies")
    print(f"{first.name} against {second.name}: {Match(first.name, second.name, games).score}")


if __name__ == "__main__":
    main()
