// Why a piece may not move, or not there: in one sentence, for who is learning the rules.

import { readFen, sideName, sideOf } from "./fen.js";
import { placeOf, reachOf } from "./geometry.js";

/** @import { Position } from "../common/types.js" */

/**
 * @param {Pick<Position, "fen" | "turn" | "legal" | "must_capture">} game in which a person is to move
 * @param {number} square that was chosen
 * @param {number | null} from the piece that was to go there, if one was selected
 */
export function whyNot(game, square, from) {
  const pieces = readFen(game.fen);
  const piece = pieces.get(from ?? square);
  if (piece === undefined) return "";
  const side = sideOf(piece);
  if (side && side !== game.turn) return `That piece is ${sideName(side)}’s.`;
  const starts = [...new Set(game.legal.map((move) => move.path[0] ?? 0))];
  if (from === null || sideOf(pieces.get(square)) === game.turn) {
    const own = pieces.get(square) ?? piece;
    if (sideOf(own) !== game.turn || starts.includes(square)) return "";
    if (game.must_capture) return `You must capture: ${squares(starts)} can.`;
    return isBlocked(pieces, square, own) ? `The piece on ${square} is blocked.` : "";
  }
  if (game.must_capture) return `You must capture: ${wayOf(game, from)}.`;
  const isMan = piece === piece.toLowerCase();
  const ahead = (placeOf(square).row - placeOf(from).row) * (piece.toLowerCase() === "b" ? 1 : -1);
  if (isMan && ahead < 0) return "Men only go forward; a king may go back.";
  if (pieces.has(square)) return `Square ${square} is occupied.`;
  return "A piece goes one square diagonally, or jumps over an opposing one.";
}

/**
 * @param {Pick<Position, "legal">} game
 * @param {number} from
 */
function wayOf(game, from) {
  return game.legal.find((move) => move.path[0] === from)?.text ?? game.legal[0]?.text ?? "";
}

/** @param {number[]} starts */
function squares(starts) {
  return starts.length === 1 ? `the piece on ${starts[0]}` : `the pieces on ${starts.join(", ")}`;
}

/**
 * @param {Map<number, string>} pieces
 * @param {number} square
 * @param {string} piece
 */
function isBlocked(pieces, square, piece) {
  return reachOf(square, piece).every(({ to }) => pieces.has(to));
}
