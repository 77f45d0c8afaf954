// How the papers' network sees: a position, one of the 91 nodes, the sub-square that it looks at and how it responds.

import { messageOf, post } from "../common/api.js";
import { BoardView } from "../board/board.js";
import { $, drawing, element, input } from "../common/dom.js";
import { drawActivations } from "../common/activations.js";

/** @import { Activations, NodeActivation } from "../common/types.js" */

const FEN = "B:W18,21,22,24,26,28,30,31,32:B1,2,3,6,8,10,11,12,15";

export async function mountNodes() {
  const board = new BoardView(drawing("node-board"));
  await board.show({ fen: FEN });
  for (const square of board.squares.values()) {
    for (const name of ["role", "tabindex", "aria-label"]) square.removeAttribute(name); // a picture
  }
  try {
    const found = await post("/api/analysis", { fen: FEN, player: "self-play-220", limit: "1" });
    /** @type {Activations} */
    const activations = found.activations;
    const show = () => showNode(board, activations, Number(input("node-number").value));
    input("node-number").addEventListener("input", show);
    show();
  } catch (error) {
    $("node-text").textContent = messageOf(error);
  }
}

/**
 * @param {BoardView} board
 * @param {Activations} activations
 * @param {number} number
 */
function showNode(board, activations, number) {
  const node = activations.nodes[number];
  if (!node) return;
  drawActivations(drawing("node-activations"), activations);
  drawing("node-activations").querySelectorAll(".node-plus, .node-minus")[number]?.classList.add("node-chosen");
  const place = {
    x: 100 * node.column + 5,
    y: 100 * node.row + 5,
    width: 100 * node.columns - 10,
    height: 100 * node.rows - 10,
  };
  board.overlay.replaceChildren(element("rect", { ...place, class: "node-shown" }));
  $("node-text").textContent =
    `Node ${number + 1} of 91 looks at ${sizeText(node)} and responds ` +
    `with ${node.activation.toFixed(2)}, between −1 and +1.`;
}

/** @param {NodeActivation} node */
function sizeText(node) {
  return node.rows === 8 ? "the whole board" : `${node.rows} × ${node.columns} squares`;
}
