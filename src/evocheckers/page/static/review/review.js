// A game looked over: what every move cost, what would have been better, and how accurately each side played.

import { get, messageOf, post } from "../common/api.js";
import { $, button, drawing, make, pause } from "../common/dom.js";
import { drawValueCurve } from "../common/value-curve.js";
import { sideName } from "../board/fen.js";
import { follow, showLines } from "../board/lines.js";
import { playOn } from "../common/play-on.js";
import { Replay } from "../board/replay.js";
import { aboutOf, summaryOf, verdictOf } from "./texts.js";
import { mountShell } from "../common/shell.js";

/** @import { Analysis, Game, Move, PositionValue } from "../common/types.js" */
/** @import { Review, MoveReview } from "./texts.js" */

const POLL_MS = 800;
const ID = /^[A-Za-z0-9_-]{8,40}$/;

/** @type {Review | null} */
let review = null;
const replay = new Replay(() => show());
replay.markOf = (/** @type {number} */ ply) => moveAt(ply)?.mark ?? "";

/**
 * @param {number} ply
 * @returns {MoveReview | undefined}
 */
function moveAt(ply) {
  return review?.moves[ply - 1];
}

/** @param {string} text */
function say(text) {
  $("status").textContent = text;
}

/**
 * Black's chance after so many plies, if it is known.
 * @param {number} ply
 */
function chanceAt(ply) {
  const move = moveAt(ply);
  const next = moveAt(ply + 1);
  if (move) return move.side === "black" ? move.chance : 1 - move.chance;
  if (next) return next.side === "black" ? next.best_chance : 1 - next.best_chance;
  return null;
}

/**
 * Men to Black after so many plies.
 * @param {number} ply
 */
function menAt(ply) {
  const move = moveAt(ply);
  const next = moveAt(ply + 1);
  if (move) return move.side === "black" ? move.score : -move.score;
  return next ? (next.side === "black" ? next.best_score : -next.best_score) : 0;
}

function show() {
  const { game } = replay;
  if (!game || !review) return;
  const move = moveAt(replay.shown);
  const verdict = $("verdict");
  if (move) {
    const before = replay.fenAt(replay.shown - 1);
    verdict.replaceChildren(...verdictOf(move));
    if (move.best !== move.move) {
      const line = replay.lineFrom(before, move.line);
      verdict.append(make("p", {}, "Better was ", line));
      replay.mark({ arrows: move.mark ? [{ path: move.best.split(/[-x]/).map(Number), kind: "best" }] : [] });
    }
  } else if (replay.shown) verdict.replaceChildren(make("p", { textContent: "Not looked at yet." }));
  else verdict.replaceChildren(make("p", { textContent: "The position before the first move." }));
  $("lines").replaceChildren();
  button("retry").disabled = !move || move.best === move.move;
  drawCurve(game, review);
  const chance = chanceAt(replay.shown);
  $("bar").classList.toggle("black-below", replay.flipped);
  const below = chance === null ? 0.5 : replay.flipped ? chance : 1 - chance;
  $("bar-fill").style.setProperty("--share", `${100 * below}%`);
  $("bar").setAttribute("aria-label", chance === null ? "not judged" : `Black's chance ${Math.round(100 * chance)}%`);
}

/**
 * @param {Game} game
 * @param {Review} known
 */
function drawCurve(game, known) {
  /** @type {Record<string, PositionValue>} */
  const scores = {};
  for (let ply = 0; ply <= known.done; ++ply) {
    const chance = chanceAt(ply);
    if (chance === null) continue;
    scores[ply] = { score: menAt(ply), chance, text: "", plies: 0, line: [], by: "", note: "" };
  }
  drawValueCurve(drawing("graph"), scores, { shown: replay.shown, plies: game.ply }, (ply) => replay.go(ply));
  const dots = $("graph").querySelectorAll("circle");
  known.moves.forEach((move) => {
    const dot = dots[move.ply];
    if (!dot || !move.mark) return;
    dot.classList.add(move.mark);
    dot.setAttribute("r", "4");
  });
}

