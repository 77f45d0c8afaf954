// The name of the game's opening, quietly above the moves.

import { $ } from "../common/dom.js";

/** @import { Game } from "../common/types.js" */

/** @param {Game} game */
export function showOpening({ opening }) {
  $("opening").hidden = !opening;
  $("opening").textContent = opening ? `Opening: ${opening}` : "";
}
