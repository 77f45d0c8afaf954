// Puzzles: solved by playing, the reply is played, the solution is shown after a failure.

import { get, messageOf } from "../common/api.js";
import { BoardView } from "../board/board.js";
import { $, button, drawing, form, input, make, pause } from "../common/dom.js";
import { sideName, START } from "../board/fen.js";
import { signed } from "../common/value-text.js";
import { lineOf } from "../board/lines.js";
import { playOn } from "../common/play-on.js";
import { keepResult, loadProgress, readNumbers, writeNumbers } from "./sets.js";
import { mountShell } from "../common/shell.js";

/** @import { Arrow } from "../board/pieces.js" */
/** @import { Move, Side } from "../common/types.js" */
/** @typedef {{number: number, key: string, goal: string, difficulty: string, steps: number}} PuzzleLine */
/** @typedef {{fen: string, legal: Move[], move: Move, after: string, reply: Move | null, reply_after: string | null}} Step */
/** @typedef {PuzzleLine & {turn: Side, score: number, second: number, played: string, source: string, plies: number, line: Step[]}} Puzzle */

const REPLY_MS = 450;
/** @type {Record<string, string>} */
const GOALS = { win: "win", gain: "gain the upper hand", hold: "hold the game" };

/** @type {PuzzleLine[]} */
let all = [];
/** @type {number[]} the numbers of the set that is solved, all of them without one */
let chosen = [];
/** @type {Puzzle | null} */
let puzzle = null;
let at = 0; // which step of the solution
/** What is on the board. */
let fen = "";
let failed = false;

const board = new BoardView(drawing("board"), {
  onMove: (move) => answer(move),
  onChoice: (ways) => board.offer($("choices"), ways),
});

board.show({ fen: START });

/** @param {string} text */
function say(text) {
  $("status").textContent = text;
}

/**
 * @param {string} position
 * @param {{legal?: Move[], last?: Move | null, animate?: Move | null, arrows?: Arrow[]}} more
 */
function show(position, more = {}) {
  fen = position;
  return board.show({ fen, flipped: puzzle?.turn === "black", ...more });
}

function task() {
  if (!puzzle) return "";
  const side = sideName(puzzle.turn);
  return `${side} to move and ${GOALS[puzzle.goal] ?? "win"}.`;
}

/** Put the puzzle up from its first move. */
function restart() {
  if (!puzzle) return;
  at = 0;
  failed = false;
  const step = puzzle.line[0];
  if (!step) return;
  $("explanation").replaceChildren();
  say(task());
  button("again").disabled = true;
  button("solution").disabled = button("next").disabled = button("play-on").disabled = false;
  show(step.fen, { legal: step.legal });
}

/** @param {Move} move */
async function answer(move) {
  const asked = puzzle;
  const step = puzzle?.line[at];
  if (!asked || !step) return;
  if (move.text !== step.move.text) {
    fail(move, step);
    return;
  }
  await show(step.after, { last: step.move, animate: step.move });
  if (!step.reply || !step.reply_after) {
    solved();
    return;
  }
  say("Right. And now?");
  await pause(REPLY_MS);
  if (puzzle !== asked) return;
  at += 1;
  await show(step.reply_after, { last: step.reply, animate: step.reply, legal: puzzle.line[at]?.legal ?? [] });
}

/**
 * @param {Move} move
 * @param {Step} step
 */
function fail(move, step) {
  if (!puzzle) return;
  failed = true;
  keepResult(puzzle.key, "failed");
  const played = move.text === puzzle.played && at === 0 ? " That is what was played in the game." : "";
  say(`${move.text} is not it.${played} Try again, or look at the solution.`);
  button("again").disabled = false;
  show(step.fen, { legal: step.legal });
  drawNumbers();
}

function solved() {
  if (!puzzle) return;
  if (!failed) keepResult(puzzle.key, "solved");
  say(failed ? "Solved, with help." : "Solved!");
  explain();
  button("again").disabled = false;
  button("solution").disabled = true;
  drawNumbers();
}

