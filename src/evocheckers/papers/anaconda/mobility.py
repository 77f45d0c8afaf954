"""Mobility: Anaconda was named for the way in which it seemed to smother its opponents. Does our run of it?

Two questions. Does an evolved evaluation reflect how many moves each side has, which no network is ever shown? Pieces
and moves go together, so the answer is the correlation that is left when men and kings are held fixed. And in play,
does a network leave its opponents fewer moves than it has itself, and win by blocking?
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evocheckers.games.batch import GameBatch, GameRules, Pairing
from evocheckers.games.game import PlayedGame
from evocheckers.games.openings import FIRST_MOVES, ballots, openings
from evocheckers.native.randomness import key
from evocheckers.networks.evaluator import Evaluator
from evocheckers.networks.network import Network
from evocheckers.networks.search_rules import EXTENSIONS
from evocheckers.papers.lab import PIECE_COUNTERS, Laboratory, identity
from evocheckers.papers.report import Report
from evocheckers.players.grammar import PlayerError
from evocheckers.players.player import Contestant
from evocheckers.rules.board import Board
from evocheckers.rules.move import Color
from evocheckers.rules.outcome import Reason
from evocheckers.tournaments.match import first_color, play_match


@dataclass(frozen=True)
class Restraint:
    """What a player's games show about mobility."""

    margins: tuple[float, ...]
    """For each game with such positions: own moves minus the opponent's, averaged where the pieces are equal."""
    won: int
    won_by_blocking: int
    lost: int
    lost_by_blocking: int

    def __add__(self, other: "Restraint") -> "Restraint":
        numbers = zip(list(vars(self).values())[1:], list(vars(other).values())[1:], strict=True)
        return Restraint(self.margins + other.margins, *(a + b for a, b in numbers))

    @property
    def margin_text(self) -> str:
        """The mean and its 95% interval over games."""
        from scipy import stats

        if len(self.margins) < 2:
            return "too few games"
        mean = float(np.mean(self.margins))
        half = float(stats.t.ppf(0.975, len(self.margins) - 1) * stats.sem(self.margins))
        return f"{mean:+.2f} [{mean - half:+.2f}, {mean + half:+.2f}]"

    @property
    def blocking_text(self) -> str:
        return f"{self.won_by_blocking} of {self.won}"

    @property
    def blocked_text(self) -> str:
        return f"{self.lost_by_blocking} of {self.lost}"


HEADER = ("player", "against", "own moves less the opponent's, 95%", "wins by blocking", "losses by being blocked")


def rows_in_play(lab: Laboratory, plies: int, lines: Sequence[str], beginners: int) -> dict[tuple[str, str], Restraint]:
    """By player and opponent: every network, random networks together, and piece differential itself."""
    found: dict[tuple[str, str], Restraint] = {}
    for opponent in PIECE_COUNTERS:
        other = lab.contestant(f"{opponent}@{plies}")
        for player in lab.players:
            found[player, opponent] = _restraint(lab, lab.contestant(f"{player}@{plies}"), other, lines)
        together = Restraint((), 0, 0, 0, 0)
        for seed in range(beginners):
            beginner = Contestant.from_network(f"random-{seed}", Network.random(np.random.default_rng(seed)), plies)
            together += _restraint(lab, beginner, other, lines[seed::beginners])
        found[f"{beginners} random networks", opponent] = together
        for counter in PIECE_COUNTERS:
            found[counter, opponent] = _restraint(lab, lab.contestant(f"{counter}@{plies}"), other, lines)
    return found


def _restraint(lab: Laboratory, player: Contestant, opponent: Contestant, lines: Sequence[str]) -> Restraint:
    about = {"player": identity(player), "opponent": identity(opponent), "lines": list(lines)}

    def play() -> list[object]:
        games = sorted(play_match(player, opponent, lines, lab.executor), key=lambda game: game.number)
        found = restraint(games)
        return list(vars(found).values())

    margins, *counts = lab.step(f"play-{player.name}-{opponent.name}", about, play)
    return Restraint(tuple(margins), *counts)


def restraint(games: Sequence[PlayedGame]) -> Restraint:
    """What games show about a match's first player."""
    margins = [float(np.mean(found)) for game in games if (found := list(_margins(game, first_color(game))))]
    values = [game.value_to(first_color(game)) for game in games]
    blocked = [game.outcome.reason is Reason.NO_MOVES for game in games]
    counts = [
        (values.count(value), sum(b for v, b in zip(values, blocked, strict=True) if v == value)) for value in (1, -1)
    ]
    return Restraint(tuple(margins), *counts[0], *counts[1])


def _margins(game: PlayedGame, color: Color) -> Iterator[int]:
    """The colour's moves minus its opponent's in the game's quiet positions with equal men and equal kings."""
    board = Board(game.start).push_all(game.opening)
    for move in game.moves:
        _, black, white, kings = board.position
        is_level = black.bit_count() == white.bit_count() and (black & kings).bit_count() == (white & kings).bit_count()
        if is_level and (counts := move_counts(board)):
            yield counts[0] - counts[1] if board.turn is color else counts[1] - counts[0]
        board.push(move)


