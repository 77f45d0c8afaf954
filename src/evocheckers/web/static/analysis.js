// A position looked into: every legal move's value, and what the network sees.

import { messageOf, post } from "./api.js";
import { $, button, drawing, icon, make } from "./dom.js";
import { drawSight } from "./sight.js";
import { menText } from "./value.js";

/** @import { Session } from "./session.js" */
/** @import { Table } from "./table.js" */
/** @import { Analysis } from "./types.js" */

/**
 * @param {Session} session
 * @param {Table} table
 */
export function mountAnalysis(session, table) {
  let shown = "";
  button("analyse").prepend(icon("analyse"));
  session.subscribe(() => {
    if (shown && shown !== session.fenAt(session.shown)) {
      shown = "";
      $("analysis").hidden = true;
    }
    button("analyse").disabled = Boolean(session.game?.rated && !session.game.ending);
  });
  button("analyse").addEventListener("click", async () => {
    const fen = session.fenAt(session.shown);
    session.say(session.game?.compiling ? "Compiling for this machine, once; about ten seconds…" : "Analysing…");
    try {
      const found = await post("/api/analysis", { fen, player: "champion", limit: "10" });
      if (session.fenAt(session.shown) !== fen) return;
      session.say(`Best: ${found.moves[0].text} (${menText(found.moves[0].score)} to Black).`);
      shown = fen;
      draw(found);
      table.mark([{ path: found.moves[0].path, kind: "best" }], found.sight?.squares ?? null);
    } catch (error) {
      session.say(messageOf(error));
    }
  });
}

/** @param {Analysis} found */
function draw(found) {
  const rows = found.moves.map((item) => {
    const cells = [item.text, menText(item.score), item.line.slice(1).join(" ")];
    return make("tr", {}, ...cells.map((text) => make("td", { textContent: text })));
  });
  $("analysis-moves").replaceChildren(...rows);
  $("analysis").hidden = false;
  $("sight").toggleAttribute("hidden", !found.sight?.nodes.length);
  if (found.sight) {
    drawSight(drawing("sight"), found.sight);
    const { value, material } = found.sight;
    const pieces = material === null ? "" : `, of which pieces alone ${material.toFixed(2)}`;
    $("sight-text").textContent = `To ${found.turn}: ${value.toFixed(2)}${pieces}.`;
  } else $("sight-text").textContent = "This player has no network.";
}
