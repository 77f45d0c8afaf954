// What a network sees: six small boards, one for each size of sub-square.

import { element } from "./dom.js";

/** @import { Sight } from "./types.js" */

const BOARD = 110;

/**
 * A node's mark stands in the middle of the sub-square that it looks at.
 * @param {SVGSVGElement} svg
 * @param {Sight} sight
 */
export function drawSight(svg, sight) {
  svg.replaceChildren();
  const nodes = [...sight.nodes];
  for (let size = 3; size <= 8; ++size) {
    const left = 10 + 130 * ((size - 3) % 3);
    const top = 20 + 135 * Math.floor((size - 3) / 3);
    svg.append(
      element("text", { x: left, y: top - 5, class: "node-title" }, `${size} × ${size}`),
      element("rect", { x: left, y: top, width: BOARD, height: BOARD, class: "node-box" }),
    );
    for (const { activation, row, column, rows, columns } of nodes.splice(0, (9 - size) ** 2)) {
      const x = left + ((column + columns / 2) * BOARD) / 8;
      const y = top + ((row + rows / 2) * BOARD) / 8;
      const r = 1 + 5.5 * Math.abs(activation);
      const cross = `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;
      svg.append(
        activation >= 0
          ? element("circle", { cx: x, cy: y, r, class: "node-plus" })
          : element("path", { d: cross, class: "node-minus" }),
      );
    }
  }
}
