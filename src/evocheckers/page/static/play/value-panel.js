// The champion's values of the game: the bar, the line, the curve. Positions are valued in the background as they come.

import { post, Refusal } from "../common/api.js";
import { $, button, drawing, input, make } from "../common/dom.js";
import { drawValueCurve } from "../common/value-curve.js";
import { isOn, remember } from "../common/preferences.js";
import { chanceText, menText, valueText, sourceText } from "../common/value-text.js";

/** @import { Session } from "./session.js" */
/** @import { Game } from "../common/types.js" */

/** @param {Session} session */
export function mountValuePanel(session) {
  const choice = input("with-values");
  choice.checked = isOn("values", true);
  choice.addEventListener("change", () => {
    remember("values", choice.checked ? "on" : "off");
    session.notify();
  });
  let asked = "";

  /** Whether values may be seen: not in a rated game that goes on. @param {Game} game */
  const areOpen = (game) => (game.ending !== null || (!game.rated && choice.checked)) && !session.readOnly;

  session.subscribe(() => {
    const { game } = session;
    if (!game) return;
    const open = areOpen(game) || session.readOnly;
    $("value").hidden = $("bar").hidden = !open;
    button("value-all").disabled = !areOpen(game);
    if (!open) return;
    drawValues(session, game);
    const place = `${game.id} ${session.shown}`;
    if (asked !== place && areOpen(game) && !session.pending) {
      asked = place;
      value(game.id, session.shown);
    }
  });

  /**
   * Have a position of the game valued; one that is refused, for too many are waiting, stays without a value.
   * @param {string} id
   * @param {number} ply
   */
  async function value(id, ply) {
    const { game } = session;
    if (game?.id !== id || game.scores[ply]) return true;
    try {
      const state = await post(`/api/games/${id}/score`, { ply });
      if (session.game?.id !== id) return false;
      session.game.scores = { ...session.game.scores, ...state.scores };
      drawValues(session, session.game);
      return true;
    } catch (error) {
      return error instanceof Refusal && error.status === 503;
    }
  }

  button("value-all").addEventListener("click", async () => {
    const { game } = session;
    for (let ply = 0; game && ply <= game.ply; ++ply) if (!(await value(game.id, ply))) return;
  });
}

/**
 * @param {Session} session
 * @param {Game} game
 */
function drawValues(session, game) {
  const plies = Object.keys(game.scores).map(Number);
  const at = Math.max(...plies.filter((ply) => ply <= session.shown), -1);
  const value = game.scores[at];
  const lags = value && at < session.shown && !game.ending;
  if (value) {
    $("position-value").replaceChildren(
      make("strong", { textContent: `${menText(value.score)}${lags ? " …" : ""}` }),
      make("span", { textContent: chanceText(value.chance) }),
      make("span", { className: "small", textContent: sourceText(value) }),
    );
  } else $("position-value").textContent = "Not valued yet.";
  const chance = value?.chance ?? 0.5;
  const below = session.flipped ? chance : 1 - chance; // the share of the side at the bottom
  $("bar-fill").style.setProperty("--share", `${100 * below}%`);
  $("bar").classList.toggle("black-below", session.flipped);
  $("bar").setAttribute("aria-label", value ? valueText(value) : "not valued yet");
  drawValueCurve(drawing("graph"), game.scores, { shown: session.shown, plies: game.ply }, (ply) => session.look(ply));
}
