// Lines over generations, with axes, values to hover over, and bands for intervals.

import { element } from "./dom.js";

/** @typedef {{x: number, y: number, low?: number, high?: number, says?: string}} Point */
/** @typedef {{name: string, points: Point[]}} Line */
/**
 * @typedef {object} ChartOptions
 * @property {number | null} [least] the lowest value shown; by default that of the points
 * @property {number | null} [most]
 * @property {number | null} [level] a dashed line at this value
 * @property {(value: number) => string} [format]
 */

const WIDTH = 560;
const HEIGHT = 190;
const LEFT = 48;
const RIGHT = 8;
const BOTTOM = 26;
const TOP = 24;
const FEW = 60;

/**
 * Round numbers between two.
 * @param {number} low
 * @param {number} high
 */
function steps(low, high) {
  const size = 10 ** Math.floor(Math.log10((high - low) / 3));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((value) => (high - low) / value <= 5) ?? size;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) {
    found.push(Number(value.toPrecision(6)));
  }
  return found;
}

/**
 * @param {string} title
 * @param {Line[]} lines
 * @param {ChartOptions} options
 * @returns {SVGElement | null} nothing without points
 */
export function chart(title, lines, { least = null, most = null, level = null, format = String } = {}) {
  const points = lines.flatMap((line) => line.points);
  if (!points.length) return null;
  const last = Math.max(...points.map((point) => point.x), 1);
  const values = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  let low = least ?? Math.min(...values);
  let high = most ?? Math.max(...values);
  if (high - low < 1e-9) [low, high] = [low - 0.5, high + 0.5];
  /** @param {number} at */
  const x = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / last;
  /** @param {number} value */
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - low)) / (high - low);
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" });
  svg.append(element("title", {}, title), element("text", { x: LEFT, y: 14, class: "chart-title" }, title));
  for (const value of steps(low, high)) {
    const label = { x: LEFT - 6, y: y(value) + 4, class: "graph-text", "text-anchor": "end" };
    svg.append(
      element("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "graph-axis" }),
      element("text", label, format(value)),
    );
  }
  for (const at of steps(0, last)) {
    svg.append(element("text", { x: x(at), y: HEIGHT - 8, class: "graph-text", "text-anchor": "middle" }, String(at)));
  }
  if (level !== null) {
    svg.append(element("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(level), y2: y(level), class: "graph-level" }));
  }
  lines.forEach((line, i) => {
    svg.append(...drawLine(line, i, x, y, format));
    if (lines.length < 2) return;
    const place = { x: WIDTH - 10, y: 14 + 13 * i, class: "graph-text", "text-anchor": "end" };
    svg.append(element("text", place, `${i ? "- -" : "—"} ${line.name}`));
  });
  return svg;
}

/**
 * @param {Line} line
 * @param {number} number
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {(value: number) => string} format
 */
function drawLine({ points }, number, x, y, format) {
  const drawn = [];
  if (points.some((point) => point.low !== undefined)) {
    const upper = points.map((point) => `${x(point.x)},${y(point.high ?? point.y)}`);
    const lower = points.map((point) => `${x(point.x)},${y(point.low ?? point.y)}`).reverse();
    drawn.push(element("polygon", { points: [...upper, ...lower].join(" "), class: "graph-band" }));
  }
  const along = points.map((point) => `${x(point.x)},${y(point.y)}`).join(" ");
  drawn.push(element("polyline", { points: along, class: `graph-line line-${number}` }));
  if (points.length < FEW) {
    for (const point of points) {
      const says = point.says ?? `generation ${point.x}: ${format(point.y)}`;
      const place = { cx: x(point.x), cy: y(point.y), r: 2.5, class: `graph-dot line-${number}` };
      drawn.push(element("circle", place, element("title", {}, says)));
    }
  }
  return drawn;
}
