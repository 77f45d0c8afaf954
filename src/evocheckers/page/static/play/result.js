// The end of a game: who won and why, and what to do next.

import { post } from "../common/api.js";
import { $, button, dialog } from "../common/dom.js";
import { levelAfter } from "../common/players.js";

/** @import { Session } from "./session.js" */
/** @import { Game } from "../common/types.js" */

/**
 * @param {Session} session
 * @param {(game: Game) => void} onReview
 */
export function mountResult(session, onReview) {
  const panel = dialog("result-dialog");
  let open = ""; // the game that was seen to go on
  session.subscribe(async () => {
    const { game } = session;
    if (!game || session.readOnly) return;
    if (!game.ending) {
      open = game.id;
      return;
    }
    if (open !== game.id || panel.open) return;
    open = "";
    const own = session.own;
    const { winner, text } = game.ending;
    $("result-title").textContent =
      winner === "draw" ? "A draw" : own === null ? text : winner === own ? "You win" : "You lose";
    const rating = game.rated && game.rating ? ` Your rating: ${game.rating.rating}.` : "";
    const moves = Math.ceil(game.ply / 2);
    $("result-text").textContent = `${text}, after ${moves} ${moves === 1 ? "move" : "moves"}.${rating}`;
    button("next-level").hidden = true;
    panel.showModal();
    const next = own ? await levelAfter(game[own === "black" ? "white" : "black"]) : null;
    if (next) button("next-level").textContent = `Next: ${next.name}, ${next.rating}`;
    button("next-level").hidden = !next;
  });

  panel.addEventListener("close", async () => {
    const { game, own } = session;
    const wanted = panel.returnValue;
    panel.returnValue = "";
    if (!game) return;
    if (wanted === "review") onReview(game);
    if (wanted !== "rematch" && wanted !== "next") return;
    const [black, white] = [game.black, game.white].map(({ player, limit }) => ({ player, limit }));
    const seats = { black, white };
    const other = own === "black" ? "white" : "black";
    if (own) [seats.black, seats.white] = [seats.white, seats.black]; // the other colour
    const next = wanted === "next" && own ? await levelAfter(game[other]) : null;
    if (next) seats[own ?? "black"] = { player: next.player, limit: next.limit };
    const clock = game.clock ? { initial: game.clock.initial, increment: game.clock.increment } : null;
    await session.change(() => post("/api/games", { ...seats, clock, rated: game.rated, person: game.person }));
  });
}
