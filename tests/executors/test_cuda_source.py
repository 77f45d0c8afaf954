"""The CUDA source, built for the CPU, plays move for move as the Numba kernel does."""

import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

from evocheckers import Board, Leaf, Network, Pairing, Reason, View, perft, piece_differential, play_batch
from evocheckers.executors.cuda import launch
from evocheckers.executors.cuda.constants import floats, integers, kinds_for, words
from evocheckers.executors.cuda.launch import LaunchError, Variant, compiler_options
from evocheckers.games.batch import GameBatch, GameRules, Precision
from evocheckers.games.openings import openings
from evocheckers.networks.registry import Kind
from evocheckers.networks.search_rules import Forced, SearchRules, Wins
from evocheckers.rules.fen import parse_fen
from tests.executors.host_build import COMPILER, HostExecutor
from tests.helpers.boards import biased, random_boards

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "helping"])
def host(tmp_path_factory, request) -> HostExecutor:
    return HostExecutor(tmp_path_factory.mktemp("cuda"), request.param)


def networks(count: int, **rules) -> list[Network]:
    generator = np.random.default_rng(5)
    found = [Network.random(generator, limit=limit) for limit in np.linspace(0.05, 0.6, count)]
    return [network.with_rules(**rules) for network in found]


def test_rules(host):
    assert host.count_moves(0xFFF, 0xFFF00000, 0, 8) == 845931
    for board in random_boards(60, seed=11):
        assert host.count_moves(*board.mover_words, 4) == perft(board, 4)


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
@pytest.mark.parametrize("extensions", [0, 2])
def test_games_are_the_same(host, plies, extensions):
    evaluators = [n.evaluator() for n in networks(5, extensions=extensions)] + [
        piece_differential(),
        piece_differential(1.5, 0.01),
    ]
    starts = openings("two-move")
    pairings = [Pairing(i % 7, (3 * i + 1) % 7, i, plies, max(1, plies - i % 2), starts[7 * i % 43]) for i in range(10)]
    batch = GameBatch(evaluators, pairings, GameRules(100))
    ours = host.play(batch)
    assert ours.digest() == play_batch(*batch, threads=2).digest()
    assert (ours.evaluations > 0).all()


@pytest.mark.parametrize("warps", [2, 5])
def test_warps_that_share_a_search_find_the_same_moves(host, monkeypatch, warps):
    monkeypatch.setattr(host, "warps", warps)
    for extensions, plies in ((0, 5), (2, 4)):
        evaluators = [n.evaluator() for n in networks(3, extensions=extensions)]
        evaluators += [piece_differential(), piece_differential(1.5, 0.01)]
        pairings = [Pairing(i % 5, (2 * i + 1) % 5, i, plies, plies) for i in range(6)]
        batch = GameBatch(evaluators, pairings, GameRules(80))
        assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


@pytest.mark.parametrize(("wins", "warps"), [(Wins.SOONER, 1), (Wins.EQUAL, 1), (Wins.EQUAL, 3)])
@pytest.mark.parametrize("forced", Forced)
def test_every_reading_of_the_paper(host, monkeypatch, forced, wins, warps):
    monkeypatch.setattr(host, "warps", warps)
    players = [n.evaluator() for n in networks(3)] + [piece_differential(1.5, 0.01)]
    endings = ("B:WK5,K9:BK14,K15,K10", "W:WK32,K31:B8,K22", "B:W27,31,32,K19:B24,23,1,2", "W:W25,26,27,29:B13,14,6,5")
    for extensions, starts in ((2, openings("two-move")[::12]), (15, [parse_fen(fen) for fen in endings])):
        pairings = [Pairing(i % 4, (3 * i + 1) % 4, i, 2 + i % 3, 4 - i % 2, start) for i, start in enumerate(starts)]
        evaluators = [one.with_rules(forced=forced, wins=wins, extensions=extensions) for one in players]
        batch = GameBatch(evaluators, pairings, GameRules(60))
        assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


def planes(count: int, **rules) -> list[Network]:
    generator = np.random.default_rng(7)
    widths = [32, 64, 96, 256, 512]
    found = [Network.random(generator, 0.1 + 0.2 * i, 1.5, Kind.PLANES, widths[i % 5]) for i in range(count)]
    return [network.with_rules(**rules) for network in found]


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
@pytest.mark.parametrize("extensions", [0, 2])
def test_games_of_planes_are_the_same(host, plies, extensions):
    evaluators = [n.evaluator() for n in planes(5, extensions=extensions) + networks(1, extensions=extensions)]
    evaluators += [piece_differential(1.5, 0.01)]
    pairings = [Pairing(i % 7, (3 * i + 1) % 7, i, plies, max(1, plies - i % 2)) for i in range(8)]
    batch = GameBatch(evaluators, pairings, GameRules(90))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


@pytest.mark.parametrize("extensions", [0, 2])
def test_games_without_the_sum_of_inputs_are_the_same(host, extensions):
    found = [replace(network, kind=Kind.SPATIAL_BARE) for network in networks(3, extensions=extensions)]
    bare = [network.with_rules(leaf=leaf) for network, leaf in zip(found, Leaf, strict=True)]
    others = networks(1, extensions=extensions)
    evaluators = [*(n.evaluator() for n in bare + others), piece_differential(1.5, 0.01)]
    pairings = [Pairing(i % 3, (3 * i + 1) % 5, i, 3, 2) for i in range(9)]
    batch = GameBatch(evaluators, pairings, GameRules(70))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize("leaf", Leaf)
def test_every_view_of_planes(host, monkeypatch, view, leaf):
    monkeypatch.setattr(host, "warps", 3)
    evaluators = [n.evaluator() for n in planes(3, view=view, leaf=leaf)]
    batch = GameBatch(evaluators, [Pairing(i % 3, (i + 1) % 3, i, 3, 2) for i in range(6)], GameRules(60))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


