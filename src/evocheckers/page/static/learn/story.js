// How the papers' network learnt, and how far it had come when: the numbers of docs/experiments/self-play-220.md.

import { chart } from "../common/chart.js";
import { $, make } from "../common/dom.js";

const STEPS = [
  "It begins with 5046 random numbers: a network that can count pieces, which are wired to its output, and knows no more.",
  "Copies of it, each a little different, play thousands of games against each other. " +
    "They know the rules and, at the end, who won.",
  "Every position of those games is labelled with how its game ended, and the numbers move a little towards that.",
  "What was learnt is inherited: the next generation begins where this one stopped, " +
    "and plays better games to learn from.",
  "After 220 generations and three million games it is the network shown above. " +
    "A king was worth two men to it at first; it learnt 1.42.",
  "The champion that you play here learnt from 1.8 million games, and from what it made of later positions in them. " +
    "Its network sees men and kings apart, over the whole board, and beats this one at equal depth.",
];
/** Won, drawn and lost against piece counting at 4 plies, by generation. @type {[number, number, number, number][]} */
const PROGRESS = [
  [0, 23, 51, 12],
  [20, 55, 28, 3],
  [40, 64, 22, 0],
  [80, 64, 22, 0],
  [120, 64, 22, 0],
  [160, 73, 12, 1],
  [220, 67, 18, 1],
];

export function mountStory() {
  $("story").append(...STEPS.map((text) => make("li", { textContent: text })));
  const points = PROGRESS.map(([x, wins, draws, losses]) => ({
    x,
    y: (wins + draws / 2) / (wins + draws + losses),
    says: `generation ${x}: ${wins} won, ${draws} drawn, ${losses} lost`,
  }));
  const percent = (/** @type {number} */ value) => `${Math.round(100 * value)}%`;
  const made = chart({
    title: "Share of the points by generation",
    about: "Against a player that counts pieces, both looking 4 plies ahead. At the dashed line they are equals.",
    lines: [{ name: "self-play-220", points }],
    least: 0,
    most: 1,
    level: 0.5,
    format: percent,
  });
  if (made) $("progress").append(made);
}
