// A board as SVG: shows a position, and turns clicks, drags and keys into one of the legal moves it was given.
// It knows no rules: every move that it offers came from the server.

import { listenToKeys } from "./keys.js";
import { listenToPointers } from "./pointer.js";
import { element, make } from "../common/dom.js";
import { readFen, sideOf } from "./fen.js";
import { centreOf, placeOf, reachOf } from "./geometry.js";
import { drawArrow, drawPiece, drawRing, drawWorth } from "./pieces.js";

/** @import { Move, Side } from "../common/types.js" */
/** @import { Arrow } from "./pieces.js" */

const STEP_MS = 160;
/** @type {Record<string, string>} */
const NAMES = { b: "black man", w: "white man", B: "black king", W: "white king" };

/**
 * @typedef {object} Shown
 * @property {string} fen
 * @property {Move[]} [legal] what may be played now
 * @property {{path: number[]} | null} [last] the move that led here, marked
 * @property {Move | null} [animate] the move that led here, moved
 * @property {Arrow[]} [arrows]
 * @property {Record<string, number> | null} [worth]
 * @property {boolean} [flipped]
 * @property {Side | null} [premover] whose moves can be given before it is their turn
 */
/**
 * @typedef {object} Listeners
 * @property {(move: Move, dragged: boolean) => void} [onMove]
 * @property {(square: number) => void} [onSquare] every square chosen, for an editor
 * @property {(ways: Move[]) => void} [onChoice] several moves lead there
 * @property {(path: number[] | null) => void} [onPremove] a move given before its turn, or none any more
 * @property {(square: number, from: number | null) => void} [onRefused] a square that could not be chosen
 */

export class BoardView {
  /**
   * @param {SVGSVGElement} svg
   * @param {Listeners} listeners
   */
  constructor(svg, listeners = {}) {
    this.svg = svg;
    this.listeners = listeners;
    this.flipped = false;
    this.fen = "";
    /** @type {Move[]} */
    this.legal = [];
    /** @type {Move[]} what may be played once a move that is being animated has ended */
    this.next = [];
    /** the position that an animation leads to, while it lasts */
    this.moving = "";
    /** @type {number[]} the squares of the move that is being put together */
    this.prefix = [];
    /** @type {Side | null} */
    this.premover = null;
    /** @type {{path: number[]} | null} */
    this.last = null;
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {Record<string, number> | null} */
    this.worth = null;
    this.focused = 1;
    /** @type {Map<number, SVGElement>} */
    this.squares = new Map();
    /** @type {Map<number, SVGElement>} */
    this.pieces = new Map();
    /** @type {Map<number, string>} */
    this.found = new Map();
    this.marks = element("g");
    this.pieceLayer = element("g");
    this.overlay = element("g");
    this.build();
    listenToPointers(this);
    listenToKeys(this);
  }

  build() {
    this.svg.replaceChildren(element("rect", { width: 800, height: 800, class: "light" }));
    this.squares.clear();
    for (let square = 1; square <= 32; ++square) {
      const { row, column } = placeOf(square, this.flipped);
      const group = element(
        "g",
        {
          class: "square",
          "data-square": square,
          role: "button",
          "aria-label": `square ${square}`,
          tabindex: square === this.focused ? 0 : -1,
        },
        element("rect", { x: 100 * column, y: 100 * row, width: 100, height: 100, class: "dark" }),
        element(
          "text",
          { x: 100 * column + 3, y: 100 * row + 16, class: "number-label", "aria-hidden": "true" },
          String(square),
        ),
      );
      this.squares.set(square, group);
      this.svg.append(group);
    }
    this.svg.append(this.marks, this.pieceLayer, this.overlay);
  }

  /**
   * Show a position.
   * @param {Shown} shown
   */
  async show({
    fen,
    legal = [],
    last = null,
    animate = null,
    arrows = [],
    worth = null,
    flipped = false,
    premover = null,
  }) {
    if (flipped !== this.flipped) {
      this.flipped = flipped;
      this.build();
    }
    const before = this.fen;
    const same = before === fen && this.premover === premover && String(this.legal) === String(legal);
    Object.assign(this, { fen, last, arrows, worth, premover, next: legal });
    if (!same) {
      this.prefix = [];
      this.listeners.onChoice?.([]);
    }
    if (animate && before && before !== fen && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.legal = [];
      this.moving = fen;
      await this.animate(before, animate);
      if (this.fen !== fen) return;
      this.moving = "";
    } else if (this.moving === fen) {
      return; // the end of the animation shows what has just been noted
    } else this.moving = "";
    this.legal = this.next;
    this.draw();
  }

  /**
   * @param {string} before
   * @param {Move} move
   */
  async animate(before, move) {
    this.drawPieces(before);
    this.marks.replaceChildren();
    this.overlay.replaceChildren();
    const [start = 0] = move.path;
    const piece = this.pieces.get(start);
    if (!piece) return;
    this.pieceLayer.append(piece);
    for (let step = 1; step < move.path.length; ++step) {
      const [from, to] = [move.path[step - 1] ?? 0, move.path[step] ?? 0].map((at) => centreOf(at, this.flipped));
      const frames = [from, to].map((at) => ({ transform: `translate(${at?.x}px, ${at?.y}px)` }));
      const running = piece.animate(frames, { duration: STEP_MS, easing: "ease-in-out", fill: "forwards" });
      await running.finished.catch(() => {});
      this.pieces.get(move.captured[step - 1] ?? 0)?.remove();
    }
  }

