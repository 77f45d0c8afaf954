// The score over a game, and what a network sees.

import { element } from "./board.js";

const SHOWN = 4; // men

export function drawGraph(svg, scores, ply, plies, onPly) {
  const x = (at) => 10 + (380 * at) / Math.max(plies, 20);
  const y = (score) => 60 - (50 * Math.max(-SHOWN, Math.min(SHOWN, score))) / SHOWN;
  const known = Object.entries(scores).map(([at, thought]) => [Number(at), thought.score]).sort(([a], [b]) => a - b);
  svg.replaceChildren(
    element("line", { x1: 10, x2: 390, y1: 60, y2: 60, class: "graph-axis" }),
    element("text", { x: 12, y: 14, class: "graph-text" }, "Black ahead"),
    element("text", { x: 12, y: 114, class: "graph-text" }, "White ahead"),
    element("line", { x1: x(ply), x2: x(ply), y1: 5, y2: 115, class: "graph-now" }),
    element("polyline", { class: "graph-line", points: known.map(([at, score]) => `${x(at)},${y(score)}`).join(" ") }));
  for (const [at, score] of known) svg.append(element("circle", { cx: x(at), cy: y(score), r: 2.5, class: "node-plus" }));
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    const at = Math.round((((event.clientX - box.left) / box.width) * 400 - 10) / 380 * Math.max(plies, 20));
    onPly(Math.max(0, Math.min(plies, at)));
  };
}

// Six small boards, one for each size of sub-square; a node's mark stands in the middle of the sub-square it looks at.
export function drawSight(svg, sight) {
  svg.replaceChildren();
  let at = 0;
  for (let size = 3; size <= 8; ++size) {
    const left = 10 + 130 * ((size - 3) % 3), top = 20 + 135 * Math.floor((size - 3) / 3), across = 9 - size;
    svg.append(element("text", { x: left, y: top - 5, class: "node-title" }, `${size} × ${size}`), element("rect", { x: left, y: top, width: 110, height: 110, class: "node-box" }));
    for (let i = 0; i < across * across; ++i) {
      const { activation, row, column, rows, columns } = sight.nodes[at++];
      const cell = 110 / 8, x = left + (column + columns / 2) * cell, y = top + (row + rows / 2) * cell, r = 1 + 5.5 * Math.abs(activation);
      if (activation >= 0) svg.append(element("circle", { cx: x, cy: y, r, class: "node-plus" }));
      else svg.append(element("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`, class: "node-minus" }));
    }
  }
}
