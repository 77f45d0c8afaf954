// Curves over generations: axes with names, a band for intervals, and under the pointer the values of every line.

import { element, make } from "./dom.js";

/** @typedef {{x: number, y: number, low?: number, high?: number, says?: string}} Point */
/** @typedef {{name: string, points: Point[]}} Line */
/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} about what it shows, for people who see it for the first time
 * @property {Line[]} lines
 * @property {number | null} [least] the lowest value shown; by default that of the points
 * @property {number | null} [most]
 * @property {number | null} [level] a dashed line at this value
 * @property {(value: number) => string} [format]
 */

const WIDTH = 560;
const HEIGHT = 210;
const LEFT = 52;
const RIGHT = 10;
const BOTTOM = 36;
const TOP = 10;
const FEW = 60;
const STYLES = 6;

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
 * The lowest and the highest value to show.
 * @param {Chart} chart
 * @param {Point[]} points
 */
function range({ least = null, most = null }, points) {
  const values = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const low = least ?? Math.min(...values);
  const high = most ?? Math.max(...values);
  return high - low < 1e-9 ? { low: low - 0.5, high: high + 0.5 } : { low, high };
}

/**
 * @param {Chart} wanted
 * @returns {HTMLElement | null} nothing without points
 */
export function chart(wanted) {
  const { title, about, lines, level = null, format = (value) => String(Number(value.toPrecision(4))) } = wanted;
  const points = lines.flatMap((line) => line.points);
  if (!points.length) return null;
  const last = Math.max(...points.map((point) => point.x), 1);
  const { low, high } = range(wanted, points);
  /** @param {number} at */
  const x = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / last;
  /** @param {number} value */
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - low)) / (high - low);
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary(wanted, format) });
  for (const value of steps(low, high)) {
    const label = { x: LEFT - 6, y: y(value) + 4, class: "graph-text", "text-anchor": "end" };
    svg.append(
      element("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "graph-axis" }),
      element("text", label, format(value)),
    );
  }
  for (const at of steps(0, last)) {
    svg.append(element("text", { x: x(at), y: HEIGHT - 20, class: "graph-text", "text-anchor": "middle" }, String(at)));
  }
  const middle = (LEFT + WIDTH) / 2;
  svg.append(element("text", { x: middle, y: HEIGHT - 5, class: "graph-text", "text-anchor": "middle" }, "generation"));
  if (level !== null) {
    svg.append(element("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(level), y2: y(level), class: "graph-level" }));
  }
  lines.forEach((line, i) => svg.append(...drawLine(line, i % STYLES, x, y)));
  const cursor = element("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "graph-now", visibility: "hidden" });
  svg.append(cursor);
  const says = make("p", { className: "hover small", textContent: summary(wanted, format) });
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * last;
    const near = nearest(points, at);
    cursor.setAttribute("visibility", "visible");
    cursor.setAttribute("x1", String(x(near)));
    cursor.setAttribute("x2", String(x(near)));
    says.textContent = valuesAt(lines, near, format);
  });
  svg.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    says.textContent = summary(wanted, format);
  });
  const head = make("figcaption", {}, make("strong", { textContent: title }), make("p", { textContent: about }));
  return make("figure", { className: "chart" }, head, legend(lines), svg, says);
}

/**
 * @param {Chart} wanted
 * @param {(value: number) => string} format
 */
function summary({ title, lines }, format) {
  const ends = lines.map(({ name, points }) => {
    const end = points.at(-1);
    return end ? `${name} ${format(end.y)} in generation ${end.x}` : "";
  });
  return `${title}: ${ends.filter(Boolean).join("; ")}`;
}

/**
 * @param {Point[]} points
 * @param {number} at
 */
function nearest(points, at) {
  return points.reduce((best, { x }) => (Math.abs(x - at) < Math.abs(best - at) ? x : best), points[0]?.x ?? 0);
}

/**
 * @param {Line[]} lines
 * @param {number} at
 * @param {(value: number) => string} format
 */
function valuesAt(lines, at, format) {
  const texts = lines.map(({ name, points }) => {
    const point = points.find(({ x }) => x === at);
    if (!point) return "";
    if (point.says) return point.says;
    const { low, high } = point;
    const interval = low !== undefined && high !== undefined ? ` (${format(low)} to ${format(high)})` : "";
    return `${name} ${format(point.y)}${interval}`;
  });
  const text = texts.filter(Boolean).join("; ");
  return text.startsWith("generation") ? text : `generation ${at}: ${text}`;
}

/** @param {Line[]} lines */
function legend(lines) {
  const items = lines.map(({ name }, i) => {
    const sign = element("svg", { viewBox: "0 0 24 8", class: "legend-line", "aria-hidden": "true" });
    sign.append(element("line", { x1: 0, x2: 24, y1: 4, y2: 4, class: `graph-line line-${i % STYLES}` }));
    return make("span", {}, sign, name);
  });
  return make("div", { className: "legend" }, ...(lines.length > 1 ? items : []));
}

/**
 * @param {Line} line
 * @param {number} style
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function drawLine({ points }, style, x, y) {
  const drawn = [];
  if (points.some((point) => point.low !== undefined)) {
    const upper = points.map((point) => `${x(point.x)},${y(point.high ?? point.y)}`);
    const lower = points.map((point) => `${x(point.x)},${y(point.low ?? point.y)}`).reverse();
    drawn.push(element("polygon", { points: [...upper, ...lower].join(" "), class: `graph-band line-${style}` }));
  }
  const along = points.map((point) => `${x(point.x)},${y(point.y)}`).join(" ");
  drawn.push(element("polyline", { points: along, class: `graph-line line-${style}` }));
  if (points.length < FEW) {
    for (const point of points) {
      drawn.push(element("circle", { cx: x(point.x), cy: y(point.y), r: 2.5, class: `graph-dot line-${style}` }));
    }
  }
  return drawn;
}