  /** @param {string} fen */
  drawPieces(fen) {
    this.pieces = new Map();
    this.pieceLayer.replaceChildren();
    this.found = readFen(fen);
    for (const [square, kind] of this.found) {
      const piece = drawPiece(kind, centreOf(square, this.flipped));
      this.pieces.set(square, piece);
      this.pieceLayer.append(piece);
    }
  }

  /** The moves that go on from what is selected. */
  open() {
    return this.legal.filter((move) => this.prefix.every((square, i) => move.path[i] === square));
  }

  /** Where what is selected can go next, and where it can end. */
  targets() {
    const next = new Set();
    const ends = new Set();
    const [from] = this.prefix;
    if (from === undefined) return { next, ends };
    for (const move of this.open()) {
      next.add(move.path[this.prefix.length]);
      ends.add(move.path.at(-1));
    }
    if (this.premover) {
      for (const { to, beyond } of reachOf(from, this.found.get(from) ?? "")) {
        if (!this.found.has(to)) next.add(to);
        else if (beyond !== null && sideOf(this.found.get(to)) !== this.premover) next.add(beyond);
      }
    }
    return { next, ends };
  }

  /** @param {number} square */
  canStart(square) {
    if (this.premover) return sideOf(this.found.get(square)) === this.premover;
    return this.legal.some((move) => move.path[0] === square);
  }

  /** @param {number} square */
  select(square) {
    this.prefix = [square];
    this.listeners.onChoice?.([]);
    if (this.premover) this.listeners.onPremove?.(null);
    this.draw();
  }

  clear() {
    this.prefix = [];
    this.listeners.onChoice?.([]);
    this.draw();
  }

  /**
   * A square was chosen as the next or the last of a move.
   * @param {number} square
   */
  choose(square, dragged = false) {
    if (this.listeners.onSquare) {
      this.listeners.onSquare(square);
      return;
    }
    const { next, ends } = this.targets();
    const from = this.prefix.at(-1) ?? null;
    if (this.premover) {
      const given = from !== null && next.has(square) ? [from, square] : null;
      this.clear();
      this.listeners.onPremove?.(given);
    } else if (next.has(square)) {
      this.prefix = [...this.prefix, square];
      const left = this.open();
      const complete = left.find((move) => move.path.length === this.prefix.length);
      if (complete) this.play(complete, dragged);
      else if (dragged && left.length === 1 && left[0]) this.play(left[0], dragged);
      else this.draw();
    } else if (ends.has(square)) {
      const ways = this.open().filter((move) => move.path.at(-1) === square);
      if (ways.length === 1 && ways[0]) this.play(ways[0], dragged);
      else this.listeners.onChoice?.(ways);
    } else {
      this.clear();
      this.listeners.onRefused?.(square, from);
    }
  }

  /**
   * Offer the moves of which one has to be chosen.
   * @param {HTMLElement} place
   * @param {Move[]} ways
   */
  offer(place, ways) {
    const buttons = ways.map((move) => {
      const button = make("button", { textContent: move.text });
      button.addEventListener("click", () => this.play(move));
      return button;
    });
    place.hidden = !ways.length;
    place.replaceChildren(...(ways.length ? [make("span", { textContent: "Which way?" })] : []), ...buttons);
  }

  /** @param {Move} move */
  play(move, dragged = false) {
    this.prefix = [];
    this.legal = [];
    this.listeners.onChoice?.([]);
    this.listeners.onMove?.(move, dragged);
  }

  draw() {
    this.drawPieces(this.fen);
    const [from = 0] = this.prefix;
    const at = this.prefix.at(-1);
    if (this.prefix.length > 1 && at !== undefined) {
      const { x, y } = centreOf(at, this.flipped);
      this.pieces.get(from)?.setAttribute("transform", `translate(${x} ${y})`);
    }
    this.marks.replaceChildren();
    this.overlay.replaceChildren();
    const { next, ends } = this.targets();
    const starts = new Set(this.legal.map((move) => move.path[0]));
    for (const [square, group] of this.squares) {
      const piece = this.found.get(square);
      const says = [`square ${square}`, piece ? NAMES[piece] : "empty"];
      const isTarget = next.has(square) || ends.has(square);
      if (at === square) says.push("selected");
      else if (isTarget) says.push("can go here");
      else if (starts.has(square) && this.prefix.length < 2) says.push("can move");
      group.setAttribute("aria-label", says.join(", "));
      group.classList.toggle("active", Boolean(this.listeners.onSquare) || isTarget || this.canStart(square));
      group.classList.toggle("last", Boolean(this.last?.path.includes(square)));
      if (isTarget) this.marks.append(drawRing(square, this.flipped, "target"));
      if (at === square) this.overlay.append(drawRing(square, this.flipped, "selected"));
      else if (starts.has(square) && !this.prefix.length)
        this.overlay.append(drawRing(square, this.flipped, "movable"));
    }
    this.overlay.append(...this.arrows.map((arrow) => drawArrow(arrow, this.flipped)));
    for (const [square, value] of Object.entries(this.worth ?? {})) {
      this.overlay.append(drawWorth(Number(square), value, this.flipped));
    }
  }
}