/** The solution in words and moves. */
function explain() {
  if (!puzzle) return;
  const first = puzzle.line[0];
  if (!first) return;
  const texts = puzzle.line.flatMap((step) => [step.move.text, ...(step.reply ? [step.reply.text] : [])]);
  const line = lineOf(first.fen, texts, (step) => show(step.fen, { last: step.move }));
  const worth = `Worth ${menText(puzzle.score)} to the side to move; the next best move ${menText(puzzle.second)}`;
  const found = puzzle.played === first.move.text;
  $("explanation").replaceChildren(
    make("p", {}, "Solution: ", line),
    make("p", { textContent: `${worth}, every move searched ${puzzle.plies} plies deep.` }),
    make("p", { textContent: `In the game ${puzzle.played} was played${found ? ", too" : ""}.` }),
  );
}

/** @param {number} men */
function menText(men) {
  if (Math.abs(men) >= 6) return men > 0 ? "a won game" : "a lost game";
  return `${signed(men, 1)} men`;
}

function showSolution() {
  if (!puzzle) return;
  failed = true;
  keepResult(puzzle.key, "failed");
  const first = puzzle.line[0];
  if (!first) return;
  say(`The move was ${first.move.text}.`);
  explain();
  button("again").disabled = false;
  button("solution").disabled = true;
  show(first.fen, { arrows: [{ path: first.move.path, kind: "best" }] });
  drawNumbers();
}

function drawNumbers() {
  const progress = loadProgress();
  const buttons = chosen.map((number) => {
    const { difficulty = "", key = "" } = all[number - 1] ?? {};
    const state = progress[key] ?? "";
    const label = `Puzzle ${number}, ${difficulty}${state ? `, ${state}` : ""}`;
    const one = make("button", { className: state, textContent: String(number), "aria-label": label, title: label });
    if (number === puzzle?.number) one.setAttribute("aria-current", "true");
    one.addEventListener("click", () => go(number));
    return one;
  });
  $("numbers").replaceChildren(...buttons);
  const done = chosen.filter(isSolved).length;
  $("progress").textContent = `${done} of ${chosen.length} solved`;
  $("set-title").textContent = chosen.length === all.length ? "All puzzles" : "This set";
}

/** @param {number} number */
function isSolved(number) {
  return loadProgress()[all[number - 1]?.key ?? ""] === "solved";
}

/** The address says which set, and after a slash which puzzle of it. */
function readAddress() {
  const [left = "", right = ""] = location.hash.slice(1).split("/");
  const numbers = readNumbers(left, all.length);
  chosen = numbers.length > 1 || right ? numbers : [];
  if (!chosen.length) chosen = all.map((one) => one.number);
  const wanted = readNumbers(right || (numbers.length === 1 ? left : ""), all.length)[0];
  return wanted ?? chosen.find((number) => !isSolved(number)) ?? chosen[0] ?? 1;
}

/** @param {number} number */
function go(number) {
  const isAll = chosen.length === all.length;
  location.hash = isAll ? String(number) : `${writeNumbers(chosen)}/${number}`;
}

async function open() {
  const number = readAddress();
  try {
    puzzle = await get(`/api/puzzles/${number}`);
  } catch (error) {
    say(messageOf(error));
    return;
  }
  if (!puzzle) return;
  $("title").textContent = `Puzzle ${number}, ${puzzle.difficulty}`;
  $("source").textContent = `This one: ${puzzle.source}.`;
  drawNumbers();
  restart();
}

function next() {
  const place = chosen.indexOf(puzzle?.number ?? 0);
  go(chosen[(place + 1) % chosen.length] ?? 1);
}

mountShell();
button("next").addEventListener("click", next);
button("again").addEventListener("click", restart);
button("solution").addEventListener("click", showSolution);
button("play-on").addEventListener("click", () => fen && playOn(fen));
form("set-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const numbers = readNumbers(input("set-numbers").value, all.length);
  if (!numbers.length) {
    input("set-link").value = "No such numbers.";
    return;
  }
  const address = `#${writeNumbers(numbers)}${numbers.length === 1 ? "/" + numbers[0] : ""}`;
  input("set-link").value = `${location.origin}/puzzles${address}`;
  location.hash = address;
});
window.addEventListener("hashchange", open);
get("/api/puzzles")
  .then((found) => {
    all = found;
    return open();
  })
  .catch((error) => say(messageOf(error)));
