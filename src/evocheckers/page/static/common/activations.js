// How the nodes of a network's first layer respond to a position.

import { element } from "./dom.js";

/** @import { Activations } from "./types.js" */

const BOARD = 110;
const WIDTH = 390;

/**
 * Draw the nodes, and say what is drawn; nothing for a network of another kind.
 * @param {SVGSVGElement} svg
 * @param {Activations} activations
 * @returns {string}
 */
export function drawActivations(svg, activations) {
  svg.replaceChildren();
  svg.toggleAttribute("hidden", !activations.nodes.length && !activations.wide.length);
  if (activations.nodes.length) return drawSubSquares(svg, activations);
  return activations.wide.length ? drawWide(svg, activations.wide) : "";
}

/**
 * Six small boards, one for each size of sub-square. A node's mark is in the middle of the sub-square that it looks at.
 * @param {SVGSVGElement} svg
 * @param {Activations} activations
 */
function drawSubSquares(svg, activations) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} 270`);
  const nodes = [...activations.nodes];
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
  return (
    "Each small board holds the nodes that look at sub-squares of one size, at the place where they look. " +
    "Filled: strongly positive; crossed: strongly negative."
  );
}

/**
 * The wide layer in rows: every node looks at the whole board, so a place has no meaning.
 * @param {SVGSVGElement} svg
 * @param {number[]} wide
 */
function drawWide(svg, wide) {
  const columns = wide.length > 128 ? 32 : 16;
  const cell = WIDTH / columns;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${Math.ceil(wide.length / columns) * cell}`);
  wide.forEach((activation, number) => {
    const x = (number % columns) * cell;
    const y = Math.floor(number / columns) * cell;
    const r = (cell / 2 - 3) * activation;
    svg.append(
      element("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, class: "node-box" }),
      element("circle", { cx: x + cell / 2, cy: y + cell / 2, r, class: "node-plus" }),
    );
  });
  return (
    `Each cell is one of the ${wide.length} nodes of its wide layer. ` +
    "They look at all men and kings on the board: the fuller the cell, the stronger the response."
  );
}
