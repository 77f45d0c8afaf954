// The game on the table: what the server says of it, which ply is looked at, and the conversation with the server.

import { get, messageOf, post, Refusal, Silence } from "../common/api.js";
import { pause } from "../common/dom.js";
import { afterMove } from "../board/fen.js";
import { recall, remember } from "../common/preferences.js";
import { showAway } from "../common/shell.js";

/** @import { Game, Move, PlayedMove, Side } from "../common/types.js" */

const RETRY_MS = 2000;
const WATCH_MS = 600;
const ID = /^[A-Za-z0-9_-]{8,40}$/;
const VIEW = /^view\/([A-Za-z0-9_-]{8,40})$/;

/** @typedef {{animate?: Move | null}} Change */

export class Session {
  constructor() {
    /** @type {Game | null} */
    this.game = null;
    /** Whether the game is only looked at: it belongs to somebody else. */
    this.readOnly = false;
    this.shown = 0;
    this.flipped = false;
    /** @type {Move | null} played here, not yet acknowledged */
    this.pending = null;
    this.busy = false;
    /** Said once below the board, until the game goes on. */
    this.message = "";
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    this.queue = Promise.resolve();
    this.engineAsked = "";
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("evocheckers") : null;
    this.channel?.addEventListener("message", ({ data }) => {
      if (data?.id === this.game?.id && data?.ply !== this.game?.ply) this.refetch(); // another tab played
    });
    document.addEventListener("visibilitychange", () => !document.hidden && this.refetch());
  }

  /** @param {(change: Change) => void} listener called after every change */
  subscribe(listener) {
    this.listeners.push(listener);
  }

  /** @param {Change} change */
  notify(change = {}) {
    for (const listener of this.listeners) listener(change);
  }

  /** @param {string} text */
  say(text) {
    this.message = text;
    this.notify();
  }

  /** The side that a person plays here; null for none or both. @returns {Side | null} */
  get own() {
    if (!this.game || this.readOnly) return null;
    const black = this.game.black.player === "human";
    return black === (this.game.white.player === "human") ? null : black ? "black" : "white";
  }

  get isLive() {
    return this.game !== null && this.shown === this.game.ply;
  }

  /** Whether a person is to move in the position that is shown. */
  get isYours() {
    return this.isLive && !this.readOnly && !this.busy && !this.pending && this.game?.waiting_for === "human";
  }

  /** @param {number} ply */
  fenAt(ply) {
    if (!this.game) return "";
    if (this.pending && ply === this.game.ply) return afterMove(this.game.fen, this.pending);
    return ply === 0 ? this.game.start : (this.game.moves[ply - 1]?.fen ?? this.game.fen);
  }

  /** The move that led to what is shown. @returns {Move | PlayedMove | null} */
  get last() {
    if (this.pending && this.isLive) return this.pending;
    return this.shown ? (this.game?.moves[this.shown - 1] ?? null) : null;
  }

  /** @param {number} ply */
  look(ply) {
    if (!this.game) return;
    const before = this.shown;
    this.shown = Math.max(0, Math.min(this.game.ply, ply));
    if (this.shown === before) return;
    this.message = "";
    this.notify({ animate: this.shown === before + 1 ? (this.game.moves[before] ?? null) : null });
  }

  flip() {
    this.flipped = !this.flipped;
    this.notify();
  }

  /**
   * Take over what the server says.
   * @param {Game} state
   */
  take(state) {
    const before = this.game;
    const same = before?.id === state.id && before.view === state.view;
    const followed = !same || this.shown === before?.ply;
    const wasPending = this.pending !== null;
    const { id, ply } = state;
    this.game = state;
    this.pending = null;
    if (followed || this.shown > ply) this.shown = ply;
    this.message = state.note;
    if (!this.readOnly) {
      remember("game", id);
      if (same && before.ply !== ply) this.channel?.postMessage({ id, ply });
    }
    const stepped = same && ply === before.ply + 1 && this.shown === ply && !wasPending;
    this.notify({ animate: stepped ? (state.moves.at(-1) ?? null) : null });
  }

  /**
   * Ask something about the game on the table, one request after the other; answers that come after another game
   * began are dropped. While the server is away the request is repeated: nothing is played twice, plies are counted.
   * @param {() => Promise<Game>} request
   */
  act(request) {
    const id = this.game?.id;
    this.queue = this.queue.then(async () => {
      if (this.game?.id !== id) return;
      this.busy = true;
      this.notify();
      let message = "";
      try {
        const state = await this.insist(request, () => this.game?.id === id);
        if (this.game?.id !== id) return;
        this.take(state);
      } catch (error) {
        if (this.game?.id !== id) return;
        message = messageOf(error);
        this.pending = null;
        await this.refetch();
      } finally {
        if (this.game?.id === id) this.busy = false;
      }
      if (message) this.message = message;
      this.notify();
      this.engineTurn();
    });
    return this.queue;
  }