def move_counts(board: Board) -> tuple[int, int] | None:
    """How many moves the mover has and the opponent would have; None if either could jump or has no move."""
    mine = board.legal_moves()
    theirs = Board(board.position._replace(turn=board.turn.opponent)).legal_moves()
    if not mine or not theirs or mine[0].captured or theirs[0].captured:
        return None
    return len(mine), len(theirs)


_MOBILITY = 17
"""Separates these games' random numbers from others."""


def mobility(lab: Laboratory, command: str) -> Report:
    """Correlate evaluation and mobility with pieces held fixed, and watch the networks play."""
    report = Report("anaconda/mobility", command)
    report.lists["player"] = list(lab.players)
    plies = lab.size(6, 2)
    lines = FIRST_MOVES[:2] if lab.quick else ballots()[::2]
    beginners = [Network.random(np.random.default_rng(seed)).evaluator() for seed in range(lab.size(20, 4))]
    in_play = rows_in_play(lab, plies, lines, lab.size(10, 2))
    for player in lab.players:
        _correlate(lab, report, player, beginners)
    rows = []
    for (player, opponent), found in in_play.items():
        is_random = player.endswith("random networks")
        if is_random or player in lab.players:
            name = "random" if is_random else player
            report.fact(f"{name}-{opponent}-margin", found.margin_text, quoted=True)
            report.fact(f"{name}-{opponent}-blocking", found.blocking_text, quoted=True)
        shown = player if is_random else f"`{player}`"
        rows.append([shown, f"`{opponent}`", found.margin_text, found.blocking_text, found.blocked_text])
    for opponent in PIECE_COUNTERS:
        margins = [
            f"{player} {found.margin_text}"
            for (player, other), found in in_play.items()
            if other == opponent and player not in PIECE_COUNTERS
        ]
        report.fact(f"{opponent}-margins", ", ".join(margins))
    report.state(plies=plies, games=2 * len(lines))
    report.table("in-play", HEADER, rows)
    return report


def _correlate(lab: Laboratory, report: Report, player: str, beginners: list[Evaluator]) -> None:
    """Correlate evaluation and mobility over the positions of a network's games."""
    evolved = lab.contestant(f"{player}@4").evaluator
    if not isinstance(evolved, Evaluator):
        raise PlayerError(player, "has no compiled evaluation; write champion, net:, run: or material")
    boards = _positions(lab, evolved, lab.size(43, 6))
    moves = np.array([_mobility(board) for board in boards], float)
    pieces = np.array([_lead(board) for board in boards], float)
    mine = _numbers(evolved, boards, moves, pieces)
    several = np.array([_numbers(e, boards, moves, pieces) for e in beginners])
    beaten = int((several[:, 1] < mine[1]).sum())
    report.fact(f"{player}-correlation", f"{mine[1]:+.2f}")
    report.fact(f"{player}-above", f"{beaten} of {len(beginners)}")
    report.fact(f"{player}-positions", f"{len(boards):,}")
    rows = [[f"`{player}`", *(f"{number:+.3f}" for number in mine)]]
    low, high = np.quantile(several, [0.025, 0.975], axis=0)
    cells = [f"{m:+.3f} [{a:+.3f}, {b:+.3f}]" for m, a, b in zip(several.mean(axis=0), low, high, strict=True)]
    rows.append([f"{len(beginners)} random networks (generation 0): mean and 95% of them", *cells])
    report.table(f"correlation-{player}", ("network", "plain", "pieces held fixed"), rows)


def _positions(lab: Laboratory, evaluator: Evaluator, games: int) -> list[Board]:
    """Quiet positions of games, each only once."""
    starts = openings("two-move")
    pairings = [Pairing(0, 0, key(_MOBILITY, number), 2, 2, starts[number % len(starts)]) for number in range(games)]
    alike = evaluator.with_rules(extensions=EXTENSIONS)  # every player's positions come from the same search
    result = lab.executor.play(GameBatch([alike], pairings, GameRules(120, random_move_rate=0.1)))
    found: dict[object, Board] = {}
    for row in range(games):
        board = Board(result.starts[row])
        for move in result[row].moves:
            board.push(move)
            if move_counts(board):
                found.setdefault(board.position, Board(board.position))
    return list(found.values())


def _mobility(board: Board) -> int:
    counts = move_counts(board)
    return counts[0] - counts[1] if counts else 0


def _lead(board: Board) -> tuple[int, int]:
    """Men and kings of the mover minus those of the opponent."""
    own, opp, kings = board.mover_words
    men = (own & ~kings).bit_count() - (opp & ~kings).bit_count()
    return men, (own & kings).bit_count() - (opp & kings).bit_count()


def _numbers(evaluator: Evaluator, boards: list[Board], moves: np.ndarray, pieces: np.ndarray) -> tuple[float, float]:
    """Plain and partial correlation."""
    from scipy import stats

    values = np.array([evaluator(board) for board in boards])
    known = np.column_stack([pieces, np.ones(len(boards))])

    def left(column: np.ndarray) -> np.ndarray:
        return column - known @ np.linalg.lstsq(known, column, rcond=None)[0]

    plain = stats.pearsonr(values, moves).statistic
    return float(plain), float(stats.pearsonr(left(values), left(moves)).statistic)
