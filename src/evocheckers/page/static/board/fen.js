// Positions as text, and what a move makes of them.

import { placeOf } from "./geometry.js";

/** @import { Side } from "../common/types.js" */
/** @typedef {Map<number, string>} Pieces  by square: "b", "w", and large letters for kings */

export const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

/**
 * @param {string} fen
 * @returns {Pieces}
 */
export function readFen(fen) {
  const pieces = new Map();
  const fields = fen
    .replace(/\.\s*$/, "")
    .split(":")
    .slice(1);
  for (const field of fields) {
    const side = field.trim().charAt(0).toLowerCase();
    for (const item of field.trim().slice(1).split(",").filter(Boolean)) {
      const king = /^k/i.test(item);
      const [first = 0, last] = item.replace(/^k/i, "").split("-").map(Number);
      for (let square = first; square <= (last || first); ++square) {
        pieces.set(square, king ? side.toUpperCase() : side);
      }
    }
  }
  return pieces;
}

/**
 * @param {Pieces} pieces
 * @param {string} turn B or W
 */
export function writeFen(pieces, turn) {
  /** @param {string} side */
  const list = (side) =>
    [...pieces]
      .filter(([, piece]) => piece.toLowerCase() === side)
      .sort(([a], [b]) => a - b)
      .map(([square, piece]) => (piece === side ? "" : "K") + square)
      .join(",");
  return `${turn}:W${list("w")}:B${list("b")}`;
}

/**
 * Whose piece it is.
 * @param {string | undefined} piece
 * @returns {Side | null}
 */
export function sideOf(piece) {
  return piece === undefined ? null : piece.toLowerCase() === "b" ? "black" : "white";
}

/** @param {Side} side */
export function sideName(side) {
  return side === "black" ? "Black" : "White";
}

/**
 * The position after a move that the server offered.
 * @param {string} fen
 * @param {{path: number[], captured: number[]}} move
 */
export function afterMove(fen, move) {
  const pieces = readFen(fen);
  const [from = 0] = move.path;
  const to = move.path.at(-1) ?? from;
  let piece = pieces.get(from) ?? "b";
  pieces.delete(from);
  for (const square of move.captured) pieces.delete(square);
  if (placeOf(to).row === (piece === "b" ? 7 : 0)) piece = piece.toUpperCase();
  pieces.set(to, piece);
  return writeFen(pieces, fen.charAt(0) === "B" ? "W" : "B");
}
