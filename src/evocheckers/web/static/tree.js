// The family tree of a run's last generation.

import { element } from "./dom.js";

/** @typedef {{id: number, born: number, height: number}} Member */
/** @typedef {{members: Member[], parents: Record<string, number>, line: number[]}} Tree */

/** @param {Tree} tree */
export function drawTree({ members, parents, line }) {
  const last = Math.max(...members.map((one) => one.born), 1);
  const most = Math.max(...members.map((one) => one.height), 1);
  /** @param {Member} one */
  const x = (one) => 10 + (380 * one.born) / last;
  /** @param {Member} one */
  const y = (one) => 10 + (200 * one.height) / most;
  const known = new Map(members.map((one) => [one.id, one]));
  const own = new Set(line);
  const svg = element("svg", { viewBox: "0 0 400 230", class: "chart", role: "img" });
  svg.append(element("title", {}, "Family tree"));
  for (const [child, parent] of Object.entries(parents)) {
    const [a, b] = [known.get(parent), known.get(Number(child))];
    if (!a || !b) continue;
    const points = `${x(a)},${y(a)} ${x(a)},${y(b)} ${x(b)},${y(b)}`;
    svg.append(element("polyline", { points, class: own.has(Number(child)) ? "tree-line best" : "tree-line" }));
  }
  svg.append(
    element("text", { x: 10, y: 226, class: "graph-text" }, "generation 1"),
    element("text", { x: 390, y: 226, class: "graph-text", "text-anchor": "end" }, `generation ${last}`),
  );
  return svg;
}
