// One position through the generations: what they would play, what they think of it, and what they look at.

import { messageOf, post } from "../common/api.js";
import { BoardView } from "../board/board.js";
import { $, button, drawing, element, form, input, pause, select } from "../common/dom.js";
import { sideName, START } from "../board/fen.js";
import { signed } from "../common/value-text.js";
import { drawActivations } from "../common/activations.js";

/** @import { Side, Activations, NodeActivation } from "../common/types.js" */
/** @typedef {{generation: number, move: string, path: number[], score: number, line: string[], activations: Activations | null}} View */
/** @typedef {{fen: string, turn: Side, plies: number, views: View[]}} PositionModel */

const SHOWN_NODES = 4;
const FRAME_MS = 350;
/** @type {[string, string][]} */
const POSITIONS = [
  ["The start", START],
  ["A shot to find", "B:W19,20,21,23,25,26,27,28,31:B1,2,3,6,7,10,11,12,14"],
  ["Two kings against one", "B:WK5:BK14,K18"],
  ["Who gets a king first?", "W:W13,17,22,28:B5,12,15,20"],
];

export class Generations {
  constructor() {
    this.run = "";
    /** @type {PositionModel | null} */
    this.model = null;
    this.running = false;
    this.board = new BoardView(drawing("position-board"));
    this.board.show({ fen: START });
    select("position-choice").replaceChildren(...POSITIONS.map(([name, fen]) => new Option(name, fen)));
    select("position-choice").addEventListener("change", () => {
      input("position-fen").value = select("position-choice").value;
      this.ask();
    });
    input("position-fen").value = START;
    form("position-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
    input("position-slider").addEventListener("input", () => {
      this.running = false;
      this.show();
    });
    button("position-run").addEventListener("click", () => this.play());
    select("position-size").addEventListener("change", () => this.show());
  }

  /**
   * Ask the generations of a run about the position.
   * @param {string} run
   */
  async ask(run = this.run) {
    this.run = run;
    const fen = input("position-fen").value.trim();
    try {
      const model = await post(`/api/runs/${encodeURIComponent(run)}/position`, { fen });
      if (run !== this.run) return;
      this.model = model;
      const last = model.views.length - 1;
      input("position-slider").max = String(last);
      input("position-slider").value = String(last);
      this.show();
    } catch (error) {
      $("position-text").textContent = messageOf(error);
    }
  }

  show() {
    const model = this.model;
    const view = model?.views[Number(input("position-slider").value)];
    if (!model || !view) return;
    const flipped = model.turn === "black";
    const worth = view.activations?.squares ?? null;
    this.board.show({ fen: model.fen, arrows: [{ path: view.path, kind: "best" }], worth, flipped });
    const nodes = this.nodes(view.activations);
    this.board.marks.replaceChildren(...nodes.map((node) => outline(node, flipped)));
    const side = sideName(model.turn);
    const value = signed(view.score, 2);
    $("position-text").textContent =
      `Generation ${view.generation}: ${side} should play ${view.move} (${value} men to ${side}, ` +
      `${model.plies} plies deep).`;
    $("position-generation").textContent = `Generation ${view.generation}`;
    $("position-about").textContent = view.activations
      ? drawActivations(drawing("position-activations"), view.activations)
      : "";
    select("position-size").disabled = !view.activations?.nodes.length; // only the spatial network has sub-squares
  }

  /**
   * The nodes that answer most strongly, of one size of sub-square or of all.
   * @param {Activations | null} activations
   * @returns {NodeActivation[]}
   */
  nodes(activations) {
    const size = select("position-size").value;
    if (!activations || size === "none") return [];
    const strength = (/** @type {NodeActivation} */ node) => Math.abs(node.activation);
    const fits = activations.nodes.filter(
      (node) => size === "all" || Math.max(node.rows, node.columns) === Number(size),
    );
    return [...fits].sort((a, b) => strength(b) - strength(a)).slice(0, SHOWN_NODES);
  }

  /** From the first generation to the last, one after the other. */
  async play() {
    if (!this.model || this.running) {
      this.running = false;
      return;
    }
    this.running = true;
    button("position-run").textContent = "Stop";
    for (let at = 0; this.running && at < this.model.views.length; ++at) {
      input("position-slider").value = String(at);
      this.show();
      await pause(FRAME_MS);
    }
    this.running = false;
    button("position-run").textContent = "Play all";
  }
}

/**
 * A sub-square, lit as strongly as its node answers.
 * @param {NodeActivation} node
 * @param {boolean} flipped
 */
function outline({ row, column, rows, columns, activation }, flipped) {
  const [x, y] = flipped ? [8 - column - columns, 8 - row - rows] : [column, row];
  const place = { x: 100 * x + 4, y: 100 * y + 4, width: 100 * columns - 8, height: 100 * rows - 8, rx: 14 };
  const says = `${rows} by ${columns} squares: ${activation.toFixed(2)}`;
  const style = { class: `lit ${activation >= 0 ? "plus" : "minus"}`, "stroke-opacity": Math.abs(activation) };
  return element(
    "rect",
    { ...place, ...style, "fill-opacity": Math.abs(activation) * 0.12 },
    element("title", {}, says),
  );
}
