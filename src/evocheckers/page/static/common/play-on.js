// Play on from a position, against anybody: a dialog that every page can open.

import { messageOf, post } from "./api.js";
import { make } from "./dom.js";
import { loadOptions, playerChoices } from "./players.js";

/** @type {[string, string][]} */
const STRENGTHS = [
  ["2", "2 plies"],
  ["4", "4 plies"],
  ["6", "6 plies"],
  ["8", "8 plies"],
  ["500ms", "half a second"],
  ["2s", "2 seconds"],
];

/**
 * Ask against whom, begin the game and go there.
 * @param {string} fen
 */
export async function playOn(fen) {
  const player = make("select", { name: "player" });
  const limit = make("select", { name: "limit" }, ...STRENGTHS.map(([value, text]) => new Option(text, value)));
  limit.value = "6";
  const own = fen.startsWith("B") ? "black" : "white";
  const side = make(
    "select",
    { name: "side" },
    new Option("the side to move", own),
    new Option("the other side", own === "black" ? "white" : "black"),
    new Option("both sides", "both"),
  );
  const fault = make("p", { className: "fault", role: "alert" });
  const start = make("button", { className: "primary", value: "start", textContent: "Play" });
  const cancel = make("button", { value: "cancel", textContent: "Cancel" });
  const form = make(
    "form",
    { method: "dialog" },
    make("h2", { textContent: "Play on from here" }),
    make("label", { className: "field" }, "Against", player),
    make("label", { className: "field" }, "Strength", limit),
    make("label", { className: "field" }, "You play", side),
    fault,
    make("div", { className: "buttons" }, start, cancel),
  );
  const dialog = make("dialog", { id: "play-on-dialog", "aria-label": "Play on from here" }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  form.addEventListener("submit", async (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "start") return;
    event.preventDefault();
    const engine = { player: player.value, limit: limit.value };
    const human = { player: "human" };
    const black = side.value === "white" ? engine : human;
    const white = side.value === "black" ? engine : human;
    try {
      const game = await post("/api/games", { black, white, fen });
      location.href = `/#${game.id}`;
    } catch (error) {
      fault.textContent = messageOf(error);
    }
  });
  try {
    player.replaceChildren(...playerChoices(await loadOptions()));
  } catch (error) {
    fault.textContent = messageOf(error);
  }
}
