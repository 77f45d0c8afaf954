// Values as text. One scale for all: men to Black, and Black's chance of winning; "+" is good for Black everywhere,
// except in a list of one position's moves.

/** @import { PositionValue } from "./types.js" */

const FORCED = 900;

/**
 * A number with its sign.
 * @param {number} value
 * @param {number} digits
 */
export function signed(value, digits) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

/**
 * A value in men as text: +0.4, −1.2, or who wins by force.
 * @param {number} men to Black
 */
export function menText(men) {
  if (Math.abs(men) >= FORCED) return men > 0 ? "Black wins" : "White wins";
  return signed(Math.round(men * 10) / 10, 1);
}

/**
 * A value in men from the mover's view, where all values are of one position.
 * @param {number} men to the side to move
 */
export function moverText(men) {
  if (Math.abs(men) >= FORCED) return men > 0 ? "wins" : "loses";
  return signed(men, 2);
}

/** @param {number} chance Black's */
export function chanceText(chance) {
  const percent = Math.round(100 * chance);
  if (percent === 50) return "even";
  return chance >= 0.5 ? `Black ${percent}%` : `White ${100 - percent}%`;
}

/**
 * How to read a value, and whose it is.
 * @param {PositionValue} value
 */
export function sourceText(value) {
  return `men to Black; ${value.by}`;
}

/**
 * A value in a line, and whose it is.
 * @param {PositionValue} value
 */
export function valueText(value) {
  if (Math.abs(value.score) >= FORCED) return `${value.text} (${value.by})`;
  return `${menText(value.score)} men to Black, chance of winning: ${chanceText(value.chance)} (${value.by})`;
}
