// A position looked into: the value and the line of every legal move, to be clicked through, and what the network sees.

import { messageOf, post } from "../common/api.js";
import { $, button, drawing, icon, make } from "../common/dom.js";
import { follow, lineOf, markStep } from "../board/lines.js";
import { drawSight } from "../common/activations.js";
import { COMPILING } from "./game-board.js";
import { menText, sourceText } from "../common/value-text.js";

/** @import { Aside } from "./navigation.js" */
/** @import { Step } from "../board/lines.js" */
/** @import { Session } from "./session.js" */
/** @import { Table } from "./game-board.js" */
/** @import { Analysis } from "../common/types.js" */

/**
 * @param {Session} session
 * @param {Table} table
 */
export function mountAnalysis(session, table) {
  const { aside } = table;
  let place = ""; // of the game, whose analysis is shown
  /** @type {Step[]} that lead from there to the position that was analysed */
  let before = [];

  /** Whether the analysis is of another position than the game's, or a line beside it, has now. */
  const isStale = () => {
    const last = before.at(-1);
    return place !== aside.here() || (last !== undefined && !aside.steps.includes(last));
  };
  /** @param {boolean} shown */
  const show = (shown) => {
    $("analysis").hidden = $("lines").hidden = !shown;
    if (!shown) place = "";
  };
  const analyse = async () => {
    const { fen } = table;
    session.say(session.game?.compiling ? COMPILING : "Analysing…");
    try {
      /** @type {Analysis} */
      const found = await post("/api/analysis", { fen, player: "champion", limit: "10" });
      const best = found.moves[0];
      if (table.fen !== fen || !best) return;
      session.say(`Best: ${best.text} (${menText(best.score)} to Black).`);
      place = aside.here();
      before = aside.steps.slice(0, aside.step ? aside.at + 1 : 0);
      $("lines-by").textContent = `Best first, ${sourceText(found.thought)}`;
      drawLines(found, aside, before);
      drawWhatIsSeen(found);
      show(true);
      table.mark([{ path: best.path, kind: "best" }], found.sight?.squares ?? null);
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
    aside.leave();
    show(false);
    table.mark([]);
  });
}

/**
 * The moves, the best first, each with its value and the play to expect.
 * @param {Analysis} found
 * @param {Aside} aside
 * @param {Step[]} before
 */
function drawLines(found, aside, before) {
  const rows = found.moves.map((item) => {
    const steps = [...before, ...follow(found.fen, item.line)];
    const line = lineOf(found.fen, item.line, (_, at) => {
      aside.follow(steps, before.length + at, (now) => markStep(line, now - before.length));
      $("board").scrollIntoView({ block: "nearest" });
    });
    const value = make("td", { className: "amount", textContent: menText(item.score) });
    return make("tr", {}, value, make("td", {}, line));
  });
  $("analysis-moves").replaceChildren(...rows);
}

/** @param {Analysis} found */
function drawWhatIsSeen(found) {
  if (found.sight) {
    $("sight-about").textContent = drawSight(drawing("sight"), found.sight);
    const { value, material } = found.sight;
    const pieces = material === null ? "" : `, of which pieces alone ${material.toFixed(2)}`;
    $("sight-text").textContent =
      `To ${found.turn === "white" ? "White" : "Black"}: ${value.toFixed(2)}${pieces}.`.replaceAll("-", "−");
  }
}
