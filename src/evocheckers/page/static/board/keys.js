// A board by keyboard: arrows walk over the squares, Enter chooses, Escape lets go.

import { placeOf } from "./geometry.js";

/** @import { BoardView } from "./board.js" */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -2], ArrowRight: [0, 2] };

/** @param {BoardView} board */
export function listenToKeys(board) {
  board.svg.addEventListener("keydown", (event) => {
    const place = /** @type {Element} */ (event.target).closest("[data-square]");
    const square = Number(place?.getAttribute("data-square"));
    if (!square) return;
    const step = STEPS[event.key];
    if (step) {
      const { row, column } = placeOf(square, board.flipped);
      focus(board, nearest(board, row + step[0], column + step[1]));
    } else if (event.key === "Enter" || event.key === " ") {
      if (board.canStart(square) && board.prefix.length < 2 && board.prefix[0] !== square) board.select(square);
      else board.choose(square);
    } else if (event.key === "Escape") {
      board.clear();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * @param {BoardView} board
 * @param {number} row
 * @param {number} column
 */
function nearest(board, row, column) {
  let best = board.focused;
  let least = Infinity;
  for (let square = 1; square <= 32; ++square) {
    const place = placeOf(square, board.flipped);
    const distance = Math.abs(place.row - row) * 10 + Math.abs(place.column - column);
    if (distance < least) [best, least] = [square, distance];
  }
  return best;
}

/**
 * @param {BoardView} board
 * @param {number} square
 */
function focus(board, square) {
  board.squares.get(board.focused)?.setAttribute("tabindex", "-1");
  board.focused = square;
  const group = board.squares.get(square);
  group?.setAttribute("tabindex", "0");
  group?.focus();
}
