// A run as it grows: curves, family tree, generations against each other, games to replay.

import { get, post } from "./api.js";
import { element } from "./board.js";

const $ = (id) => document.getElementById(id);
const WIDTH = 560, HEIGHT = 190, LEFT = 48, BOTTOM = 26, TOP = 24;
let name = null, run = null, stream = null;

function text(tag, content, className = "") { return Object.assign(document.createElement(tag), { textContent: content, className }); }

function steps(low, high) {
  const size = 10 ** Math.floor(Math.log10((high - low) / 3));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((value) => (high - low) / value <= 5);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) found.push(Number(value.toPrecision(6)));
  return found;
}

// Lines over generations; a line may have a band around it.
function chart(title, lines, { least = null, most = null, level = null, format = (value) => value } = {}) {
  const points = lines.flatMap((line) => line.points);
  if (!points.length) return null;
  const last = Math.max(...points.map((point) => point.x), 1);
  const values = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  let low = least ?? Math.min(...values), high = most ?? Math.max(...values);
  if (high - low < 1e-9) [low, high] = [low - 0.5, high + 0.5];
  const x = (at) => LEFT + ((WIDTH - LEFT - 8) * at) / last, y = (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - low)) / (high - low);
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" }, element("title", {}, title), element("text", { x: LEFT, y: 14, class: "chart-title" }, title));
  for (const value of steps(low, high)) svg.append(element("line", { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: "graph-axis" }), element("text", { x: LEFT - 6, y: y(value) + 4, class: "graph-text", "text-anchor": "end" }, String(format(value))));
  for (const at of steps(0, last)) svg.append(element("text", { x: x(at), y: HEIGHT - 8, class: "graph-text", "text-anchor": "middle" }, String(at)));
  if (level !== null) svg.append(element("line", { x1: LEFT, x2: WIDTH - 8, y1: y(level), y2: y(level), class: "graph-level" }));
  lines.forEach((line, i) => {
    if (line.points.some((point) => point.low !== undefined)) {
      const upper = line.points.map((point) => `${x(point.x)},${y(point.high)}`), lower = line.points.map((point) => `${x(point.x)},${y(point.low)}`).reverse();
      svg.append(element("polygon", { points: [...upper, ...lower].join(" "), class: "graph-band" }));
    }
    svg.append(element("polyline", { points: line.points.map((point) => `${x(point.x)},${y(point.y)}`).join(" "), class: `graph-line line-${i}` }));
    if (line.points.length < 60) for (const point of line.points) svg.append(element("circle", { cx: x(point.x), cy: y(point.y), r: 2.5, class: `graph-dot line-${i}` }, element("title", {}, point.says ?? `generation ${point.x}: ${format(point.y)}`)));
    if (lines.length > 1) svg.append(element("text", { x: WIDTH - 10, y: 14 + 13 * i, class: `graph-text line-text-${i}`, "text-anchor": "end" }, `${i ? "- -" : "—"} ${line.name}`));
  });
  return svg;
}

function series(key) { return run.curve.filter((row) => row[key] !== null).map((row) => ({ x: row.number, y: row[key] })); }

function percent(value) { return `${Math.round(100 * value)}%`; }

function drawCharts() {
  const strength = run.strengths.map((row) => ({ x: row.generation, y: row.share, low: row.low, high: row.high, says: `generation ${row.generation}: ${row.wins}-${row.draws}-${row.losses}, ${percent(row.share)}` }));
  const charts = [
    chart("Points against piece counting, with 95% interval", [{ name: "share", points: strength }], { least: 0, most: 1, level: 0.5, format: percent }),
    chart("Scores", run.curve.some((row) => row.score !== row.score_best) ? [{ name: "best", points: series("score_best") }, { name: "mean", points: series("score") }] : [{ name: "score", points: series("score") }]),
    chart("Drawn games", [{ name: "drawn", points: series("drawn") }], { least: 0, most: 1, format: percent }),
    chart("Plies a game", [{ name: "plies", points: series("plies") }]),
    chart("K, what a king counts", [{ name: "K", points: series("king_value") }]),
    chart("Mean step size", [{ name: "step size", points: series("step_size") }]),
  ].filter(Boolean);
  $("charts").replaceChildren(...charts);
}

function drawTree() {
  if (!run.tree) { $("tree").replaceChildren(text("p", "This scheme breeds one network, or its tree is too large to draw.", "small")); return; }
  const { members, parents, line } = run.tree;
  const last = Math.max(...members.map((one) => one.born), 1), most = Math.max(...members.map((one) => one.height), 1);
  const x = (one) => 10 + (380 * one.born) / last, y = (one) => 10 + (200 * one.height) / most;
  const known = new Map(members.map((one) => [one.id, one])), mine = new Set(line);
  const svg = element("svg", { viewBox: "0 0 400 230", class: "chart", role: "img" }, element("title", {}, "Family tree"));
  for (const [child, parent] of Object.entries(parents)) {
    const a = known.get(parent), b = known.get(Number(child));
    svg.append(element("polyline", { points: `${x(a)},${y(a)} ${x(a)},${y(b)} ${x(b)},${y(b)}`, class: mine.has(Number(child)) ? "tree-line best" : "tree-line" }));
  }
  svg.append(element("text", { x: 10, y: 226, class: "graph-text" }, "generation 1"), element("text", { x: 390, y: 226, class: "graph-text", "text-anchor": "end" }, `generation ${last}`));
  $("tree").replaceChildren(svg, text("p", `The thick line leads to the best one, through ${line.length} ancestors.`, "small"));
}

