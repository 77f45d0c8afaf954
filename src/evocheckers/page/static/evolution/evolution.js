// Runs: start them, follow them as they grow, and look into what they became.

import { get, messageOf } from "../common/api.js";
import { RunControl } from "./run-control.js";
import { $, button, form, input, make, select } from "../common/dom.js";
import { showGames, showMatrix, watch } from "./games.js";
import { Generations } from "./generations.js";
import { curvesOf } from "./curves.js";
import { mountShell } from "../common/shell.js";
import { drawTree } from "./family-tree.js";

/** @import { Run } from "./curves.js" */
/** @typedef {{name: string, fault?: string, preset: string, generation: number, generations: number}} RunLine */

const MOST_COMPARED = 5;
const AFTER_END_MS = 3000;

let name = "";
/** @type {Run | null} */
let run = null;
/** @type {Map<string, Run>} the runs whose curves are shown beside it */
const compared = new Map();
/** @type {RunLine[]} */
let known = [];
/** @type {EventSource | null} */
let stream = null;
/** Whether the chosen generation is the last one, while the run grows. */
let followsLast = true;

mountShell();
const views = new Generations();
const control = new RunControl(async (growing) => {
  await list();
  if (growing && growing !== name && growing === control.state?.running) await awaitRun(growing);
  else await refresh().then(listen);
});

/** @param {string} of */
const pathOf = (of) => `/api/runs/${encodeURIComponent(of)}`;

function drawCurves() {
  if (run) $("charts").replaceChildren(...curvesOf([run, ...compared.values()]));
}

/** @param {Run} shown */
function showTree({ tree }) {
  if (!tree) {
    const text = "This scheme has one network, or its tree is too large to show.";
    $("tree").replaceChildren(make("p", { className: "small", textContent: text }));
    return;
  }
  const about = `The thick line leads to the best one, through ${tree.line.length} ancestors. `;
  $("tree").replaceChildren(
    drawTree(tree, ({ id, born }) => showGames($("games"), name, born, id)),
    make("p", { className: "small", textContent: `${about}Click a network to see its first games.` }),
  );
}

async function refresh() {
  if (!name) return;
  const asked = name;
  try {
    const found = await get(pathOf(asked));
    if (asked !== name) return;
    run = found;
  } catch (error) {
    $("status").textContent = messageOf(error);
    return;
  }
  if (!run) return;
  const { preset, seed, generation, generations, digest, settings } = run;
  const done = generation >= generations ? ", finished" : "";
  $("status").textContent = `${preset}, seed ${seed}: generation ${generation} of ${generations}${done}.`;
  $("digest").textContent = digest ? `Digest ${digest}` : "";
  for (const id of ["generation", "against"]) input(id).max = String(generation);
  if (!input("generation").value || followsLast) input("generation").value = String(generation);
  if (!input("against").value) input("against").value = "0";
  control.offer(run);
  linkNetwork();
  drawCurves();
  showTree(run);
  const facts = Object.entries(settings).flatMap(([key, value]) => [
    make("dt", { textContent: key }),
    make("dd", { textContent: value }),
  ]);
  $("settings").replaceChildren(...facts);
}

/** @param {string} id */
function generationOf(id) {
  return Math.max(0, Math.min(Math.round(Number(input(id).value) || 0), run?.generation ?? 0));
}

/** The network to play is that of the chosen generation. */
function linkNetwork() {
  const generation = generationOf("generation");
  $("play-this").setAttribute("href", `/?player=${encodeURIComponent(`run:${name}#${generation}`)}`);
  $("play-this").textContent = `Play generation ${generation}`;
}

/** @param {string} chosen */
async function follow(chosen) {
  name = chosen;
  select("run").value = chosen;
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  compared.delete(name);
  drawCompare();
  for (const id of ["matrix", "games"]) $(id).replaceChildren();
  input("generation").value = input("against").value = "";
  followsLast = true;
  stream?.close();
  await refresh();
  listen();
  if (run && run.generation > 0) views.ask(name);
}

/** Follow a run that grows, while somebody looks: a browser grants a site few connections. */
function listen() {
  stream?.close();
  stream = null;
  if (!run || document.hidden || run.generation >= run.generations) return;
  let shown = run.generation;
  let measured = run.strengths.length;
  stream = new EventSource(`${pathOf(name)}/events`);
  stream.onmessage = async (event) => {
    const now = JSON.parse(event.data);
    if (now.generation === shown && now.measurements === measured) return;
    const isFirst = shown === 0;
    [shown, measured] = [now.generation, now.measurements];
    await refresh();
    if (isFirst) views.ask(name);
    if (run && run.generation >= run.generations) setTimeout(() => refresh().then(listen), AFTER_END_MS);
  };
}

/**
 * A run that has just been started: its file is there in a moment.
 * @param {string} wanted
 */
async function awaitRun(wanted) {
  $("status").textContent = `${wanted} begins…`;
  for (let tries = 0; tries < 60; ++tries) {
    const runs = await list();
    if (runs.some((item) => item.name === wanted && !item.fault)) {
      await follow(wanted);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** @returns {Promise<RunLine[]>} */
async function list() {
  /** @type {RunLine[]} */
  const runs = await get("/api/runs");
  const options = runs.map((item) => {
    const about = item.fault ? "(cannot be read)" : `${item.preset}, ${item.generation} of ${item.generations}`;
    return new Option(`${item.name}: ${about}`, item.name);
  });
  select("run").replaceChildren(...options);
  if (name) select("run").value = name;
  known = runs;
  drawCompare();
  $("with-run").hidden = runs.length === 0;
  return runs;
}

/** The other runs, to be shown over this one. */
function drawCompare() {
  const others = known.filter((item) => !item.fault && item.name !== name);
  $("compare").replaceChildren(...others.map(compareBox));
  $("compare").parentElement?.toggleAttribute("hidden", !others.length);
}

/** @param {RunLine} item */
function compareBox(item) {
  const box = make("input", { type: "checkbox", checked: compared.has(item.name) });
  box.addEventListener("change", async () => {
    if (!box.checked) compared.delete(item.name);
    else if (compared.size >= MOST_COMPARED) box.checked = false;
    else compared.set(item.name, await get(pathOf(item.name)));
    drawCurves();
  });
  return make("label", { className: "check" }, box, item.name);
}

async function begin() {
  await control.refresh();
  const runs = await list();
  const [first] = runs;
  if (!first) {
    $("status").textContent = "No runs yet.";
    return;
  }
  const wanted = decodeURIComponent(location.hash.slice(1));
  const chosen = runs.find((item) => item.name === wanted) ?? runs.find((item) => !item.fault) ?? first;
  await follow(chosen.name);
}

input("generation").addEventListener("input", () => {
  followsLast = false;
  linkNetwork();
});
document.addEventListener("visibilitychange", () => name && refresh().then(listen));
select("run").addEventListener("change", () => follow(select("run").value));
button("matrix-button").addEventListener("click", () => {
  const asked = name;
  showMatrix($("matrix"), asked, () => asked === name);
});
button("watch-pair").addEventListener("click", () => {
  watch(name, generationOf("generation"), generationOf("against")).catch((error) => {
    $("status").textContent = messageOf(error);
  });
});
form("games-form").addEventListener("submit", (event) => {
  event.preventDefault();
  showGames($("games"), name, generationOf("generation"));
});
begin().catch((error) => ($("status").textContent = messageOf(error)));