def test_planes_have_one_precision(host):
    rules = GameRules(precision=Precision.FP16)
    with pytest.raises(LaunchError, match="one precision, fp32"):
        host.play(GameBatch([planes(1)[0].evaluator()], [Pairing(0, 0, 1)], rules))


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize("leaf", Leaf)
def test_every_view(host, view, leaf):
    evaluators = [n.evaluator() for n in networks(3, view=view, leaf=leaf)]
    batch = GameBatch(evaluators, [Pairing(i % 3, (i + 1) % 3, i, 3, 2) for i in range(6)], GameRules(60))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


@pytest.mark.parametrize("leaf", Leaf)
def test_values_that_lean_to_one_side_or_are_cut_off(host, leaf):
    random = [network.weights for network in networks(4)]
    weights = [*map(biased, random[:2]), *(100_000 * one for one in random[2:])]
    pairings = [Pairing(i % 4, (i + 1) % 4, i, 2 + i % 3, 3) for i in range(8)]
    for extensions in (0, 2):
        rules = SearchRules(leaf=leaf, extensions=extensions)
        evaluators = [Network(Kind.SPATIAL, one, 1.5, rules).evaluator() for one in weights]
        batch = GameBatch(evaluators, pairings, GameRules(80))
        assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("extensions", [0, 2])
def test_leaves_without_quiescence(host, plies, extensions):
    standing = networks(3, quiescence=False, extensions=extensions)
    evaluators = [n.evaluator() for n in standing + networks(1, extensions=extensions)]
    starts = openings("two-move")
    pairings = [Pairing(i % 4, (i + 1) % 4, i, plies, plies, starts[7 * i % 43]) for i in range(8)]
    batch = GameBatch(evaluators, pairings, GameRules(100))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


def test_jumps_are_compulsory_there(host):
    batch = GameBatch([networks(1)[0].evaluator()], [Pairing(0, 0, 1)], GameRules(compulsory=False))
    with pytest.raises(LaunchError, match="on the GPU jumps are compulsory"):
        host.play(batch)


def test_random_moves_repetitions_pieces_and_odd_starts(host):
    evaluators = [n.evaluator() for n in networks(3, extensions=1)]
    starts = [board.position for board in random_boards(20, seed=3)]
    starts.append(parse_fen("W:W13:B9,6"))  # no move at once
    pairings = [Pairing(i % 3, (i + 1) % 3, i, i % 3, 2, start) for i, start in enumerate(starts)]
    batch = GameBatch(evaluators, pairings, GameRules(80, random_move_rate=0.1, rate_rise=0.2, pieces_decide=True))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


def test_draws_by_repetition(host):
    start = parse_fen("B:WK32,K28:BK1,K5")
    evaluators = [piece_differential(), *(n.evaluator() for n in networks(2, extensions=1))]
    pairings = [Pairing(i % 3, (i + 1) % 3, i, 2, 2, start) for i in range(9)]
    for rate_rise in (0.0, 0.1):
        batch = GameBatch(evaluators, pairings, GameRules(80, rate_rise=rate_rise, repetition=True))
        ours = host.play(batch)
        assert (ours.reasons == Reason.REPETITION).any()
        assert ours.digest() == play_batch(*batch, threads=2).digest()


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_deeper_for_piece_counting(host, noise):
    counter = piece_differential(1.5, noise).with_rules(extensions=1)
    batch = GameBatch([counter], [Pairing(0, 0, i, 8, 7) for i in range(3)], GameRules(60))
    assert host.play(batch).digest() == play_batch(*batch, threads=2).digest()


def test_other_kinds_are_refused(host):
    dense = Network(Kind.DENSE_512, np.zeros(5251, np.float32)).evaluator()
    with pytest.raises(LaunchError, match="the GPU plays spatial, material, planes, spatial_bare, not dense_512"):
        host.play(GameBatch([dense], [Pairing(0, 0, 1, start=Board().position)]))


def test_games_without_room_are_played_elsewhere(host, monkeypatch):
    monkeypatch.setattr(launch, "MOVES_A_PLY", 1)
    evaluators = [n.evaluator() for n in networks(3)]
    batch = GameBatch(evaluators, [Pairing(i % 3, (i + 1) % 3, i) for i in range(4)], GameRules(60))
    elsewhere: list[int] = []

    def play_elsewhere(evaluators, pairings, rules):
        elsewhere.append(len(pairings))
        return play_batch(evaluators, pairings, rules)

    monkeypatch.setattr(launch, "play_batch", play_elsewhere)
    assert host.play(batch).digest() == play_batch(*batch).digest()
    assert elsewhere


def test_numbers_that_python_knows_stand_in_python_alone():
    text = "".join(file.read_text() for file in launch.source_files())
    of_kinds = [name for gpu in kinds_for(["planes"]) for name in (*gpu.integers, *gpu.floats)]
    for name in (*integers(), *words(), *floats(), *of_kinds):
        assert re.search(rf"\b{name}\b", text), f"{name} is handed over in vain"
        assert not re.search(rf"(\b{name} = \w|#define {name}\b)", text), f"{name} is mirrored by hand"


def test_a_changed_header_is_compiled_anew(tmp_path):
    folder = shutil.copytree(launch.PACKAGE, tmp_path / "evocheckers")
    before = compiler_options(Variant(helping=True), folder)
    assert before == compiler_options(Variant(helping=True), folder)
    (folder / "networks" / "planes" / "gpu.h").write_text("// another\n")
    assert compiler_options(Variant(helping=True), folder) != before
