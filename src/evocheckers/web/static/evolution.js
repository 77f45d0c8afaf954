// A run as it grows: curves, family tree, generations against each other, games to replay.

import { get, messageOf, post } from "./api.js";
import { chart } from "./chart.js";
import { $, form, input, make, select } from "./dom.js";
import { mountShell } from "./shell.js";
import { drawTree } from "./tree.js";

/** @import { Tree } from "./tree.js" */

/** @typedef {{number: number} & Record<string, number | null>} CurveRow */
/** @typedef {{generation: number, share: number, low: number, high: number, wins: number, draws: number, losses: number}} Strength */
/**
 * @typedef {object} RunModel
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
/** @typedef {{number: number, black: string, white: string, result: string, plies: number, moves: boolean}} RecordedGame */

const MOST_GAMES = 200;
let name = "";
/** @type {RunModel | null} */
let run = null;
/** @type {EventSource | null} */
let stream = null;
/** Whether the chosen generation is the last one, while the run grows. */
let followsLast = true;

const path = () => `/api/runs/${encodeURIComponent(name)}`;

/** @param {number} value */
const percent = (value) => `${Math.round(100 * value)}%`;

/** @param {RunModel} shown */
function drawCharts({ curve, strengths }) {
  /** @param {string} key */
  const series = (key) =>
    curve.filter((row) => row[key] !== null).map((row) => ({ x: row.number, y: Number(row[key]) }));
  const strength = strengths.map((row) => ({
    x: row.generation,
    y: row.share,
    low: row.low,
    high: row.high,
    says: `generation ${row.generation}: ${row.wins}-${row.draws}-${row.losses}, ${percent(row.share)}`,
  }));
  const isSpread = curve.some((row) => row["score"] !== row["score_best"]);
  const best = { name: "best", points: series("score_best") };
  const charts = [
    chart("Points against piece counting, with 95% interval", [{ name: "share", points: strength }], {
      least: 0,
      most: 1,
      level: 0.5,
      format: percent,
    }),
    chart("Scores", isSpread ? [best, { name: "mean", points: series("score") }] : [best]),
    chart("Drawn games", [{ name: "drawn", points: series("drawn") }], { least: 0, most: 1, format: percent }),
    chart("Plies a game", [{ name: "plies", points: series("plies") }]),
    chart("K, what a king counts", [{ name: "K", points: series("king_value") }]),
    chart("Mean step size", [{ name: "step size", points: series("step_size") }]),
  ];
  $("charts").replaceChildren(...charts.filter((made) => made !== null));
}

/** @param {RunModel} shown */
function showTree({ tree }) {
  if (!tree) {
    const text = "This scheme breeds one network, or its tree is too large to draw.";
    $("tree").replaceChildren(make("p", { className: "small", textContent: text }));
    return;
  }
  const text = `The thick line leads to the best one, through ${tree.line.length} ancestors.`;
  $("tree").replaceChildren(drawTree(tree), make("p", { className: "small", textContent: text }));
}

async function refresh() {
  try {
    run = await get(path());
  } catch (error) {
    $("status").textContent = messageOf(error);
    return;
  }
  if (!run) return;
  const { preset, seed, generation, generations, digest, settings } = run;
  const done = generation >= generations ? ", finished" : "";
  $("status").textContent =
    `${preset}, seed ${seed}: generation ${generation} of ${generations}${done}. Digest ${digest}.`;
  input("generation").max = String(generation);
  if (!input("generation").value || followsLast) input("generation").value = String(generation);
  linkNetwork();
  drawCharts(run);
  showTree(run);
  const facts = Object.entries(settings).flatMap(([key, value]) => [
    make("dt", { textContent: key }),
    make("dd", { textContent: value }),
  ]);
  $("settings").replaceChildren(...facts);
}

