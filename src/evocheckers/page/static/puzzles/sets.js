// Numbers of puzzles in the page's address, and what was solved, kept in the browser by the puzzles' keys.

import { recall, remember } from "../common/preferences.js";

const MOST = 100000;

/**
 * The numbers of a text such as 3,7,10-12, in its order, each once, between 1 and the number of puzzles.
 * @param {string} text
 * @param {number} count
 */
export function readNumbers(text, count) {
  /** @type {Set<number>} */
  const found = new Set();
  for (const part of text.split(/[,; ]+/)) {
    const match = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part);
    if (!match) continue;
    const first = Math.max(1, Number(match[1]));
    const last = Math.min(count, Number(match[2] ?? match[1]), first + MOST);
    for (let number = first; number <= last; ++number) found.add(number);
  }
  return [...found];
}

/**
 * The same numbers as text, as short as can be.
 * @param {number[]} numbers
 */
export function writeNumbers(numbers) {
  /** @type {[number, number][]} */
  const spans = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",");
}

/** @typedef {"solved" | "failed"} Result */

/** @returns {Record<string, Result>} */
export function loadProgress() {
  try {
    const kept = JSON.parse(recall("puzzles") ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/**
 * Keep a puzzle's result; what was solved stays so.
 * @param {string} key
 * @param {Result} result
 */
export function keepResult(key, result) {
  const kept = loadProgress();
  if (kept[key] === "solved") return;
  kept[key] = result;
  remember("puzzles", JSON.stringify(kept));
}
