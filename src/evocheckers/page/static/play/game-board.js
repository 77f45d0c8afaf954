// The board of the game: the position looked at, premoves, arrows, and the line that says how it stands.

import { BoardView } from "../board/board.js";
import { $, drawing } from "../common/dom.js";
import { sideName } from "../board/fen.js";
import { whyNot } from "../board/illegal-move.js";

/** @import { LineBrowser } from "./navigation.js" */
/** @import { Session, Change } from "./session.js" */
/** @import { Game, Side } from "../common/types.js" */
/** @import { Arrow } from "../board/pieces.js" */

/** While engines wait for machine code. */
export const COMPILING = "Compiling for this machine, once; half a minute or so…";

export class GameBoard {
  /**
   * @param {Session} session
   * @param {LineBrowser} browser
   */
  constructor(session, browser) {
    this.session = session;
    this.browser = browser;
    /** @type {Arrow[]} shown in one position only */
    this.arrows = [];
    /** @type {Record<string, number> | null} */
    this.worth = null;
    /** @type {number[] | null} given before it is one's turn */
    this.premove = null;
    this.position = "";
    this.board = new BoardView(drawing("board"), {
      onMove: (move, dragged) => session.play(move, dragged),
      onChoice: (ways) => this.board.offer($("choices"), ways),
      onPremove: (path) => {
        this.premove = path;
        this.render({});
      },
      onRefused: (square, from) => this.explain(square, from),
    });
    session.subscribe((change) => this.render(change));
  }

  /**
   * Arrows and numbers of one position; gone when another is shown.
   * @param {Arrow[]} arrows
   * @param {Record<string, number> | null} worth
   */
  mark(arrows, worth = null) {
    this.arrows = arrows;
    this.worth = worth;
    this.render({});
  }

  /** What is on the board: a position of the game, or of a line beside it. */
  get fen() {
    return this.browser.step?.fen ?? this.session.fenAt(this.session.shown);
  }

  /** @param {Change} change */
  render({ animate = null }) {
    const { session } = this;
    const { step, at, steps } = this.browser;
    const { game } = session;
    if (!game) return;
    const position = `${game.id} ${session.shown} ${this.fen}`;
    if (position !== this.position) [this.position, this.arrows, this.worth] = [position, [], null];
    if (session.isYours && this.premove) {
      const move = this.legalPremove(game);
      this.premove = null;
      if (move) {
        session.play(move);
        return;
      }
    }
    const status = $("status");
    Object.assign(status.dataset, { ply: game.ply, waiting: game.waiting_for });
    const words = step ? `Not played: move ${at + 1} of ${steps.length}.` : statusText(session, game);
    const text = [words, session.isLive ? session.message : ""].filter(Boolean).join(" ");
    if (status.textContent !== text) status.textContent = text;
    const premoves = this.premove ? [{ path: this.premove, kind: /** @type {const} */ ("premove") }] : [];
    this.board.svg.classList.toggle("aside", step !== null);
    this.board.show({
      fen: this.fen,
      legal: session.isYours && !step ? game.legal : [],
      last: step?.move ?? session.last,
      animate,
      arrows: [...this.arrows, ...premoves],
      worth: this.worth,
      flipped: session.flipped,
      premover: step ? null : this.premover(game),
    });
  }

  /**
   * Whose moves can be given before it is their turn: the person's, while the engine thinks.
   * @param {Game} game
   * @returns {Side | null}
   */
  premover(game) {
    const { session } = this;
    const isThinking = session.isLive && (game.waiting_for === "engine" || session.pending !== null);
    return isThinking && !game.ending ? session.own : null;
  }

  /**
   * The legal move that the premove is, if it is one now.
   * @param {Game} game
   */
  legalPremove(game) {
    const [from, to] = this.premove ?? [];
    const fits = game.legal.filter((move) => move.path[0] === from && (move.path[1] === to || move.path.at(-1) === to));
    return fits.length === 1 ? fits[0] : undefined;
  }

  /**
   * @param {number} square
   * @param {number | null} from
   */
  explain(square, from) {
    const { session } = this;
    if (this.browser.step) session.say("Escape leads back to the game.");
    else if (session.isYours && session.game) session.say(whyNot(session.game, square, from));
  }
}

/**
 * @param {Session} session
 * @param {Game} game
 */
function statusText(session, game) {
  if (!session.isLive) return `Position after ${session.shown} of ${game.ply} plies.`;
  if (game.ending) return `${game.ending.text}.`;
  const side = sideName(game.turn);
  if (game.waiting_for === "engine" || session.pending) {
    const thinking = session.pending ? (side === "Black" ? "white" : "black") : game.turn;
    if (game[thinking].player === "human") return "";
    return game.compiling ? COMPILING : `${game[thinking].level ?? game[thinking].title} is thinking…`;
  }
  if (session.readOnly) return `${side} to move.`;
  return game.must_capture ? `${side} to move: you must capture.` : `${side} to move.`;
}