/** Draw what depends on the whole review. */
function update() {
  if (!review) return;
  const { plies, done, running } = review;
  say(done < plies ? `Looking at move ${done + 1} of ${plies}…` : `All ${plies} moves reviewed.`);
  if (!running && done < plies) say("The review stopped; reload the page to go on.");
  const known = review;
  replay.drawSeats((side) => {
    const accuracy = known.accuracy[side];
    return accuracy === null || done < plies ? "" : `accuracy ${accuracy.toFixed(0)}%`;
  });
  $("summary").replaceChildren(summaryOf(known));
  $("about").replaceChildren(...aboutOf(known));
  button("next").disabled = !known.moves.some((move) => move.mark && move.mark !== "inaccuracy");
  replay.drawMoves();
  show();
}

/** The next mistake or blunder, from the first again after the last. */
function nextMistake() {
  const marked = (review?.moves ?? []).filter((move) => move.mark && move.mark !== "inaccuracy");
  const next = marked.find((move) => move.ply > replay.shown) ?? marked[0];
  if (next) replay.go(next.ply);
}

/** Back before the move, to find what would have been better. */
async function retry() {
  const move = moveAt(replay.shown);
  if (!move || !replay.game) return;
  const fen = replay.fenAt(move.ply - 1);
  replay.go(move.ply - 1);
  const side = sideName(move.side);
  const task = `${side} played ${move.move} here. Find a better move on the board.`;
  $("verdict").replaceChildren(make("p", { textContent: task }));
  try {
    /** @type {Analysis} */
    const { moves } = await post("/api/analysis", { fen, player: "champion", limit: "8" });
    if (replay.fen !== fen) return;
    const sign = move.side === "black" ? 1 : -1; // values are Black's
    const legal = moves.map((one) => ({ ...one, score: sign * one.score }));
    const most = Math.max(...legal.map((one) => one.score));
    replay.mark({ legal, onMove: (chosen) => compare(chosen, move, most, fen) });
  } catch (error) {
    say(messageOf(error));
  }
}

/**
 * @param {Move & {score?: number}} chosen
 * @param {MoveReview} move
 * @param {number} most the value of the best move
 * @param {string} fen
 */
function compare(chosen, move, most, fen) {
  const cost = most - (chosen.score ?? most);
  const isBest = cost < 0.05;
  const isBetter = (chosen.score ?? 0) > move.score + 0.05;
  const word = isBest ? "Yes, that is the best move." : isBetter ? "Better, but not the best." : "No better.";
  const again = make("button", { textContent: "Try again" });
  again.addEventListener("click", () => {
    replay.go(move.ply);
    retry();
  });
  const text = make("p", {}, make("strong", { textContent: word }), ` ${chosen.text} `);
  replay.step({ fen: afterText(fen, chosen.text), move: chosen });
  const best = make("p", {}, "Best: ", replay.lineFrom(fen, move.line));
  $("verdict").replaceChildren(text, isBest ? best : again);
}

/**
 * @param {string} fen
 * @param {string} text
 */
function afterText(fen, text) {
  return follow(fen, [text])[0]?.fen ?? fen;
}

async function begin() {
  const id = location.hash.slice(1);
  if (!ID.test(id)) {
    say("No game to look over: open one and choose Review.");
    return;
  }
  try {
    const game = await get(`/api/games/${id}`);
    replay.flipped = game.black.player === "human" && game.white.player !== "human";
    replay.take(game);
    review = await post(`/api/reviews/${id}`);
    update();
    while (review?.running) {
      await pause(POLL_MS);
      review = await get(`/api/reviews/${id}`);
      update();
    }
  } catch (error) {
    say(messageOf(error));
  }
}

mountShell();
button("next").addEventListener("click", nextMistake);
button("retry").addEventListener("click", retry);
button("play-on").addEventListener("click", () => replay.game && playOn(replay.fen));
button("analyse").addEventListener("click", () => {
  const { fen } = replay;
  showLines($("lines"), fen, (texts) => replay.lineFrom(fen, texts));
});
$("flip").addEventListener("click", update);
window.addEventListener("hashchange", () => location.reload());
begin();
