// Pieces, and the marks around them: rings, targets, arrows, what pieces are worth; and a piece as the sign of a side.

import { element, make } from "../common/dom.js";
import { signed } from "../common/value-text.js";
import { sideName } from "./fen.js";
import { centreOf } from "./geometry.js";

/** @import { Side } from "../common/types.js" */
/** @typedef {{path: number[], kind: "hint" | "threat" | "premove" | "best"}} Arrow */

/**
 * An arrow along a move, from the middle of its first square to short of the middle of its last.
 * @param {Arrow} arrow
 * @param {boolean} flipped
 */
export function drawArrow({ path, kind }, flipped) {
  const points = path.map((square) => centreOf(square, flipped));
  const end = points.at(-1);
  const before = points.at(-2);
  if (!end || !before) return element("g");
  const length = Math.hypot(end.x - before.x, end.y - before.y);
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const tip = { x: end.x - 8 * dx, y: end.y - 8 * dy };
  const neck = { x: tip.x - 34 * dx, y: tip.y - 34 * dy };
  const shaft = [...points.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(" ");
  const head = [tip, { x: neck.x - 22 * dy, y: neck.y + 22 * dx }, { x: neck.x + 22 * dy, y: neck.y - 22 * dx }];
  return element(
    "g",
    { class: `arrow ${kind}` },
    element("polyline", { points: shaft }),
    element("polygon", { points: head.map(({ x, y }) => `${x},${y}`).join(" ") }),
  );
}

/**
 * @param {number} square
 * @param {boolean} flipped
 * @param {"movable" | "selected" | "target"} kind
 */
export function drawRing(square, flipped, kind) {
  const { x, y } = centreOf(square, flipped);
  const radius = { movable: 41, selected: 41, target: 16 }[kind];
  return element("circle", { cx: x, cy: y, r: radius, class: kind });
}

/**
 * What a piece is worth to a network.
 * @param {number} square
 * @param {number} value
 * @param {boolean} flipped
 */
export function drawWorth(square, value, flipped) {
  const { x, y } = centreOf(square, flipped);
  return element("text", { x, y: y + 8, class: "worth" }, signed(value, 2));
}

const CROWN = "M-20 12 L-25 -14 L-9 -2 L0 -20 L9 -2 L25 -14 L20 12 Z";

/**
 * @param {string} kind b, w, or large for kings
 * @param {{x: number, y: number}} at
 */
export function drawPiece(kind, { x, y }) {
  const piece = element(
    "g",
    { class: `piece ${kind.toLowerCase() === "b" ? "black" : "white"}`, transform: `translate(${x} ${y})` },
    element("circle", { r: 36, cy: 3, class: "shadow" }),
    element("circle", { r: 36 }),
    element("circle", { r: 26, class: "ring" }),
  );
  if (kind !== kind.toLowerCase()) piece.append(element("path", { d: CROWN, class: "crown" }));
  return piece;
}

/**
 * A side's sign, and who plays it; who has no name is the side alone.
 * @param {Side} side
 * @param {string} title
 */
export function seatLabel(side, title) {
  const sign = element("svg", { viewBox: "-40 -40 80 80", class: "disk", "aria-hidden": "true" });
  sign.append(drawPiece(side.charAt(0), { x: 0, y: 0 }));
  const color = sideName(side);
  const name = make("span", { className: "name" }, title === color ? color : `${color}: ${title}`);
  return { sign, name };
}
