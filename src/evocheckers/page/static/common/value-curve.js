// The chance of winning over a game: above the middle Black's, below White's.

import { element } from "./dom.js";
import { chanceText, menText } from "./value-text.js";

/** @import { PositionValue } from "./types.js" */

const WIDTH = 400;
const HEIGHT = 90;
const EDGE = 6;
const LEAST_PLIES = 20;

/**
 * @param {SVGSVGElement} svg
 * @param {Record<string, PositionValue>} scores
 * @param {{shown: number, plies: number}} at
 * @param {(ply: number) => void} onPly
 */
export function drawValueCurve(svg, scores, { shown, plies }, onPly) {
  const across = Math.max(plies, LEAST_PLIES);
  /** @param {number} ply */
  const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / across;
  /** @param {number} chance */
  const y = (chance) => EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);
  const known = Object.entries(scores)
    .map(([ply, value]) => ({ ply: Number(ply), value }))
    .sort((a, b) => a.ply - b.ply);
  const points = known.map(({ ply, value }) => `${x(ply)},${y(value.chance)}`);
  const first = known[0];
  const last = known.at(-1);
  svg.replaceChildren(
    element("line", { x1: EDGE, x2: WIDTH - EDGE, y1: y(0.5), y2: y(0.5), class: "graph-axis" }),
    element("text", { x: EDGE + 2, y: 16, class: "graph-text" }, "Black"),
    element("text", { x: EDGE + 2, y: HEIGHT - 8, class: "graph-text" }, "White"),
  );
  if (first && last) {
    const closed = [`${x(first.ply)},${y(0.5)}`, ...points, `${x(last.ply)},${y(0.5)}`];
    svg.append(
      element("polygon", { points: closed.join(" "), class: "graph-area" }),
      element("polyline", { points: points.join(" "), class: "graph-line" }),
    );
  }
  for (const { ply, value } of known) {
    const says = `after ${ply} plies: ${menText(value.score)}, ${chanceText(value.chance)}`;
    const dot = { cx: x(ply), cy: y(value.chance), r: ply === shown ? 4 : 2, class: "graph-dot" };
    svg.append(element("circle", dot, element("title", {}, says)));
  }
  svg.append(element("line", { x1: x(shown), x2: x(shown), y1: 2, y2: HEIGHT - 2, class: "graph-now" }));
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    const at = (((event.clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    onPly(Math.max(0, Math.min(plies, Math.round(at * across))));
  };
}
