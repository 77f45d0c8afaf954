// Lines of play as text that can be clicked: each move shows the position after it.

import { make } from "../common/dom.js";
import { afterMove } from "./fen.js";
import { placeOf, squareAt } from "./geometry.js";

/** @import { Move } from "../common/types.js" */
/** @typedef {{fen: string, move: Move}} Step a position and the move that led to it */

/**
 * A move from its text; what it captures lies between the squares of its path.
 * @param {string} text
 * @returns {Move}
 */
export function moveOf(text) {
  const path = text.split(/[-x]/).map(Number);
  if (!text.includes("x")) return { text, path, captured: [] };
  const captured = path.slice(1).map((to, i) => {
    const [a, b] = [placeOf(path[i] ?? 0), placeOf(to)];
    return squareAt((a.row + b.row) / 2, (a.column + b.column) / 2) ?? 0;
  });
  return { text, path, captured };
}

/**
 * The positions along a line.
 * @param {string} fen
 * @param {string[]} texts
 * @returns {Step[]}
 */
export function follow(fen, texts) {
  const steps = [];
  let now = fen;
  for (const text of texts) {
    const move = moveOf(text);
    now = afterMove(now, move);
    steps.push({ fen: now, move });
  }
  return steps;
}

/**
 * A line as buttons.
 * @param {string} fen where it begins
 * @param {string[]} texts
 * @param {(step: Step, at: number) => void} onStep
 */
export function lineOf(fen, texts, onStep) {
  const line = make("span", { className: "line" });
  follow(fen, texts).forEach((step, at) => {
    const button = make("button", { className: "quiet", textContent: step.move.text });
    button.addEventListener("click", () => {
      markStep(line, at);
      onStep(step, at);
    });
    line.append(button);
  });
  return line;
}

/**
 * Mark the step of a line that is shown, and no other; one that the line does not have marks none.
 * @param {HTMLElement} line
 * @param {number} at
 */
export function markStep(line, at) {
  for (const one of document.querySelectorAll(".line [aria-current]")) one.removeAttribute("aria-current");
  line.children[at]?.setAttribute("aria-current", "true");
}
