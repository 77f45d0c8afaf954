// The curves of one run or of several over each other, and what they mean.

import { chart } from "../common/chart.js";

/** @import { Tree } from "./family-tree.js" */
/** @import { Line } from "../common/chart.js" */

/** @typedef {{number: number} & Record<string, number | null>} CurveRow */
/** @typedef {{generation: number, share: number, low: number, high: number}} Strength */
/**
 * @typedef {object} Run
 * @property {string} name
 * @property {string} preset
 * @property {number} seed
 * @property {number} generation
 * @property {number} generations
 * @property {string} digest
 * @property {CurveRow[]} curve
 * @property {Strength[]} strengths
 * @property {Tree | null} tree
 * @property {Record<string, string>} settings
 */

/** @param {number} value */
export const percent = (value) => `${Math.round(100 * value)}%`;

/** @type {{key: string, title: string, about: string, share?: boolean}[]} */
const CURVES = [
  {
    key: "score_best",
    title: "The best network's points",
    about: "In every generation networks play each other. These are the points of the one that scored most.",
  },
  {
    key: "score",
    title: "Points on average",
    about: "The mean over all networks of a generation. It need not rise: as players improve, so do their opponents.",
  },
  {
    key: "drawn",
    title: "Drawn games",
    about: "Beginners blunder and win by accident; players of equal strength who make few mistakes draw more often.",
    share: true,
  },
  {
    key: "plies",
    title: "Moves in a game",
    about:
      "Both sides' moves together, on average. Games grow longer when nobody gives pieces away, and shorter when " +
      "networks learn to finish.",
  },
  {
    key: "king_value",
    title: "What a king is worth (K)",
    about:
      "What a king is worth to the network, in men. It starts at the run's first K and changes like all other numbers.",
  },
  {
    key: "step_size",
    title: "Size of the changes",
    about: "How far children differ from their parents; for learners, the learning rate. Small steps polish.",
  },
];

/**
 * @param {Run[]} runs
 * @returns {HTMLElement[]}
 */
export function curvesOf(runs) {
  /** @type {Line[]} */
  const strength = runs.map(({ name, strengths }) => ({
    name,
    points: strengths.map(({ generation, share, low, high }) => ({ x: generation, y: share, low, high })),
  }));
  const charts = [
    chart({
      title: "Strength against a player that counts pieces",
      about:
        "The share of the points that the best network wins from a player that only counts men and kings. Above the " +
        "dashed line it knows more than counting. The band says how far chance may have moved the result.",
      lines: strength,
      least: 0,
      most: 1,
      level: 0.5,
      format: percent,
    }),
    ...CURVES.map(({ key, title, about, share = false }) => {
      const lines = runs.map(({ name, curve }) => ({
        name,
        points: curve.filter((row) => row[key] !== null).map((row) => ({ x: row.number, y: Number(row[key]) })),
      }));
      const values = new Set(lines.flatMap((line) => line.points.map((point) => point.y)));
      if (values.size === 1 && values.has(0)) return null; // this scheme has no such number
      return chart({ title, about, lines, ...(share ? { least: 0, most: 1, format: percent } : {}) });
    }),
  ];
  return charts.filter((made) => made !== null);
}
