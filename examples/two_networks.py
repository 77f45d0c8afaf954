"""Two networks of random numbers play each other: Black's seven first moves, each with both colours."""

import numpy as np

import evocheckers as ec


def main() -> None:
    """Play the match, 4 plies ahead, and print every game."""
    first, second = (ec.Network.random(np.random.default_rng(seed)) for seed in (1, 2))
    match = ec.match(first, second, "first-moves")
    for game in match.games:
        print(f"{game.number:>2}. {game.black} - {game.white}: {game.outcome}, {len(game.moves)} plies")
    print(match)


if __name__ == "__main__":
    main()
