// One scale for all values: men to Black, and Black's chance of winning. "+" is good for Black everywhere on the page.

/** @import { Thought } from "./types.js" */

const FORCED = 900;

/**
 * A value in men as text: +0.4, −1.2, or who wins by force.
 * @param {number} men to Black
 */
export function menText(men) {
  if (Math.abs(men) >= FORCED) return men > 0 ? "Black wins" : "White wins";
  const rounded = Math.round(men * 10) / 10;
  return `${rounded < 0 ? "−" : "+"}${Math.abs(rounded).toFixed(1)}`;
}

/** @param {number} chance Black's */
export function chanceText(chance) {
  const percent = Math.round(100 * chance);
  if (percent === 50) return "even";
  return chance >= 0.5 ? `Black ${percent}%` : `White ${100 - percent}%`;
}

/**
 * Whose opinion it is, and how to read it.
 * @param {Thought} thought
 */
export function sourceText(thought) {
  return `men to Black; ${thought.by}`;
}

/**
 * An opinion in a line, and whose it is.
 * @param {Thought} thought
 */
export function opinionText(thought) {
  if (Math.abs(thought.score) >= FORCED) return `${thought.text} (${thought.by})`;
  return `${menText(thought.score)} men to Black, chance of winning: ${chanceText(thought.chance)} (${thought.by})`;
}
