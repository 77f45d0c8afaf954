// Going through the game by its list of moves, buttons and keys, and along a line beside it until one goes back.

import { walkLine } from "../board/lines.js";
import { drawMoves, enableWays, markShown, mountWays, plyAfter } from "../board/moves.js";
import { $ } from "../common/dom.js";

/** @import { Session } from "./session.js" */
/** @import { Step } from "../board/lines.js" */

/** A line beside the game: its positions on the board, step by step. */
export class LineBrowser {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    /** @type {Step[]} of the line that is looked at; none while the board shows the game */
    this.steps = [];
    this.at = 0;
    this.place = "";
    /** @type {(at: number) => void} told which step is shown, −1 for none */
    this.onShow = () => {};
    session.subscribe(() => {
      if (this.steps.length && this.place !== this.here()) this.end(); // the game went on, or another position is shown
      $("to-game").hidden = !this.step;
    });
    $("to-game").addEventListener("click", () => this.leave());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.step && !document.querySelector("dialog[open]")) this.leave();
    });
  }

  /** The position that is shown instead of the game's. @returns {Step | null} */
  get step() {
    return this.steps[this.at] ?? null;
  }

  get isLast() {
    return this.at === this.steps.length - 1;
  }

  /** The game's position from which the line leads away. */
  here() {
    const { game, shown } = this.session;
    return `${game?.id} ${game?.view} ${shown} ${this.session.fenAt(shown)}`;
  }

  /**
   * Show a step of a line.
   * @param {Step[]} steps
   * @param {number} at
   * @param {(at: number) => void} onShow
   */
  follow(steps, at, onShow) {
    [this.steps, this.onShow, this.place] = [steps, onShow, this.here()];
    this.session.message = "";
    this.show(at, false);
  }

  /**
   * @param {number} at
   * @param {boolean} animated
   */
  show(at, animated) {
    this.at = at;
    this.onShow(at);
    this.session.notify({ animate: animated ? (this.step?.move ?? null) : null });
  }

  /**
   * Go along the line; before its first step is the game.
   * @param {string} way first, back, forward or last
   */
  go(way) {
    const to = walkLine(way, this.at, this.steps.length);
    if (to < 0) this.leave();
    else if (to !== this.at) this.show(to, to === this.at + 1);
  }

  end() {
    this.steps = [];
    this.onShow(-1);
  }

  /** Back to the game. */
  leave() {
    if (!this.step) return;
    this.end();
    this.session.notify();
  }
}

/**
 * The list of moves and the buttons below it; they go along a line while one is shown.
 * @param {Session} session
 * @param {LineBrowser} browser
 */
export function mountNavigation(session, browser) {
  let drawn = "";
  /** @param {number} ply of the game, whatever line is looked at */
  const look = (ply) => {
    browser.leave();
    session.look(ply);
  };
  session.subscribe(() => {
    const { game, shown } = session;
    if (!game) return;
    const key = `${game.start} ${game.opening} ${game.moves.map((move) => move.text).join(" ")}`;
    if (key !== drawn) drawMoves(game, look);
    drawn = key;
    markShown(shown);
    enableWays(shown === 0 && !browser.step, browser.step ? browser.isLast : session.isLive);
  });
  new ResizeObserver(() => markShown(session.shown)).observe($("moves"));
  mountWays(
    (way) => (browser.step ? browser.go(way) : session.look(plyAfter(way, session.shown, session.game?.ply ?? 0))),
    () => session.flip(),
  );
}
