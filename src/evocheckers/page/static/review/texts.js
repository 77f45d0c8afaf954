// What a review says, in words.

import { sideName } from "../board/fen.js";
import { make } from "../common/dom.js";

/** @import { Side } from "../common/types.js" */
/** @typedef {"inaccuracy" | "mistake" | "blunder"} Mark */
/**
 * @typedef {object} MoveReview
 * @property {number} ply
 * @property {Side} side
 * @property {string} move
 * @property {string} best
 * @property {string[]} line
 * @property {number} score
 * @property {number} best_score
 * @property {number} chance
 * @property {number} best_chance
 * @property {number} cost_men
 * @property {number} cost_chance
 * @property {Mark | null} mark
 * @property {number} choices
 */
/**
 * @typedef {object} Review
 * @property {string} by
 * @property {number} plies
 * @property {number} done
 * @property {boolean} running
 * @property {MoveReview[]} moves
 * @property {Record<Side, number | null>} accuracy
 * @property {Record<Side, Record<Mark, number>>} marks
 * @property {Record<Mark, number>} marked_from
 */

/** @type {Mark[]} */
const KINDS = ["inaccuracy", "mistake", "blunder"];
/** @type {Record<Mark, string>} */
const PLURALS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)}%`;

/**
 * What a move cost.
 * @param {MoveReview} move
 * @returns {HTMLElement[]}
 */
export function verdictOf(move) {
  const side = sideName(move.side);
  if (move.choices === 1) return [make("p", { textContent: `${side}: ${move.move}, the only move.` })];
  if (move.best === move.move) return [make("p", { textContent: `${side}: ${move.move}, the best move.` })];
  const word = move.mark ? `a${move.mark === "inaccuracy" ? "n" : ""} ${move.mark}` : "a good move";
  const cost = `It costs ${move.cost_men.toFixed(2)} men, ${percent(move.cost_chance)} of the chance`;
  const chances = `${percent(move.best_chance)} before, ${percent(move.chance)} after.`;
  return [
    make("p", {}, `${side}: ${move.move}, `, make("span", { className: `word ${move.mark ?? ""}` }, word), "."),
    make("p", { textContent: `${cost}: ${chances}` }),
  ];
}

/**
 * Both sides beside each other.
 * @param {Review} review
 */
export function summaryOf(review) {
  const sides = /** @type {Side[]} */ (["black", "white"]);
  const table = make("table", { className: "summary" });
  table.append(make("tr", {}, make("td"), ...["Black", "White"].map((side) => make("th", { textContent: side }))));
  /**
   * @param {string} name
   * @param {(side: Side) => string} value
   */
  const add = (name, value) => {
    const cells = sides.map((side) => make("td", { textContent: value(side) }));
    table.append(make("tr", {}, make("th", { scope: "row", textContent: name }), ...cells));
  };
  add("accuracy", (side) => (review.accuracy[side] === null ? "–" : `${review.accuracy[side]}%`));
  for (const kind of KINDS) add(PLURALS[kind], (side) => String(review.marks[side][kind]));
  return table;
}

/**
 * How it is judged, for whoever wants to know.
 * @param {Review} review
 * @returns {HTMLElement[]}
 */
export function aboutOf({ by, marked_from: from }) {
  const texts = [
    `Every value comes from ${by}. A move's cost is the value of the best move less that of the move that ` +
      "was played, both searched to the same depth through the eyes of the side that moves.",
    "The chance of winning (a draw counts half) grows with the lead in men, so that a man lost in an even game costs " +
      "more than one lost when the game is decided.",
    `Marks: a blunder costs ${percent(from.blunder)} or more of the chance, which is what a man is worth in an even ` +
      `game; a mistake ${percent(from.mistake)}, half a man; an inaccuracy ${percent(from.inaccuracy)}, a quarter.`,
    "Accuracy is the mean over all moves at which there was a choice: a move that costs nothing counts 100, a " +
      "blunder 0, in between in proportion.",
  ];
  return texts.map((text) => make("p", { textContent: text }));
}
