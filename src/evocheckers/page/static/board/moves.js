// The list of moves, and going through the game by buttons and keys.

import { $, button, icon, make } from "../common/dom.js";
import { showOpening } from "./opening.js";

/** @import { Aside } from "../play/navigation.js" */
/** @import { Session } from "../play/session.js" */
/** @import { Game } from "../common/types.js" */

/**
 * @param {Session} session
 * @param {Aside} aside
 */
export function mountMoves(session, aside) {
  let drawn = "";
  /** @param {number} ply of the game, whatever line is looked at */
  const look = (ply) => {
    aside.leave();
    session.look(ply);
  };
  session.subscribe(() => {
    if (!session.game) return;
    const key = `${session.game.start} ${session.game.moves.map((move) => move.text).join(" ")}`;
    if (key !== drawn) drawMoves(session.game, look);
    drawn = key;
    showOpening(session.game);
    markShown(session.shown);
    button("first").disabled = button("back").disabled = session.shown === 0 && !aside.step;
    button("forward").disabled = button("last").disabled = aside.step ? aside.isLast : session.isLive;
  });
  new ResizeObserver(() => markShown(session.shown)).observe($("moves"));
  /** @type {Record<string, () => number>} */
  const ways = {
    first: () => 0,
    back: () => session.shown - 1,
    forward: () => session.shown + 1,
    last: () => session.game?.ply ?? 0,
  };
  /** @param {string} way */
  const go = (way) => (aside.step ? aside.go(way) : session.look(ways[way]?.() ?? 0));
  for (const id of Object.keys(ways)) {
    $(id).append(icon(id));
    $(id).addEventListener("click", () => go(id));
  }
  $("flip").append(icon("flip"));
  $("flip").addEventListener("click", () => session.flip());
  /** @type {Record<string, string>} */
  const keys = {
    ArrowLeft: "back",
    ArrowRight: "forward",
    PageUp: "back",
    PageDown: "forward",
    Home: "first",
    End: "last",
  };
  document.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (!way || !session.game || event.altKey || event.ctrlKey || event.metaKey || needsArrows(event.target)) return;
    event.preventDefault();
    go(way);
  });
}

/**
 * Whether the arrow keys mean something else where the focus is: text that can be gone through, a choice, a dialog.
 * @param {EventTarget | null} target
 */
function needsArrows(target) {
  if (!(target instanceof Element)) return false;
  const field = target.closest("input, select, textarea, dialog");
  if (!field) return false;
  return !(
    field instanceof HTMLInputElement &&
    (field.readOnly || (field.type === "text" && field.value === "") || field.type === "checkbox")
  );
}

/**
 * @param {Game} game
 * @param {(ply: number) => void} onMove
 */
function drawMoves(game, onMove) {
  const first = game.start.charAt(0) === "B" ? 0 : 1;
  const rows = [];
  for (let i = -first; i < game.moves.length; i += 2) {
    const row = make("li", {}, make("span", { className: "number", textContent: `${(i + first) / 2 + 1}.` }));
    for (const at of [i, i + 1]) {
      const move = game.moves[at];
      if (at < 0) row.append(make("span", { textContent: "…" }));
      if (!move) continue;
      const made = make("button", { textContent: move.text, "data-ply": at + 1 });
      made.addEventListener("click", () => onMove(at + 1));
      row.append(made);
    }
    rows.push(row);
  }
  $("moves").replaceChildren(...rows);
}

/**
 * Mark the move that led to what is shown, and bring it into sight: the list scrolls, never the page.
 * @param {number} shown
 */
function markShown(shown) {
  const list = $("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelector(`[data-ply="${shown}"]`);
  if (!(current instanceof HTMLElement)) {
    list.scrollTo(0, 0);
    return;
  }
  current.setAttribute("aria-current", "true");
  if (list.contains(document.activeElement)) current.focus({ preventScroll: true });
  const [own, around] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += own.top + own.height / 2 - (around.top + around.height / 2);
  list.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2);
}
