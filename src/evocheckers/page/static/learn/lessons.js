// The lessons: a position, what to do in it, and what has been learnt then.

import { START } from "../board/fen.js";

/** @import { Move, Position } from "../common/types.js" */

/**
 * @typedef {object} Lesson
 * @property {string} name
 * @property {string} text
 * @property {string} fen Black, below, is to move
 * @property {(move: Move, after: Position) => boolean} isDone whether a move is what the lesson asks for
 * @property {string} done
 * @property {string} [not] said after another move
 */

/** @type {Lesson[]} */
export const LESSONS = [
  {
    name: "Step",
    text:
      "You play Black, from below. A man goes one square diagonally forward, on the dark squares. " +
      "Black begins: step with any man.",
    fen: START,
    isDone: () => true,
    done: "That is a step. The sides take turns.",
  },
  {
    name: "Jump",
    text:
      "A man jumps over an opposing piece beside it, if the square behind is free, and takes it off. " +
      "Take the white man.",
    fen: "B:W18,31:B14,5",
    isDone: (move) => move.captured.length === 1,
    done: "Captured. One piece less to worry about.",
  },
  {
    name: "Many jumps",
    text: "If the same piece can jump again from where it landed, it must go on, in the same move. Take all three.",
    fen: "B:W6,15,24,31:B1,12",
    isDone: (move) => move.captured.length === 3,
    done: "Three in one move.",
  },
  {
    name: "Must jump",
    text:
      "Who can jump must jump. Here only one of your moves is allowed: find it. " +
      "Try the others, and see what the page says.",
    fen: "B:W18,27,30:B15,9,3",
    isDone: (move) => move.captured.length > 0,
    done: "A forced jump. Good players force the other side with it.",
  },
  {
    name: "King",
    text: "A man that reaches the last row becomes a king, and may go back as well as forward. Crown your man.",
    fen: "B:W21,20:B26,3",
    isDone: (_, after) => /:B.*K/.test(after.fen),
    done: "Long live the king. Its move ends there; next time it can go anywhere.",
    not: "Go to the last row with the man that is nearest.",
  },
  {
    name: "Win",
    text: "Who has no move left, because all pieces are captured or blocked, loses. Win with your next move.",
    fen: "B:W29:BK21,22",
    isDone: (_, after) => after.ending?.winner === "black",
    done: "You win. That is all there is to know; the rest is practice.",
    not: "White can still move. Look again.",
  },
];
