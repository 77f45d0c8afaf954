// A game to go through: board, list of moves, buttons and keys. The review and the watching page are built on it.

import { BoardView } from "./board.js";
import { $, button, drawing, element, icon, make } from "../common/dom.js";
import { START } from "./fen.js";
import { follow, lineOf, markStep } from "./lines.js";
import { drawPiece } from "./pieces.js";
import { showOpening } from "./opening.js";
import { nameOf } from "../play/seats.js";

/** @import { Game, Move, Side } from "../common/types.js" */
/** @import { Arrow } from "./pieces.js" */
/** @import { Step } from "./lines.js" */

/** @typedef {{arrows?: Arrow[], legal?: Move[], onMove?: (move: Move) => void, worth?: Record<string, number> | null}} Look */

const WAYS = ["first", "back", "forward", "last"];
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

export class Replay {
  /** @param {() => void} onShow told whenever another position is shown */
  constructor(onShow) {
    this.onShow = onShow;
    /** @type {Game | null} */
    this.game = null;
    this.shown = 0;
    this.flipped = false;
    /** @type {Step | null} a position beside the game: of a line that was clicked */
    this.aside = null;
    /** @type {{steps: Step[], at: number, buttons: HTMLElement} | null} the line that it belongs to */
    this.line = null;
    /** @type {Look} */
    this.look = {};
    /** @type {(ply: number) => string} a word for a move of the list */
    this.markOf = () => "";
    this.board = new BoardView(drawing("board"), { onMove: (move) => this.look.onMove?.(move) });
    this.board.show({ fen: START });
    for (const way of WAYS) {
      $(way).append(icon(way));
      $(way).addEventListener("click", () => this.walk(way));
    }
    new ResizeObserver(() => this.markShown()).observe($("moves"));
    $("flip").append(icon("flip"));
    $("flip").addEventListener("click", () => {
      this.flipped = !this.flipped;
      this.render();
    });
    document.addEventListener("keydown", (event) => {
      const isText = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
      const way = event.key === "Escape" && this.aside ? "first" : KEYS[event.key];
      if (!way || isText || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.walk(way);
    });
  }

  /** @param {string} way */
  target(way) {
    return { first: 0, back: this.shown - 1, forward: this.shown + 1, last: this.game?.ply ?? 0 }[way] ?? 0;
  }

  /** @param {number} ply */
  fenAt(ply) {
    return this.game?.moves[ply - 1]?.fen ?? this.game?.start ?? "";
  }

  /** The position that is looked at, in the game or beside it. */
  get fen() {
    return this.aside?.fen ?? this.fenAt(this.shown);
  }

  /**
   * Another game, or more of the same one.
   * @param {Game} game
   */
  take(game) {
    this.game = game;
    this.shown = Math.min(this.shown, game.ply);
    this.drawMoves();
    this.render();
  }

  /** @param {number} ply */
  go(ply) {
    if (!this.game) return;
    const before = this.shown;
    const wasAside = this.aside !== null;
    this.leave();
    this.look = {};
    this.shown = Math.max(0, Math.min(this.game.ply, ply));
    const isNext = this.shown === before + 1 && !wasAside;
    this.render(isNext ? (this.game.moves[before] ?? null) : null);
    this.onShow();
  }

  /**
   * Look at a position beside the game.
   * @param {Step} step
   */
  step(step) {
    this.leave();
    this.aside = step;
    this.render();
  }

  /**
   * A line as buttons; once one of them is pressed, it is gone along like the game.
   * @param {string} fen where it begins
   * @param {string[]} texts
   */
  lineFrom(fen, texts) {
    const steps = follow(fen, texts);
    const buttons = lineOf(fen, texts, (_, at) => {
      this.line = { steps, at, buttons };
      this.aside = steps[at] ?? null;
      this.render();
    });
    return buttons;
  }

  /**
   * Through the game, or along the line that is looked at; before the line's first step is the game.
   * @param {string} way
   */
  walk(way) {
    const { line } = this;
    if (!line) {
      this.go(this.target(way));
      return;
    }
    const last = line.steps.length - 1;
    const at = { first: -1, back: line.at - 1, forward: Math.min(line.at + 1, last), last }[way] ?? last;
    if (at < 0) this.leave();
    else {
      line.at = at;
      this.aside = line.steps[at] ?? null;
      markStep(line.buttons, at);
    }
    this.render();
  }

  /** From a position beside the game back to it. */
  leave() {
    if (this.line) markStep(this.line.buttons, -1);
    this.aside = this.line = null;
  }

  /**
   * Arrows and moves for the position that is looked at.
   * @param {Look} look
   */
  mark(look) {
    this.look = look;
    this.render();
  }

  /** @param {Move | null} animate */
  render(animate = null) {
    const { game } = this;
    if (!game) return;
    const last = this.aside ? this.aside.move : (game.moves[this.shown - 1] ?? null);
    const { arrows = [], legal = [], worth = null } = this.aside ? {} : this.look;
    this.board.show({ fen: this.fen, last, animate, arrows, legal, worth, flipped: this.flipped });
    this.board.svg.classList.toggle("aside", this.aside !== null);
    const isEnd = this.line ? this.line.at === this.line.steps.length - 1 : this.shown === game.ply && !this.aside;
    button("first").disabled = button("back").disabled = this.shown === 0 && !this.aside;
    button("forward").disabled = button("last").disabled = isEnd;
    this.markShown();
  }

  drawMoves() {
    const { game } = this;
    if (!game) return;
    const first = game.start.startsWith("W") ? 1 : 0;
    const rows = [];
    for (let at = -first; at < game.moves.length; at += 2) {
      const row = make("li", {}, make("span", { className: "number", textContent: `${(at + first) / 2 + 1}.` }));
      for (const ply of [at + 1, at + 2]) row.append(this.moveButton(ply));
      rows.push(row);
    }
    $("moves").replaceChildren(...rows);
    showOpening(game);
    this.markShown();
  }

  /** @param {number} ply */
  moveButton(ply) {
    const move = this.game?.moves[ply - 1];
    if (!move) return make("span", { textContent: ply === 0 ? "…" : "" });
    const shown = make("button", { "data-ply": ply }, move.text);
    const mark = this.markOf(ply);
    if (mark) shown.append(make("span", { className: `mark ${mark}`, textContent: MARKS[mark] ?? "", title: mark }));
    shown.addEventListener("click", () => this.go(ply));
    return shown;
  }

  markShown() {
    const list = $("moves");
    for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
    const current = list.querySelector(`[data-ply="${this.shown}"]`);
    if (!(current instanceof HTMLElement)) {
      list.scrollTo(0, 0);
      return;
    }
    current.setAttribute("aria-current", "true");
    const row = current.parentElement ?? current; // scroll the list, never the page
    list.scrollTo(row.offsetLeft - list.clientWidth / 2, row.offsetTop - list.offsetTop - list.clientHeight / 2);
  }

  /**
   * Who plays, above and below the board.
   * @param {(side: Side) => string} wordOf a word beside each name
   */
  drawSeats(wordOf) {
    const { game } = this;
    if (!game) return;
    const sides = /** @type {Side[]} */ (this.flipped ? ["white", "black"] : ["black", "white"]);
    sides.forEach((side, i) => {
      const disk = element("svg", { viewBox: "-40 -40 80 80", class: "disk", "aria-hidden": "true" });
      disk.append(drawPiece(side.charAt(0), { x: 0, y: 0 }));
      const name = make("span", { className: "name" }, nameOf(side, game[side].title));
      const word = make("span", { className: "seat-word", textContent: wordOf(side) });
      $(i ? "seat-bottom" : "seat-top").replaceChildren(disk, name, word);
    });
  }
}

/** @type {Record<string, string>} */
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
