// The page Learn: the rules on a board that answers, how the network sees, how evolution found it.

import { messageOf, post } from "../common/api.js";
import { BoardView } from "../board/board.js";
import { $, drawing, make, pause } from "../common/dom.js";
import { afterMove } from "../board/fen.js";
import { mountNodes } from "./nodes.js";
import { mountStory } from "./story.js";
import { LESSONS } from "./lessons.js";
import { mountShell } from "../common/shell.js";
import { whyNot } from "../board/illegal-move.js";

/** @import { Move, Position } from "../common/types.js" */

const SHOW_MS = 1600;
let number = 0;
/** @type {Position | null} */
let position = null;

const board = new BoardView(drawing("board"), {
  onMove: (move) => play(move),
  onRefused: (square, from) => position && say(whyNot(position, square, from)),
});
const buttons = LESSONS.map((lesson, i) => {
  const button = make("button", { textContent: `${i + 1}. ${lesson.name}` });
  button.addEventListener("click", () => begin(i));
  return button;
});

/** @param {string} text */
function say(text, isGood = false) {
  $("lesson-message").textContent = text;
  $("lesson-message").classList.toggle("good", isGood);
}

/** @param {number} which */
async function begin(which) {
  number = which;
  const lesson = LESSONS[number];
  if (!lesson) return;
  $("lesson-title").textContent = lesson.name;
  $("lesson-text").textContent = lesson.text;
  buttons.forEach((button, i) =>
    i === number ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"),
  );
  $("lesson-next").textContent = number + 1 < LESSONS.length ? "Next" : "Play a game";
  say("");
  try {
    position = await post("/api/position", { fen: lesson.fen });
    if (position && number === which) await board.show({ fen: position.fen, legal: position.legal, flipped: true });
  } catch (error) {
    say(messageOf(error));
  }
}

/** @param {Move} move */
async function play(move) {
  const lesson = LESSONS[number];
  const before = position;
  const which = number;
  if (!lesson || !before) return;
  position = null;
  await board.show({ fen: afterMove(before.fen, move), last: move, animate: move, flipped: true });
  try {
    /** @type {Position} */
    const after = await post("/api/position", { fen: before.fen, move: move.text });
    if (number !== which) return;
    if (lesson.isDone(move, after)) {
      say(lesson.done, true);
      buttons[which]?.classList.add("done");
      return;
    }
    say(lesson.not ?? "That is allowed, but not what is asked for here.");
    await pause(SHOW_MS);
  } catch (error) {
    say(messageOf(error));
  }
  if (number !== which || position) return;
  position = before;
  await board.show({ fen: before.fen, legal: before.legal, flipped: true });
}

mountShell();
$("lessons").append(...buttons.map((button) => make("li", {}, button)));
$("lesson-again").addEventListener("click", () => begin(number));
$("lesson-next").addEventListener("click", () => {
  if (number + 1 < LESSONS.length) begin(number + 1);
  else location.href = "/";
});
begin(0);
mountNodes();
mountStory();
