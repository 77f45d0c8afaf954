// Mouse, pen and finger on a board: a click or tap chooses a square, a drag moves a piece.

/** @import { BoardView } from "./board.js" */

/**
 * @typedef {object} Press
 * @property {number} square
 * @property {number} x where it began
 * @property {number} y
 * @property {boolean} dragging
 * @property {boolean} wasSelected
 * @property {SVGElement | null} piece that goes along
 */

const DRAG_FROM_PIXELS = 6;

/** @param {BoardView} board */
export function listenToPointers(board) {
  /** @type {Press | null} */
  let pressed = null;

  /** @param {PointerEvent} event */
  function squareUnder(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
    return found && board.svg.contains(found) ? Number(found.getAttribute("data-square")) : null;
  }

  board.svg.addEventListener("pointerdown", (event) => {
    const square = squareUnder(event);
    if (square === null || event.button !== 0) return;
    pressed = { square, x: event.clientX, y: event.clientY, dragging: false, wasSelected: false, piece: null };
    if (board.canStart(square) && board.prefix.length < 2) {
      pressed.wasSelected = board.prefix[0] === square;
      board.select(square);
      /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
      pressed.piece = board.pieces.get(square) ?? null;
    } else if (board.prefix.length > 1 && square === board.prefix.at(-1)) {
      pressed.piece = board.pieces.get(board.prefix[0] ?? 0) ?? null; // in the middle of a capture
    }
  });

  window.addEventListener(
    "pointermove",
    (event) => {
      if (!pressed?.piece) return;
      const distance = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
      if (!pressed.dragging && distance < DRAG_FROM_PIXELS) return;
      if (!pressed.dragging) board.pieceLayer.append(pressed.piece); // above the others
      pressed.dragging = true;
      event.preventDefault();
      const matrix = board.svg.getScreenCTM()?.inverse();
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      pressed.piece.setAttribute("transform", `translate(${point.x} ${point.y})`);
    },
    { passive: false },
  );

  window.addEventListener("pointerup", (event) => {
    const done = pressed;
    pressed = null;
    if (!done) return;
    const square = squareUnder(event);
    if (done.dragging) {
      if (square !== null && square !== done.square) board.choose(square, true);
      else board.draw();
    } else if (square === done.square) {
      if (done.wasSelected && board.prefix.length === 1) board.clear();
      else if (!done.piece) board.choose(square);
    }
  });

  window.addEventListener("pointercancel", () => {
    if (pressed) board.draw();
    pressed = null;
  });
  board.svg.addEventListener("dragstart", (event) => event.preventDefault());
  // A press with the mouse leaves the focus where it is: the arrow keys go on browsing the game.
  board.svg.addEventListener("mousedown", (event) => event.preventDefault());
  board.svg.addEventListener("touchmove", (event) => pressed?.piece && event.preventDefault(), { passive: false });
}
