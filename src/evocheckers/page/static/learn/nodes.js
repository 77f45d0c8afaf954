// How the papers' network sees: a position, one of the 91 nodes, the sub-square that it looks at and how it responds.

import { messageOf, post } from "../common/api.js";
import { BoardView } from "../board/board.js";
import { $, drawing, element, input } from "../common/dom.js";
import { drawSight } from "../common/activations.js";

/** @import { Sight, SightNode } from "../common/types.js" */

const FEN = "B:W18,21,22,24,26,28,30,31,32:B1,2,3,6,8,10,11,12,15";

export async function mountEye() {
  const board = new BoardView(drawing("eye-board"));
  await board.show({ fen: FEN });
  for (const square of board.squares.values()) {
    for (const name of ["role", "tabindex", "aria-label"]) square.removeAttribute(name); // a picture
  }
  try {
    const found = await post("/api/analysis", { fen: FEN, player: "lamarck-220", limit: "1" });
    /** @type {Sight} */
    const sight = found.sight;
    const show = () => showNode(board, sight, Number(input("eye-node").value));
    input("eye-node").addEventListener("input", show);
    show();
  } catch (error) {
    $("eye-text").textContent = messageOf(error);
  }
}

/**
 * @param {BoardView} board
 * @param {Sight} sight
 * @param {number} number
 */
function showNode(board, sight, number) {
  const node = sight.nodes[number];
  if (!node) return;
  drawSight(drawing("eye-sight"), sight);
  drawing("eye-sight").querySelectorAll(".node-plus, .node-minus")[number]?.classList.add("node-chosen");
  const place = {
    x: 100 * node.column + 5,
    y: 100 * node.row + 5,
    width: 100 * node.columns - 10,
    height: 100 * node.rows - 10,
  };
  board.overlay.replaceChildren(element("rect", { ...place, class: "node-shown" }));
  $("eye-text").textContent =
    `Node ${number + 1} of 91 looks at ${sizeText(node)} and responds ` +
    `with ${node.activation.toFixed(2)}, between −1 and +1.`;
}

/** @param {SightNode} node */
function sizeText(node) {
  return node.rows === 8 ? "the whole board" : `${node.rows} × ${node.columns} squares`;
}
