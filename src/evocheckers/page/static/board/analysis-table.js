// Every legal move of a position with its value and its line, best first, to be clicked through.

import { messageOf, post } from "../common/api.js";
import { make } from "../common/dom.js";

/** @import { Analysis } from "../common/types.js" */

const FORCED = 900;

/**
 * A value to the side to move.
 * @param {number} men
 */
function valueText(men) {
  if (Math.abs(men) >= FORCED) return men > 0 ? "wins" : "loses";
  return `${men < 0 ? "−" : "+"}${Math.abs(men).toFixed(2)}`;
}

/**
 * Ask the champion, and fill a place with what it says.
 * @param {HTMLElement} place
 * @param {string} fen
 * @param {(texts: string[]) => HTMLElement} lineOf makes a line of buttons
 * @returns {Promise<Analysis | null>}
 */
export async function showVariations(place, fen, lineOf) {
  place.replaceChildren(make("p", { className: "small", textContent: "Analysing…" }));
  try {
    /** @type {Analysis} */
    const found = await post("/api/analysis", { fen, player: "champion", limit: "8" });
    const side = found.turn === "black" ? "Black" : "White";
    const sign = found.turn === "black" ? 1 : -1; // values are Black's
    const sorted = [...found.moves].sort((a, b) => sign * (b.score - a.score));
    const rows = sorted.map((item) => {
      const value = make("td", { className: "amount", textContent: valueText(sign * item.score) });
      return make("tr", {}, value, make("td", {}, lineOf(item.line)));
    });
    place.replaceChildren(
      make("p", { className: "small", textContent: `Men to ${side}, 8 plies deep. Click a move to see it.` }),
      make("table", { className: "variations" }, make("tbody", {}, ...rows)),
    );
    return found;
  } catch (error) {
    place.replaceChildren(make("p", { className: "fault", textContent: messageOf(error) }));
    return null;
  }
}