function drawSettings() {
  $("settings").replaceChildren(...Object.entries(run.settings).flatMap(([key, value]) => [text("dt", key), text("dd", value)]));
}

async function refresh() {
  try {
    run = await get(`/api/runs/${encodeURIComponent(name)}`);
  } catch (error) { $("status").textContent = error.message; return; }
  const done = run.generation >= run.generations;
  $("status").textContent = `${run.preset}, seed ${run.seed}: generation ${run.generation} of ${run.generations}${done ? ", finished" : ""}. Digest ${run.digest}.`;
  $("generation").max = run.generation;
  if (!$("generation").value || followsLast) $("generation").value = run.generation;
  linkNetwork();
  drawCharts();
  drawTree();
  drawSettings();
}

// The network to play is that of the chosen generation.
let followsLast = true;
function linkNetwork() {
  const generation = Math.max(0, Math.min(Math.round(Number($("generation").value) || 0), run.generation));
  $("play-this").href = `/?player=${encodeURIComponent(`run:${name}#${generation}`)}`;
  $("play-this").textContent = `Play the best network of generation ${generation}`;
}
$("generation").addEventListener("input", () => { followsLast = false; linkNetwork(); });

async function follow(chosen) {
  name = chosen;
  location.hash = encodeURIComponent(name);
  $("matrix").replaceChildren();
  $("games").replaceChildren();
  $("generation").value = "";
  followsLast = true;
  stream?.close();
  await refresh();
  listen();
}

// Follow a run that grows, while somebody looks: a browser grants a site few connections.
function listen() {
  stream?.close();
  stream = null;
  if (!run || document.hidden || run.generation >= run.generations) return;
  let told = run.generation, measured = run.strengths.length;
  stream = new EventSource(`/api/runs/${encodeURIComponent(name)}/events`);
  stream.onmessage = async (event) => {
    const now = JSON.parse(event.data);
    if (now.generation === told && now.measurements === measured) return;
    [told, measured] = [now.generation, now.measurements];
    await refresh();
    if (run.generation >= run.generations) setTimeout(() => { refresh(); listen(); }, 3000);
  };
}
document.addEventListener("visibilitychange", () => { if (name) refresh().then(listen); });

$("run").addEventListener("change", () => follow($("run").value));
$("matrix-button").addEventListener("click", async () => {
  $("matrix").replaceChildren(text("p", "Playing…", "small"));
  try {
    const asked = name;
    const { generations, shares, plies } = await get(`/api/runs/${encodeURIComponent(asked)}/matrix`);
    if (asked !== name) return;
    const table = document.createElement("table");
    table.append(row("th", ["", ...generations]));
    shares.forEach((values, i) => {
      const line = row("td", values.map((share) => (share === null ? "" : percent(share))));
      line.prepend(Object.assign(text("th", String(generations[i])), { scope: "row" }));
      table.append(line);
    });
    $("matrix").replaceChildren(text("p", `Points of the row's generation against the column's, 14 games each, ${plies} plies deep.`, "small"), table);
  } catch (error) { $("matrix").replaceChildren(text("p", error.message, "fault")); }
});
function row(tag, cells) {
  const made = document.createElement("tr");
  made.append(...cells.map((cell) => text(tag, String(cell))));
  return made;
}
$("games-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const generation = Number($("generation").value);
  if (generation < 1) { $("games").replaceChildren(text("li", "The first generation that plays games is 1.")); return; }
  try {
    const games = await get(`/api/runs/${encodeURIComponent(name)}/games/${generation}`);
    $("games").replaceChildren(...games.slice(0, 200).map((game) => {
      const item = text("li", `${game.black} – ${game.white}: ${game.result}, ${game.plies} plies `);
      if (game.moves) {
        const button = text("button", "Replay");
        button.addEventListener("click", () => replay(generation, game.number));
        item.append(button);
      }
      return item;
    }));
  } catch (error) { $("games").replaceChildren(text("li", error.message, "fault")); }
});
async function replay(generation, number) {
  const response = await fetch(`/api/runs/${encodeURIComponent(name)}/games/${generation}/${number}/pdn`);
  const game = await post("/api/games", { black: { player: "human" }, white: { player: "human" }, pdn: await response.text() });
  location.href = `/#${game.id}`;
}

async function begin() {
  const runs = await get("/api/runs");
  if (!runs.length) { $("status").textContent = "No runs yet: evocheckers evolve es makes one."; return; }
  $("run").replaceChildren(...runs.map((item) => new Option(item.fault ? `${item.name} (cannot be read)` : `${item.name}: ${item.preset}, ${item.generation} of ${item.generations}`, item.name)));
  const wanted = decodeURIComponent(location.hash.slice(1));
  const chosen = runs.find((item) => item.name === wanted) ?? runs.find((item) => !item.fault) ?? runs[0];
  $("run").value = chosen.name;
  await follow(chosen.name);
}
begin();
