"""The basis of the page's values: ``python -m tools.page_values``.

Plays the champion against itself at 4 plies from the 43 two-move ballots, twice, with one move in 25 at random, as in
its training, so that games are decided. Prints what a man is worth to its network (the median change of a position's
value when a man is removed), and the scale that turns men into a chance (logistic regression of results, with a draw as
half a win, on its values of every fourth position). Then plays 20 games without random moves to measure how
much its value changes from ply to ply while its best line does not. ``analysis/values.py`` holds the constants.
"""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import minimize_scalar

from evocheckers import Board, Limit
from evocheckers.analysis.values import FORCED, MAN
from evocheckers.games.openings import ballots
from evocheckers.page.analysis.activations import activations_of
from evocheckers.page.analysis.positions import VALUE_PLIES
from evocheckers.players.make import make_contestant
from evocheckers.rules.move import Color

CHAMPION = make_contestant("champion@4")
SEARCHER = CHAMPION.searcher(16)
RANDOM_MOVES = 0.04


def play(opening: str, generator: np.random.Generator, random_moves: float, plies: int = 4) -> Board:
    """A game of the champion against itself."""
    board = Board().push_all(opening.split())
    while board.outcome(200, 3) is None:
        if generator.random() < random_moves:
            board.push(board.legal_moves()[generator.integers(len(board.legal_moves()))])
        else:
            board.push(SEARCHER.search(board, Limit(plies=plies)).move)
    return board


def value_of(board: Board) -> tuple[float, list[str]]:
    """The value to Black in units of the network, and the line of the deeper search."""
    results = [SEARCHER.search(board, Limit(plies=plies)) for plies in VALUE_PLIES]
    sign = 1 if board.turn is Color.BLACK else -1
    return sign * float(np.mean([one.score for one in results])), [str(move) for move in results[-1].line]


def along(game: Board) -> Iterator[Board]:
    """All positions of a game that have legal moves."""
    board = Board(game.start)
    for move in game.moves:
        yield board.copy()
        board.push(move)


def worth_of_a_man(boards: list[Board]) -> float:
    """What a man is worth, in units of the network's value."""
    found = []
    for board in boards:
        activations = activations_of(CHAMPION.network, board)
        kings = board.mover_words[2]
        if activations is not None and not kings:
            found += [abs(value) for value in activations.squares.values()]
    return float(np.median(found))


def fit_scale(values: np.ndarray, results: np.ndarray) -> float:
    """The scale for which the logistic function of scale times value fits the results best."""

    def loss(scale: float) -> float:
        t = scale * values
        return float(np.mean(np.logaddexp(0, t) - results * t))

    return float(minimize_scalar(loss, bounds=(0.05, 20), method="bounded").x)


def measure_scale() -> None:
    """Print both constants."""
    generator = np.random.default_rng(1)
    games = [play(opening, generator, RANDOM_MOVES) for _ in range(2) for opening in ballots()]
    boards, values, results = [], [], []
    for game in games:
        outcome = game.outcome(200, 3)
        winner = None if outcome is None else outcome.winner
        for number, board in enumerate(along(game)):
            if number % 4 == 0:
                boards.append(board)
                value, _ = value_of(board)
                if abs(value) < FORCED:
                    values.append(value)
                    results.append(0.5 if winner is None else float(winner is Color.BLACK))
    man = worth_of_a_man(boards)
    print(f"{len(games)} games, {len(values)} positions: a man is worth {man:.3f}", flush=True)
    scale = fit_scale(np.array(values) / man, np.array(results))
    print(f"chance = logistic({scale:.3f} x men); one man ahead: {1 / (1 + np.exp(-scale)):.0%}", flush=True)


def measure_steadiness() -> None:
    """Print how much values change while the best line does not."""
    changes = []
    for opening in list(ballots())[:20]:
        boards = list(along(play(opening, np.random.default_rng(1), 0.0, 6)))
        found = [value_of(board) for board in boards]
        for (value, line), (after, continued), board in zip(found, found[1:], boards[1:], strict=False):
            follows = line[0] == str(board.moves[-1]) and line[1:] == continued[: len(line) - 1]
            if follows and max(abs(value), abs(after)) < FORCED:
                changes.append(abs(after - value) / MAN)
    found_changes = np.array(changes)
    high = np.quantile(found_changes, [0.5, 0.9, 0.99])
    print(
        f"20 games, {len(changes)} plies with an unchanged line: median {high[0]:.3f}, 90% {high[1]:.3f}, "
        f"99% {high[2]:.3f}, most {found_changes.max():.3f} men",
        flush=True,
    )


if __name__ == "__main__":
    measure_scale()
    measure_steadiness()
