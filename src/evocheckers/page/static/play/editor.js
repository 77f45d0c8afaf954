// Setting up a position to play from.

import { messageOf, post } from "../common/api.js";
import { BoardView } from "../board/board.js";
import { $, dialog, drawing, form, make, select } from "../common/dom.js";
import { readFen, START, writeFen } from "../board/fen.js";

/** @import { Session } from "./session.js" */

const TOOLS = [
  ["b", "Black man"],
  ["B", "Black king"],
  ["w", "White man"],
  ["W", "White king"],
  ["", "Empty"],
];

/** @param {Session} session */
export function mountEditor(session) {
  let tool = "b";
  /** @type {Map<number, string>} */
  let pieces = new Map();
  const board = new BoardView(drawing("edit-board"), {
    onSquare: (square) => {
      if (tool && pieces.get(square) !== tool) pieces.set(square, tool);
      else pieces.delete(square);
      draw();
    },
  });
  const draw = () => board.show({ fen: writeFen(pieces, "B"), flipped: session.flipped });

  const buttons = TOOLS.map(([value = "", label]) => {
    const button = make("button", {
      type: "button",
      textContent: label,
      role: "radio",
      "aria-checked": value === tool,
    });
    button.addEventListener("click", () => {
      tool = value;
      for (const other of buttons) other.setAttribute("aria-checked", String(other === button));
    });
    return button;
  });
  $("edit-tools").append(...buttons);
  $("edit").addEventListener("click", () => {
    const fen = session.fenAt(session.shown) || START;
    pieces = readFen(fen);
    select("edit-turn").value = fen.charAt(0);
    $("edit-fault").textContent = "";
    draw();
    dialog("edit-dialog").showModal();
  });
  $("edit-clear").addEventListener("click", () => {
    pieces = new Map();
    draw();
  });
  $("edit-start").addEventListener("click", () => {
    pieces = readFen(START);
    draw();
  });
  form("edit-form").addEventListener("submit", async (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "play") return;
    event.preventDefault();
    const turn = select("edit-turn").value;
    if (new Set([...pieces.values()].map((piece) => piece.toLowerCase())).size < 2) {
      $("edit-fault").textContent = "Both sides need a piece.";
      return;
    }
    const human = { player: "human" };
    const engine = { player: "champion", limit: "4" };
    const seats = turn === "B" ? { black: human, white: engine } : { black: engine, white: human };
    try {
      const game = await post("/api/games", { fen: writeFen(pieces, turn), ...seats });
      dialog("edit-dialog").close();
      await session.change(async () => game);
    } catch (error) {
      $("edit-fault").textContent = messageOf(error);
    }
  });
}