  /**
   * A request, repeated while nobody answers or all are busy.
   * @param {() => Promise<Game>} request
   * @param {() => boolean} stillWanted
   */
  async insist(request, stillWanted) {
    for (;;) {
      try {
        const state = await request();
        showAway(false);
        return state;
      } catch (error) {
        const isAway = error instanceof Silence;
        if (!isAway && !(error instanceof Refusal && error.status === 503)) throw error;
        showAway(isAway);
        await pause(RETRY_MS);
        if (!stillWanted()) throw error;
      }
    }
  }

  /**
   * A person's move: shown at once, taken back if it is refused.
   * @param {Move} move
   */
  play(move, dragged = false) {
    const { game } = this;
    if (!game || !this.isYours) return;
    this.pending = move;
    this.message = "";
    this.notify({ animate: dragged ? null : move });
    this.act(() => this.send(game.id, "moves", { move: move.text, ply: game.ply }));
  }

  /**
   * Change the game; where it has gone another way meanwhile, see which.
   * @param {string} id
   * @param {string} what
   * @param {object} body
   */
  async send(id, what, body = {}) {
    return post(`/api/games/${id}/${what}`, body).catch((error) => {
      if (error instanceof Refusal && error.status === 409 && what !== "takeback") return get(`/api/games/${id}`);
      throw error;
    });
  }

  /** Let the engine move as long as it is its turn. */
  async engineTurn() {
    const id = this.game?.id ?? "";
    if (this.readOnly || this.engineAsked === id) return;
    this.engineAsked = id;
    while (this.game?.id === id && this.game.waiting_for === "engine") {
      const { ply } = this.game;
      if (this.game.black.player !== "human" && this.game.white.player !== "human") await pause(WATCH_MS);
      if (this.game?.id !== id || this.game.ply !== ply) continue;
      await this.act(() => this.send(id, "engine", { ply }));
      if (this.game?.id === id && this.game.ply === ply) await pause(RETRY_MS);
    }
    if (this.engineAsked === id) this.engineAsked = "";
  }

  /** See how the game stands now: another tab, or the one who plays it, may have gone on. */
  async refetch() {
    const { game } = this;
    if (!game) return;
    try {
      const state = await get(this.readOnly ? `/api/shared/${game.view}` : `/api/games/${game.id}`);
      showAway(false);
      if (this.game?.id === game.id && this.game.view === game.view && !this.pending) this.take(state);
      this.engineTurn();
    } catch (error) {
      if (error instanceof Silence) showAway(true);
    }
  }

  /**
   * Put another game on the table, whatever the engine of the last one is doing. A game that cannot be had leaves the
   * one that is there.
   * @param {() => Promise<Game>} request
   * @param {{readOnly?: boolean, keepAddress?: boolean}} how
   */
  async change(request, { readOnly = false, keepAddress = false } = {}) {
    try {
      const state = await this.insist(request, () => true);
      this.queue = Promise.resolve();
      this.busy = false;
      this.pending = null;
      this.readOnly = readOnly;
      this.game = null;
      this.flipped = state.black.player === "human" && state.white.player !== "human";
      this.take(state);
      window.scrollTo(0, 0);
    } catch (error) {
      this.restoreAddress();
      this.say(messageOf(error));
      return false;
    }
    const address = this.address();
    if (location.hash !== address) history[keepAddress ? "replaceState" : "pushState"](null, "", `/${address}`);
    this.engineTurn();
    return true;
  }

  address() {
    return !this.game ? "" : this.readOnly ? `#view/${this.game.view}` : `#${this.game.id}`;
  }

  restoreAddress() {
    if (this.game && location.hash !== this.address()) history.replaceState(null, "", `/${this.address()}`);
  }

  /**
   * Open the game that an address names.
   * @param {string} hash
   * @param {boolean} keepAddress
   */
  async open(hash, keepAddress = true) {
    const view = VIEW.exec(hash)?.[1];
    if (view) return this.change(() => get(`/api/shared/${view}`), { readOnly: true, keepAddress });
    if (ID.test(hash)) return this.change(() => get(`/api/games/${hash}`), { keepAddress });
    this.restoreAddress();
    this.say("This address leads to no game.");
    return false;
  }

  /** The first game of a visit: that of the address, else the last one, else a new one. */
  async begin() {
    const wanted = location.hash.slice(1);
    const player = new URLSearchParams(location.search).get("player"); // a link from a run's page: play its network
    let fault = "";
    if (player) {
      if (await this.change(() => post("/api/games", { white: { player, limit: "4" } }), { keepAddress: true })) return;
      fault = this.message;
    } else if (wanted) {
      if (await this.open(wanted)) return;
      fault = this.message;
    }
    const kept = recall("game") ?? "";
    const found = ID.test(kept) && (await this.change(() => get(`/api/games/${kept}`), { keepAddress: true }));
    if (!found) await this.change(() => post("/api/games", {}), { keepAddress: true });
    if (fault) this.say(fault);
  }
}
