"""A position as a small, self-contained SVG picture, for notebooks and documents.

The board is oriented as in print: Black's side at the top, squares numbered. Kings wear a crown; the squares of the
last move are tinted, and crosses mark the pieces it captured. The colours are those of the web page.
"""

from collections.abc import Iterator

from evocheckers.rules.fen import Position, format_fen
from evocheckers.rules.move import Move, Square, row_and_column

SIDE = 40
"""The side of a square, in units of the picture."""

_LIGHT, _DARK, _NUMBER, _LAST = "#ecdcbb", "#5f8067", "#dfe8df", "#d9b44a"
_INK, _IVORY = "#2a2320", "#fbf3df"
_BLACK, _WHITE = (_INK, "#0d0a09", _IVORY), (_IVORY, "#6f5c43", _INK)
"""Fill, edge and crown of a piece."""
_CROWN = "M-8 5L-10 -6L-4 -1L0 -8L4 -1L10 -6L8 5Z"
_CROSS = "M-8 -8L8 8M8 -8L-8 8"


def board_svg(position: Position, last: Move | None = None) -> str:
    """The picture of a position and, if given, of the move that led to it."""
    size = 8 * SIDE
    squares = range(1, 33)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" role="img">',
        f"<title>{format_fen(position)}{f', after {last}' if last else ''}</title>",
        f'<rect width="{size}" height="{size}" fill="{_LIGHT}"/>',
        f'<path fill="{_DARK}" d="{"".join(map(_outline, squares))}"/>',
    ]
    passed = set(last.path) if last else set()
    lines += (f'<path fill="{_LAST}" d="{_outline(square)}"/>' for square in sorted(passed))
    lines.append('<g font-family="sans-serif" font-size="8">')
    for square in squares:
        x, y = _corner(square)
        lines.append(f'<text x="{x + 2}" y="{y + 8}" fill="{_INK if square in passed else _NUMBER}">{square}</text>')
    lines.append("</g>")
    lines += _pieces(position)
    if last is not None and last.captured:
        lines.append(f'<g stroke="{_LAST}" stroke-width="3" fill="none">')
        lines += (f'<path transform="{_middle(square)}" d="{_CROSS}"/>' for square in last.captured)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"])


def _pieces(position: Position) -> Iterator[str]:
    for board, (fill, edge, crown) in ((position.black, _BLACK), (position.white, _WHITE)):
        yield f'<g fill="{fill}" stroke="{edge}" stroke-width="1.5">'
        for square in range(1, 33):
            bit = 1 << (square - 1)
            if board & bit:
                yield f'<circle transform="{_middle(square)}" r="14"/>'
                if position.kings & bit:
                    yield f'<path transform="{_middle(square)}" fill="{crown}" stroke="none" d="{_CROWN}"/>'
        yield "</g>"


def _corner(square: Square) -> tuple[int, int]:
    row, column = row_and_column(square)
    return column * SIDE, row * SIDE


def _outline(square: Square) -> str:
    x, y = _corner(square)
    return f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z"


def _middle(square: Square) -> str:
    x, y = _corner(square)
    return f"translate({x + SIDE // 2} {y + SIDE // 2})"
