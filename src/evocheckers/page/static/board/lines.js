// Lines of play as text that can be clicked: each move shows the position after it. Alone, or in an analysis's table.

import { messageOf, post } from "../common/api.js";
import { make } from "../common/dom.js";
import { moverText } from "../common/value-text.js";
import { afterMove, sideName } from "./fen.js";
import { placeOf, squareAt } from "./geometry.js";

/** @import { Analysis, Move } from "../common/types.js" */
/** @typedef {{fen: string, move: Move}} Step a position and the move that led to it */

/**
 * A move from its text; what it captures lies between the squares of its path.
 * @param {string} text
 * @returns {Move}
 */
function moveOf(text) {
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

/**
 * The step to which a button or key leads; −1 is the position from which the line begins.
 * @param {string} way first, back, forward or last
 * @param {number} at
 * @param {number} length
 */
export function walkLine(way, at, length) {
  return { first: -1, back: at - 1, forward: Math.min(at + 1, length - 1), last: length - 1 }[way] ?? at;
}

/**
 * A row for a move's value and its line.
 * @param {string} value
 * @param {HTMLElement} line
 */
export function rowOf(value, line) {
  return make("tr", {}, make("td", { className: "amount", textContent: value }), make("td", {}, line));
}

/**
 * Ask the champion for the value and the line of every legal move, and fill a place with them, best first.
 * @param {HTMLElement} place
 * @param {string} fen
 * @param {(texts: string[]) => HTMLElement} buttonsOf makes a line of buttons
 */
export async function showLines(place, fen, buttonsOf) {
  place.replaceChildren(make("p", { className: "small", textContent: "Analysing…" }));
  try {
    /** @type {Analysis} */
    const { turn, moves } = await post("/api/analysis", { fen, player: "champion", limit: "8" });
    const sign = turn === "black" ? 1 : -1; // values are Black's
    const sorted = [...moves].sort((a, b) => sign * (b.score - a.score));
    const rows = sorted.map((item) => rowOf(moverText(sign * item.score), buttonsOf(item.line)));
    const text = `Men to ${sideName(turn)}, 8 plies deep. Click a move to see it.`;
    place.replaceChildren(
      make("p", { className: "small", textContent: text }),
      make("table", { className: "line-table" }, make("tbody", {}, ...rows)),
    );
  } catch (error) {
    place.replaceChildren(make("p", { className: "fault", textContent: messageOf(error) }));
  }
}
