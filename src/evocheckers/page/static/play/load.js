// Games and positions from text: PDN, FEN, a file.

import { messageOf, post } from "../common/api.js";
import { $, dialog, form, input } from "../common/dom.js";

/** @import { Session } from "./session.js" */

const MAX_BYTES = 60000;

/** @param {Session} session */
export function mountLoad(session) {
  const text = /** @type {HTMLTextAreaElement} */ ($("import-text"));
  $("import").addEventListener("click", () => {
    $("import-fault").textContent = "";
    dialog("import-dialog").showModal();
  });
  input("import-file").addEventListener("change", async () => {
    const file = input("import-file").files?.[0];
    if (!file) return;
    if (file.size > MAX_BYTES) $("import-fault").textContent = "This file is too large: one game at a time.";
    else text.value = await file.text();
  });
  form("import-form").addEventListener("submit", async (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "load") return;
    event.preventDefault();
    const given = text.value.trim();
    if (!given) {
      $("import-fault").textContent = "Paste a game or a position first.";
      return;
    }
    const what = /^[BW]:/i.test(given) ? { fen: given } : { pdn: given };
    try {
      const game = await post("/api/games", { black: { player: "human" }, white: { player: "human" }, ...what });
      dialog("import-dialog").close();
      await session.change(async () => game);
    } catch (error) {
      $("import-fault").textContent = messageOf(error);
    }
  });
}
