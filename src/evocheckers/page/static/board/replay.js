// A game to go through: board, list of moves, buttons and keys. The review and the watching page are built on it.

import { $, drawing, make } from "../common/dom.js";
import { BoardView } from "./board.js";
import { START } from "./fen.js";
import { follow, lineOf, markStep, walkLine } from "./lines.js";
import { drawMoves, enableWays, markShown, mountWays, plyAfter } from "./moves.js";
import { seatLabel } from "./pieces.js";

/** @import { Game, Move, Side } from "../common/types.js" */
/** @import { Arrow } from "./pieces.js" */
/** @import { Step } from "./lines.js" */

/** @typedef {{arrows?: Arrow[], legal?: Move[], onMove?: (move: Move) => void, worth?: Record<string, number> | null}} Look */

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
    new ResizeObserver(() => markShown(this.shown)).observe($("moves"));
    mountWays(
      (way) => this.walk(way),
      () => {
        this.flipped = !this.flipped;
        this.render();
      },
    );
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.aside || document.querySelector("dialog[open]")) return;
      this.leave();
      this.render();
    });
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
      this.go(plyAfter(way, this.shown, this.game?.ply ?? 0));
      return;
    }
    const at = walkLine(way, line.at, line.steps.length);
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
    enableWays(this.shown === 0 && !this.aside, isEnd);
    markShown(this.shown);
  }

  drawMoves() {
    if (!this.game) return;
    drawMoves(this.game, (ply) => this.go(ply), this.markOf);
    markShown(this.shown);
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
      const { sign, name } = seatLabel(side, game[side].title);
      const word = make("span", { className: "seat-word", textContent: wordOf(side) });
      $(i ? "seat-bottom" : "seat-top").replaceChildren(sign, name, word);
    });
  }
}
