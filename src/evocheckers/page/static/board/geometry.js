// Where the 32 squares are, and which lie beside each other.

/** @typedef {{row: number, column: number}} Place */

/**
 * A square's row and column as seen: White below, or Black below when flipped.
 * @param {number} square
 * @param {boolean} flipped
 * @returns {Place}
 */
export function placeOf(square, flipped = false) {
  const row = Math.floor((square - 1) / 4);
  const column = 2 * ((square - 1) % 4) + (1 - (row % 2));
  return flipped ? { row: 7 - row, column: 7 - column } : { row, column };
}

/**
 * The square at a row and a column, White below; null off the board or on a light square.
 * @param {number} row
 * @param {number} column
 */
export function squareAt(row, column) {
  if (row < 0 || row > 7 || column < 0 || column > 7 || (row + column) % 2 === 0) return null;
  return 4 * row + Math.floor(column / 2) + 1;
}

/**
 * A square's middle in a drawing of 800 by 800.
 * @param {number} square
 * @param {boolean} flipped
 */
export function centreOf(square, flipped = false) {
  const { row, column } = placeOf(square, flipped);
  return { x: 100 * column + 50, y: 100 * row + 50 };
}

/**
 * The squares that a piece could step to and jump to on an empty board.
 * @param {number} square
 * @param {string} piece b, w, or large for kings
 */
export function reachOf(square, piece) {
  const { row, column } = placeOf(square);
  const rows = piece === "b" ? [1] : piece === "w" ? [-1] : [1, -1];
  const steps = [];
  for (const down of rows) {
    for (const right of [-1, 1]) {
      const to = squareAt(row + down, column + right);
      const beyond = squareAt(row + 2 * down, column + 2 * right);
      if (to !== null) steps.push({ to, beyond });
    }
  }
  return steps;
}
