// The games of this browser: kept here by their addresses, to be opened again; and the link that shows one to others.

import { $, dialog, icon, input, make } from "../common/dom.js";
import { recall, remember } from "../common/preferences.js";

/** @import { Session } from "./session.js" */
/** @import { Game } from "../common/types.js" */

/** @typedef {{id: string, title: string, text: string, when: string}} Kept */

const MOST = 200;

/** @returns {Kept[]} */
function kept() {
  try {
    const found = JSON.parse(recall("games") ?? "[]");
    return Array.isArray(found) ? found.filter((item) => typeof item?.id === "string") : [];
  } catch {
    return [];
  }
}

/** @param {Session} session */
export function mountMyGames(session) {
  session.subscribe(() => {
    if (session.game && !session.readOnly && session.game.ply > 0) keep(session.game);
  });
  $("my-games").prepend(icon("list"));
  $("my-games").addEventListener("click", () => {
    draw(session);
    dialog("games-dialog").showModal();
  });
  $("share").prepend(icon("share"));
  $("share").addEventListener("click", () => {
    input("share-link").value = `${location.origin}/#view/${session.game?.view ?? ""}`;
    $("share-message").textContent = "";
    dialog("share-dialog").showModal();
  });
  $("share-copy").addEventListener("click", async () => {
    input("share-link").select();
    const copied = await navigator.clipboard?.writeText(input("share-link").value).then(
      () => true,
      () => false,
    );
    $("share-message").textContent = copied ? "Copied." : "Copy it by hand: the browser does not let the page.";
  });
}

/** @param {Game} game */
function keep(game) {
  const title = `${game.black.level ?? game.black.title} – ${game.white.level ?? game.white.title}`;
  const text = `${game.ending ? game.ending.text : "goes on"}, ${game.ply} plies`;
  const games = kept();
  const old = games.find((item) => item.id === game.id);
  if (old?.text === text) return;
  const when = new Date().toISOString().slice(0, 16).replace("T", " ");
  const others = games.filter((item) => item.id !== game.id);
  remember("games", JSON.stringify([{ id: game.id, title, text, when }, ...others].slice(0, MOST)));
}

/** @param {Session} session */
function draw(session) {
  const rows = kept().map((item) => {
    const open = make(
      "button",
      { type: "button", className: "row-button" },
      make("strong", { textContent: item.title }),
      make("span", { className: "small", textContent: `${item.text} · ${item.when} UTC` }),
    );
    open.addEventListener("click", () => {
      dialog("games-dialog").close();
      session.open(item.id, false);
    });
    const forget = make(
      "button",
      { type: "button", className: "quiet", "aria-label": "Forget this game" },
      icon("close"),
    );
    forget.addEventListener("click", () => {
      remember("games", JSON.stringify(kept().filter((other) => other.id !== item.id)));
      draw(session);
    });
    return make("li", {}, open, forget);
  });
  $("games-list").replaceChildren(...(rows.length ? rows : [make("li", { textContent: "None yet." })]));
}
