// The list of a game's moves with its opening above, and the buttons and keys that go through the game.

import { $, button, icon, make } from "../common/dom.js";

/** @import { Game } from "../common/types.js" */

const WAYS = ["first", "back", "forward", "last"];
/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  PageUp: "back",
  PageDown: "forward",
  Home: "first",
  End: "last",
};
/** @type {Record<string, string>} */
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Listen to the buttons and keys that go through a game.
 * @param {(way: string) => void} go first, back, forward or last
 * @param {() => void} flip
 */
export function mountWays(go, flip) {
  for (const way of WAYS) {
    $(way).append(icon(way));
    $(way).addEventListener("click", () => go(way));
  }
  $("flip").append(icon("flip"));
  $("flip").addEventListener("click", flip);
  document.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey || needsArrows(event.target)) return;
    event.preventDefault();
    go(way);
  });
}

/**
 * @param {boolean} isFirst
 * @param {boolean} isLast
 */
export function enableWays(isFirst, isLast) {
  button("first").disabled = button("back").disabled = isFirst;
  button("forward").disabled = button("last").disabled = isLast;
}

/**
 * The ply to which a button or key leads; it may lie outside the game.
 * @param {string} way
 * @param {number} shown
 * @param {number} last
 */
export function plyAfter(way, shown, last) {
  return { first: 0, back: shown - 1, forward: shown + 1, last }[way] ?? shown;
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
 * The opening's name and the moves.
 * @param {Game} game
 * @param {(ply: number) => void} onPly
 * @param {(ply: number) => string} markOf how a review marks the move that led to a ply
 */
export function drawMoves(game, onPly, markOf = () => "") {
  const first = game.start.startsWith("B") ? 0 : 1;
  const rows = [];
  for (let i = -first; i < game.moves.length; i += 2) {
    const row = make("li", {}, make("span", { className: "number", textContent: `${(i + first) / 2 + 1}.` }));
    for (const at of [i, i + 1]) {
      const move = game.moves[at];
      if (at < 0) row.append(make("span", { textContent: "…" }));
      if (!move) continue;
      const shown = make("button", { "data-ply": at + 1 }, move.text);
      const mark = markOf(at + 1);
      if (mark) shown.append(make("span", { className: `mark ${mark}`, textContent: MARKS[mark] ?? "", title: mark }));
      shown.addEventListener("click", () => onPly(at + 1));
      row.append(shown);
    }
    rows.push(row);
  }
  $("moves").replaceChildren(...rows);
  $("opening").hidden = !game.opening;
  $("opening").textContent = game.opening ? `Opening: ${game.opening}` : "";
}

/**
 * Mark the move that led to what is shown, and bring it into sight: the list scrolls, never the page.
 * @param {number} shown
 */
export function markShown(shown) {
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
