"""One function for each reader: any input either reads, and then survives a round trip, or raises our own error."""

from collections.abc import Callable

from safetensors.numpy import save

from evocheckers import Board, EvocheckersError, Network, read_pdn, write_pdn
from evocheckers.rules.fen import format_fen, parse_fen
from tests.conftest import PUBLISHED
from tests.evaluation.test_network_file import WEIGHTS, metadata


def fen(data: bytes) -> None:
    position = parse_fen(data.decode("utf-8", "replace"))
    assert parse_fen(format_fen(position)) == position


def move_text(data: bytes) -> None:
    board = Board("B:W6,7,14,15,16:BK11")
    move = board.parse(data.decode("utf-8", "replace"))
    assert board.parse(str(move)) == move


def pdn(data: bytes) -> None:
    text = write_pdn(read_pdn(data.decode("utf-8", "replace")))
    assert write_pdn(read_pdn(text)) == text


def network(data: bytes) -> None:
    assert Network.from_bytes(data).weights.size in (5046, 5251, 1411)


TARGETS: dict[str, tuple[Callable[[bytes], None], list[bytes]]] = {
    "fen": (fen, [b"B:W21-32:B1-12.", b"W:WK1,K23,K28:B25", b" b : Bk1-4 : w21 , 22-32 "]),
    "move_text": (move_text, [b"11x2x9x18x11x20", b"11x18x9x2x11x20", b"11x20", b"11 - 20"]),
    "pdn": (
        pdn,
        [(PUBLISHED / "published-games.pdn").read_bytes(), b'[FEN "W:W25,K1:B3"]\n1. ... 25-21 $3 (1. 1-5) {x} *'],
    ),
    "network": (network, [save({"weights": WEIGHTS}, metadata()), save({"weights": WEIGHTS[:100]}, metadata())]),
}


def survive(target: Callable[[bytes], None], data: bytes) -> bool:
    """Whether the input was read; any error but our own goes through, and ours has one line."""
    message = ""
    try:
        target(data)
    except EvocheckersError as error:
        message = str(error)
    assert "\n" not in message
    return not message
