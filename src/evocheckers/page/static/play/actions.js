// What can be done in a game: take back, hint, threat, draw, resign, a typed move.

import { messageOf, post } from "../common/api.js";
import { $, button, dialog, form, icon, input } from "../common/dom.js";
import { COMPILING } from "./game-board.js";
import { menText } from "../common/value-text.js";

/** @import { Session } from "./session.js" */
/** @import { GameBoard } from "./game-board.js" */

/**
 * @param {Session} session
 * @param {GameBoard} board
 */
export function mountActions(session, board) {
  for (const name of ["takeback", "hint", "threat", "draw", "resign"]) {
    $(name).append(icon(name === "takeback" ? "undo" : name));
  }
  session.subscribe(() => {
    const { game } = session;
    if (!game) return;
    const isOpen = !session.readOnly && !game.ending;
    const played = game.moves.some((move) => game[move.side].player === "human");
    button("takeback").disabled = session.readOnly || game.rated || session.busy || !played;
    button("hint").disabled = button("threat").disabled = !session.isYours || game.rated;
    button("draw").disabled = !session.isYours;
    button("resign").disabled = !isOpen || (session.own === null && !session.isYours);
    input("fen").value = board.fen;
    $("pdn").setAttribute("href", `/api/${session.readOnly ? `shared/${game.view}` : `games/${game.id}`}/pdn`);
    const { rating } = game;
    $("rating").textContent = rating
      ? `${rating.person}: ${rating.rating} after ${rating.games} rated games, ${rating.class_name}.`
      : "";
  });

  /**
   * @param {string} id
   * @param {() => void} action
   */
  const on = (id, action) => button(id).addEventListener("click", action);
  on("takeback", () => {
    const { game } = session;
    if (game) session.act(() => session.send(game.id, "takeback", { ply: game.ply }));
  });
  on("draw", () => session.game && session.act(() => session.send(session.game?.id ?? "", "draw")));
  on("resign", () => dialog("resign-dialog").showModal());
  dialog("resign-dialog").addEventListener("close", () => {
    const { game } = session;
    const side = session.own ?? game?.turn;
    if (game && dialog("resign-dialog").returnValue === "resign") {
      session.act(() => session.send(game.id, "resign", { side }));
    }
    dialog("resign-dialog").returnValue = "";
  });
  on("hint", () => point(session, board, "hint"));
  on("threat", () => point(session, board, "threat"));
  document.addEventListener("keydown", (event) => {
    const isText = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
    if (isText || event.altKey || event.ctrlKey || event.metaKey) return;
    const wanted = { h: "hint", t: "threat", a: "analyse", f: "flip", n: "new" }[event.key.toLowerCase()];
    if (wanted && !button(wanted).disabled) button(wanted).click();
  });
  form("move-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input("move-text").value.trim();
    const { game } = session;
    if (!text || !game) return;
    if (!session.isYours) {
      session.say("It is not your turn here.");
      return;
    }
    input("move-text").value = "";
    const known = game.legal.find((move) => move.text === text);
    if (known) session.play(known);
    else session.act(() => session.send(game.id, "moves", { move: text, ply: game.ply }));
  });
}

/**
 * Point at the best move of the side to move, or at what the other side would do.
 * @param {Session} session
 * @param {GameBoard} board
 * @param {"hint" | "threat"} kind
 */
async function point(session, board, kind) {
  const { game } = session;
  if (!game) return;
  board.browser.leave();
  const { id, ply } = game;
  session.say(game.compiling ? COMPILING : "One moment…");
  try {
    const found = await post(`/api/games/${id}/${kind}`);
    if (session.game?.id !== id || session.game.ply !== ply || !session.isLive) return;
    const text = found.line[0] ?? "";
    session.say(kind === "hint" ? `Hint: ${text} (${menText(found.score)} to Black).` : `Threat: ${text}.`);
    board.mark([{ path: text.split(/[-x]/).map(Number), kind }]);
  } catch (error) {
    session.say(messageOf(error));
  }
}
