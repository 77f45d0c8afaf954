// Who plays: names, ratings, captured pieces, clocks.

import { $, element, make } from "../common/dom.js";
import { readFen, START } from "../board/fen.js";
import { drawPiece, seatLabel } from "../board/pieces.js";

/** @import { Session } from "./session.js" */
/** @import { Game, Side } from "../common/types.js" */

const TICK_MS = 200;

/** @param {Session} session */
export function mountSeats(session) {
  let since = performance.now();
  /** @type {Game | null} */
  let before = null;
  session.subscribe(() => {
    if (session.game !== before) since = performance.now();
    before = session.game;
    if (!session.game) return;
    const top = session.flipped ? "white" : "black";
    drawSeat($("seat-top"), session, session.game, top);
    drawSeat($("seat-bottom"), session, session.game, top === "black" ? "white" : "black");
    tick();
  });

  function tick() {
    const { game } = session;
    if (!game?.clock) return;
    for (const side of /** @type {Side[]} */ (["black", "white"])) {
      const runs = game.clock.running && game.turn === side && !game.ending && !session.pending;
      const left = Math.max(0, game.clock[side] - (runs ? (performance.now() - since) / 1000 : 0));
      const shown = document.querySelector(`.clock[data-side=${side}]`);
      if (!shown) continue;
      shown.textContent = clockText(left);
      shown.classList.toggle("running", runs);
      shown.classList.toggle("low", left < 20);
      if (runs && left === 0 && side === session.own && !session.busy) session.act(() => session.send(game.id, "flag"));
    }
  }
  setInterval(tick, TICK_MS);
}

/** @param {number} seconds */
function clockText(seconds) {
  const whole = Math.floor(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return seconds < 10 ? `${text}.${Math.floor((seconds * 10) % 10)}` : text;
}

/**
 * @param {HTMLElement} place
 * @param {Session} session
 * @param {Game} game
 * @param {Side} side
 */
function drawSeat(place, session, game, side) {
  const seat = game[side];
  const { sign, name } = seatLabel(side, seat.level ?? seat.title);
  if (seat.level) name.title = `${seat.title}, ${seat.limit}${/^\d+$/.test(seat.limit) ? " plies" : ""}`;
  if (seat.rating !== null) name.append(make("span", { className: "rating", textContent: ` ${seat.rating}` }));
  const parts = [sign, name, capturedBy(session, side)];
  if (game.clock) parts.push(make("span", { className: "clock", "data-side": side, role: "timer" }));
  place.replaceChildren(...parts);
  place.classList.toggle("to-move", game.turn === side && !game.ending);
}

/**
 * The opposing pieces that are off the board, and how far a side is ahead; kings count as one man here.
 * @param {Session} session
 * @param {Side} side
 */
function capturedBy(session, side) {
  const now = [...readFen(session.fenAt(session.shown)).values()];
  const start = [...readFen(session.game?.start ?? START).values()];
  /** @param {string[]} pieces @param {Side} which */
  const count = (pieces, which) => pieces.filter((piece) => piece.toLowerCase() === which.charAt(0)).length;
  const other = side === "black" ? "white" : "black";
  const taken = count(start, other) - count(now, other);
  const lead = count(now, side) - count(now, other);
  const label = `captured ${taken}${lead > 0 ? `, ahead by ${lead}` : ""}`;
  const row = element("svg", {
    viewBox: `0 0 ${Math.max(1, taken) * 26 + 54} 80`,
    class: "captured",
    role: "img",
    "aria-label": label,
  });
  for (let i = 0; i < taken; ++i) row.append(drawPiece(other.charAt(0), { x: 40 + 26 * i, y: 40 }));
  const box = make("span", { className: "taken" });
  if (taken) box.append(row);
  if (lead > 0) box.append(make("span", { className: "lead", textContent: `+${lead}` }));
  return box;
}