/** The network to play is that of the chosen generation. */
function linkNetwork() {
  const wanted = Math.round(Number(input("generation").value) || 0);
  const generation = Math.max(0, Math.min(wanted, run?.generation ?? 0));
  $("play-this").setAttribute("href", `/?player=${encodeURIComponent(`run:${name}#${generation}`)}`);
  $("play-this").textContent = `Play the best network of generation ${generation}`;
}

/** @param {string} chosen */
async function follow(chosen) {
  name = chosen;
  location.hash = encodeURIComponent(name);
  $("matrix").replaceChildren();
  $("games").replaceChildren();
  input("generation").value = "";
  followsLast = true;
  stream?.close();
  await refresh();
  listen();
}

/** Follow a run that grows, while somebody looks: a browser grants a site few connections. */
function listen() {
  stream?.close();
  stream = null;
  if (!run || document.hidden || run.generation >= run.generations) return;
  let told = run.generation;
  let measured = run.strengths.length;
  stream = new EventSource(`${path()}/events`);
  stream.onmessage = async (event) => {
    const now = JSON.parse(event.data);
    if (now.generation === told && now.measurements === measured) return;
    [told, measured] = [now.generation, now.measurements];
    await refresh();
    if (run && run.generation >= run.generations) setTimeout(() => refresh().then(listen), 3000);
  };
}

async function showMatrix() {
  $("matrix").replaceChildren(make("p", { className: "small", textContent: "Playing…" }));
  const asked = name;
  try {
    /** @type {{generations: number[], shares: (number | null)[][], plies: number}} */
    const { generations, shares, plies } = await get(`${path()}/matrix`);
    if (asked !== name) return;
    const head = ["", ...generations].map((cell) => make("th", { textContent: String(cell) }));
    const rows = shares.map((values, i) => {
      const cells = values.map((share) => make("td", { textContent: share === null ? "" : percent(share) }));
      return make("tr", {}, make("th", { textContent: String(generations[i]), scope: "row" }), ...cells);
    });
    const text = `Points of the row's generation against the column's, 14 games each, ${plies} plies deep.`;
    const table = make("table", {}, make("tr", {}, ...head), ...rows);
    $("matrix").replaceChildren(make("p", { className: "small", textContent: text }), table);
  } catch (error) {
    $("matrix").replaceChildren(make("p", { className: "fault", textContent: messageOf(error) }));
  }
}

async function showGames() {
  const generation = Number(input("generation").value);
  if (generation < 1) {
    $("games").replaceChildren(make("li", { textContent: "The first generation that plays games is 1." }));
    return;
  }
  try {
    /** @type {RecordedGame[]} */
    const games = await get(`${path()}/games/${generation}`);
    const items = games.slice(0, MOST_GAMES).map(({ number, black, white, result, plies, moves }) => {
      const item = make("li", { textContent: `${black} – ${white}: ${result}, ${plies} plies ` });
      if (moves) {
        const button = make("button", { textContent: "Replay" });
        button.addEventListener("click", () => replay(generation, number));
        item.append(button);
      }
      return item;
    });
    $("games").replaceChildren(...items);
  } catch (error) {
    $("games").replaceChildren(make("li", { className: "fault", textContent: messageOf(error) }));
  }
}

/**
 * @param {number} generation
 * @param {number} number
 */
async function replay(generation, number) {
  const response = await fetch(`${path()}/games/${generation}/${number}/pdn`);
  const human = { player: "human" };
  const game = await post("/api/games", { black: human, white: human, pdn: await response.text() });
  location.href = `/#${game.id}`;
}

async function begin() {
  /** @type {{name: string, fault?: string, preset: string, generation: number, generations: number}[]} */
  const runs = await get("/api/runs");
  const [first] = runs;
  if (!first) {
    $("status").textContent = "No runs yet: evocheckers evolve es makes one.";
    return;
  }
  const options = runs.map((item) => {
    const about = item.fault ? "(cannot be read)" : `${item.preset}, ${item.generation} of ${item.generations}`;
    return new Option(`${item.name}: ${about}`, item.name);
  });
  select("run").replaceChildren(...options);
  const wanted = decodeURIComponent(location.hash.slice(1));
  const chosen = runs.find((item) => item.name === wanted) ?? runs.find((item) => !item.fault) ?? first;
  select("run").value = chosen.name;
  await follow(chosen.name);
}

mountShell();
input("generation").addEventListener("input", () => {
  followsLast = false;
  linkNetwork();
});
document.addEventListener("visibilitychange", () => name && refresh().then(listen));
select("run").addEventListener("change", () => follow(select("run").value));
$("matrix-button").addEventListener("click", showMatrix);
form("games-form").addEventListener("submit", (event) => {
  event.preventDefault();
  showGames();
});
begin();
