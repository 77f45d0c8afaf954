// A position looked into: the value and the line of every legal move, to be clicked through, and what the network sees.

import { messageOf, post } from "../common/api.js";
import { $, button, drawing, icon } from "../common/dom.js";
import { sideName } from "../board/fen.js";
import { follow, lineOf, markStep, rowOf } from "../board/lines.js";
import { drawActivations } from "../common/activations.js";
import { COMPILING } from "./game-board.js";
import { menText, sourceText } from "../common/value-text.js";

/** @import { LineBrowser } from "./navigation.js" */
/** @import { Step } from "../board/lines.js" */
/** @import { Session } from "./session.js" */
/** @import { GameBoard } from "./game-board.js" */
/** @import { Analysis } from "../common/types.js" */

/**
 * @param {Session} session
 * @param {GameBoard} board
 */
export function mountAnalysis(session, board) {
  const { browser } = board;
  let place = ""; // of the game, whose analysis is shown
  /** @type {Step[]} that lead from there to the position that was analysed */
  let before = [];

  /** Whether the analysis is of another position than the game's, or a line beside it, has now. */
  const isStale = () => {
    const last = before.at(-1);
    return place !== browser.here() || (last !== undefined && !browser.steps.includes(last));
  };
  /** @param {boolean} shown */
  const show = (shown) => {
    $("analysis").hidden = $("lines").hidden = !shown;
    if (!shown) place = "";
  };
  const analyse = async () => {
    const { fen } = board;
    session.say(session.game?.compiling ? COMPILING : "Analysing…");
    try {
      /** @type {Analysis} */
      const found = await post("/api/analysis", { fen, player: "champion", limit: "10" });
      const best = found.moves[0];
      if (board.fen !== fen || !best) return;
      session.say(`Best: ${best.text} (${menText(best.score)} to Black).`);
      place = browser.here();
      before = browser.steps.slice(0, browser.step ? browser.at + 1 : 0);
      $("lines-by").textContent = `Best first, ${sourceText(found.value)}`;
      drawLines(found, browser, before);
      drawWhatIsSeen(found);
      show(true);
      board.mark([{ path: best.path, kind: "best" }], found.activations?.squares ?? null);
    } catch (error) {
      session.say(messageOf(error));
    }
  };

  session.subscribe(() => {
    if (place && isStale()) show(false);
    for (const id of ["analyse", "look-into"]) {
      button(id).disabled = Boolean(session.game?.rated && !session.game.ending);
    }
  });
  for (const id of ["analyse", "look-into"]) {
    button(id).prepend(icon("analyse"));
    button(id).addEventListener("click", analyse);
  }
  button("lines-close").append(icon("close"));
  button("lines-close").addEventListener("click", () => {
    browser.leave();
    show(false);
    board.mark([]);
  });
}

/**
 * The moves, the best first, each with its value and the play to expect.
 * @param {Analysis} found
 * @param {LineBrowser} browser
 * @param {Step[]} before
 */
function drawLines(found, browser, before) {
  const rows = found.moves.map((item) => {
    const steps = [...before, ...follow(found.fen, item.line)];
    const line = lineOf(found.fen, item.line, (_, at) => {
      browser.follow(steps, before.length + at, (now) => markStep(line, now - before.length));
      $("board").scrollIntoView({ block: "nearest" });
    });
    return rowOf(menText(item.score), line);
  });
  $("analysis-moves").replaceChildren(...rows);
}

/** @param {Analysis} found */
function drawWhatIsSeen(found) {
  if (found.activations) {
    $("activations-about").textContent = drawActivations(drawing("activations"), found.activations);
    const { value, material } = found.activations;
    const pieces = material === null ? "" : `, of which pieces alone ${material.toFixed(2)}`;
    $("activations-text").textContent = `To ${sideName(found.turn)}: ${value.toFixed(2)}${pieces}.`.replaceAll(
      "-",
      "−",
    );
  }
}
