// The page: one game, its board, its moves, and what the engine thinks.

import { get, post } from "./api.js";
import { BoardView, readFen, writeFen } from "./board.js";
import { drawGraph, drawSight } from "./charts.js";

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const ID = /^[A-Za-z0-9_-]{8,40}$/;
const WATCH_MS = 500, RETRY_MS = 3000;
const $ = (id) => document.getElementById(id);

let game = null; // as the server tells it
let shown = 0; // the ply that is looked at
let flipped = false;
let busy = false;
let options = null;
let worth = null;

const board = new BoardView($("board"), {
  onMove: (move) => act(() => post(`/api/games/${game.id}/moves`, { move: move.text, ply: game.ply })),
  onChoice: showWays,
});

function fenAt(ply) { return ply === 0 ? game.start : game.moves[ply - 1].fen; }

function say(text) { $("status").textContent = text; }

// The first start on a machine compiles; engines wait for it.
function waitingText(text) { return game.compiling ? "Compiling for this machine, once; about ten seconds…" : text; }

function statusText() {
  if (shown !== game.ply) return `Position after ${shown} of ${game.ply} plies.`;
  if (game.ending) return `${game.ending.text}.`;
  const side = game.turn === "black" ? "Black" : "White";
  if (game.waiting_for === "engine") return waitingText(`${game[game.turn].title} (${side}) is thinking…`);
  return game.must_capture ? `${side} to move: you must capture.` : `${side} to move.`;
}

async function render({ animate = null, hint = null } = {}) {
  const live = shown === game.ply;
  const last = shown ? game.moves[shown - 1] : null;
  const yours = live && game.waiting_for === "human" && !busy;
  Object.assign($("status").dataset, { ply: game.ply, waiting: game.waiting_for });
  say(game.note && live ? `${statusText()} (${game.note})` : statusText());
  for (const [place, side] of [["seat-top", flipped ? "white" : "black"], ["seat-bottom", flipped ? "black" : "white"]]) {
    const seat = game[side];
    $(place).replaceChildren(`${side === "black" ? "Black" : "White"}: ${seat.title} `, Object.assign(document.createElement("span"), { textContent: seat.player === "human" || seat.player === "random" ? "" : `(${/^\d+$/.test(seat.limit) ? `${seat.limit} plies` : seat.limit})` }));
  }
  $("takeback").disabled = busy || !game.moves.some((move) => game[move.side].player === "human");
  $("hint").disabled = $("draw").disabled = $("resign").disabled = !yours;
  renderMoves();
  renderScore();
  $("fen").value = fenAt(shown);
  $("pdn").href = `/api/games/${game.id}/pdn`;
  $("rating").textContent = game.rating ? `${game.rating.person}: ${game.rating.rating} after ${game.rating.games} rated games, ${game.rating.class_name}.` : "";
  await board.show({ fen: fenAt(shown), legal: yours ? game.legal : [], last, animate, hint, worth, flipped });
}

function renderMoves() {
  const list = $("moves");
  const rows = [];
  const first = game.start[0] === "B" ? 0 : 1;
  for (let i = -first; i < game.moves.length; i += 2) {
    rows.push(Object.assign(document.createElement("li"), { className: "number", textContent: `${(i + first) / 2 + 1}.` }));
    for (const at of [i, i + 1]) {
      const item = document.createElement("li");
      if (at < 0) item.textContent = "…";
      else if (at < game.moves.length) {
        const button = Object.assign(document.createElement("button"), { textContent: game.moves[at].text });
        if (at + 1 === shown) button.setAttribute("aria-current", "true");
        button.addEventListener("click", () => look(at + 1));
        item.append(button);
      }
      rows.push(item);
    }
  }
  const focused = list.contains(document.activeElement);
  list.replaceChildren(...rows);
  if (focused) list.querySelector("[aria-current]")?.focus();
  const current = list.querySelector("[aria-current]")?.parentElement; // scroll the list, never the page
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight + current.offsetHeight + 4;
}

function renderScore() {
  const plies = Object.keys(game.scores).map(Number).filter((ply) => ply <= shown);
  const at = plies.length ? Math.max(...plies) : null;
  const thought = at === null ? null : game.scores[at];
  $("thought").textContent = thought
    ? `${thought.text.startsWith("+") || thought.text.startsWith("-") ? `${thought.text} for Black` : thought.text}, seen ${thought.plies} plies ahead${at < shown ? ` (after ${at} plies)` : ""}: ${thought.line.join(" ")}`
    : "Not valued yet.";
  const share = thought ? 1 / (1 + Math.exp(1.2 * thought.score)) : 0.5;
  $("bar-fill").style.setProperty("height", `${100 * share}%`);
  $("bar").classList.toggle("turned", flipped);
  $("bar").setAttribute("aria-label", thought ? `evaluation ${thought.text} for Black` : "no evaluation yet");
  drawGraph($("graph"), game.scores, shown, game.ply, look);
}

function look(ply) {
  const before = shown;
  shown = Math.max(0, Math.min(game.ply, ply));
  closeAnalysis();
  render({ animate: shown === before + 1 ? game.moves[shown - 1] : null });
}

// Take over what the server says.
async function take(state) {
  const before = game;
  const same = before?.id === state.id;
  const followed = !same || shown === before.ply;
  game = state;
  if (followed || shown > game.ply) shown = game.ply;
  if (!same || before.ply !== state.ply) closeAnalysis();
  localStorage.setItem("evocheckers-game", game.id);
  if (location.hash !== `#${game.id}`) history.replaceState(null, "", `#${game.id}`);
  await render({ animate: same && state.ply === before.ply + 1 && shown === state.ply ? state.moves.at(-1) : null });
}

function closeAnalysis() {
  worth = null;
  $("analysis").hidden = true;
}

let turns = Promise.resolve();

// Ask something about the game that is shown, one request after the other; answers that come after another game began are dropped.
function act(request) {
  const id = game.id;
  turns = turns.then(async () => {
    if (game.id !== id) return;
    busy = true;
    let fault = "";
    try {
      const state = await request();
      if (game.id !== id) return;
      await take(state);
    } catch (error) {
      fault = error.message;
      if (game.id === id) await refetch();
    } finally {
      if (game.id === id) busy = false;
    }
    if (game.id !== id) return;
    if (fault) game.note = fault;
    await render();
    engineTurn();
  });
  return turns;
}

// Begin or open another game at once, whatever the engine of the last one is doing; `bottom` is the side below.
async function change(request, bottom) {
  say("One moment…");
  try {
    const state = await request();
    turns = Promise.resolve();
    busy = false;
    flipped = (bottom ?? (state.black.player === "human" && state.white.player !== "human" ? "black" : "white")) === "black";
    await take(state);
  } catch (error) {
    if (game) await render();
    say(error.message);
    return false;
  }
  engineTurn();
  return true;
}

let engineAsked = "";

// Let the engine move as long as it is its turn; what fails is tried again after a while.
async function engineTurn() {
  const { id } = game;
  if (engineAsked === id) return;
  engineAsked = id;
  while (game.id === id && game.waiting_for === "engine") {
    const { ply } = game;
    if (game.black.player !== "human" && game.white.player !== "human") await pause(WATCH_MS);
    if (game.id !== id || game.ply !== ply) continue;
    await act(() => post(`/api/games/${id}/engine`, { ply }).catch((error) => (error.status === 409 ? get(`/api/games/${id}`) : Promise.reject(error))));
    if (game.id === id && game.ply === ply) await pause(RETRY_MS);
  }
  if (engineAsked === id) engineAsked = "";
}

function pause(ms) { return new Promise((resolve) => setTimeout(resolve, ms)); }

async function refetch() {
  const { id } = game;
  try {
    const state = await get(`/api/games/${id}`);
    if (game.id === id) await take(state);
  } catch { /* the server is away; the game is kept there */ }
}

function showWays(ways) {
  $("choices").hidden = !ways.length;
  $("choices").replaceChildren(...(ways.length ? ["Which way? "] : []), ...ways.map((move) => {
    const button = Object.assign(document.createElement("button"), { textContent: move.text });
    button.addEventListener("click", () => board.play(move));
    return button;
  }));
}

// ------------------------------------------------------------------ the panel

function on(id, action) { $(id).addEventListener("click", () => { if (game) action(); else begin(); }); }

on("takeback", () => act(() => post(`/api/games/${game.id}/takeback`, { ply: game.ply })));
on("draw", () => act(() => post(`/api/games/${game.id}/draw`)));
on("resign", () => act(() => post(`/api/games/${game.id}/resign`, { side: game.turn })));
on("flip", () => { flipped = !flipped; render(); });
on("hint", async () => {
  const { id, ply } = game;
  say(waitingText("Thinking of a hint…"));
  try {
    const thought = await post(`/api/games/${id}/hint`);
    if (game.id !== id || game.ply !== ply || shown !== ply) return;
    await render({ hint: thought.line[0].split(/[-x]/).map(Number) });
    say(`Hint: ${thought.line[0]} (${thought.text} for Black).`);
  } catch (error) { say(error.message); }
});
on("first", () => look(0));
on("back", () => look(shown - 1));
on("forward", () => look(shown + 1));
on("last", () => look(game.ply));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog, [data-square]") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: game?.ply }[event.key];
  if (game && to !== undefined) { event.preventDefault(); look(to); }
});
$("move-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("move-text").value.trim();
  if (!text || !game) return;
  if (busy || shown !== game.ply || game.waiting_for !== "human") { say("It is not your turn here."); return; }
  $("move-text").value = "";
  act(() => post(`/api/games/${game.id}/moves`, { move: text, ply: game.ply }));
});
on("value-all", async () => {
  const { id, ply } = game;
  for (let at = 0; at <= ply && game.id === id; ++at) {
    if (game.scores[at]) continue;
    try {
      const state = await post(`/api/games/${id}/score`, { ply: at });
      if (game.id === id) game.scores = { ...game.scores, ...state.scores };
    } catch (error) { say(error.message); return; }
    renderScore();
  }
});
on("analyse", async () => {
  const fen = fenAt(shown);
  const engine = [game.black, game.white].map((seat) => seat.player).find((player) => !["human", "random"].includes(player)) ?? "champion";
  say(waitingText("Analysing…"));
  try {
    const found = await post("/api/analysis", { fen, player: engine, limit: "6" });
    if (fenAt(shown) !== fen) return;
    $("analysis-moves").replaceChildren(...found.moves.map((item) => {
      const row = document.createElement("tr");
      for (const text of [item.text, item.score_text, item.line.slice(1).join(" ")]) row.append(Object.assign(document.createElement("td"), { textContent: text }));
      return row;
    }));
    $("analysis").hidden = false;
    worth = found.sight?.squares ?? null;
    const nodes = found.sight?.nodes.length ?? 0;
    $("sight").toggleAttribute("hidden", !nodes);
    if (nodes) drawSight($("sight"), found.sight);
    if (found.sight) {
      const { value, material } = found.sight, pieces = material === null ? "" : `, of which pieces alone ${material.toFixed(2)}`;
      $("sight-text").textContent = `To ${found.turn}: ${value.toFixed(2)}${pieces}.`;
    } else $("sight-text").textContent = "This player has no network.";
    await render();
    say(`Best: ${found.moves[0].text} (${found.moves[0].score_text}).`);
  } catch (error) { say(error.message); }
});

// ------------------------------------------------------------------ dialogs

function fillOptions() {
  for (const id of ["new-player", "new-other"]) $(id).replaceChildren(...options.players.map((player) => new Option(`${player.title} – ${player.note}`, player.id)));
  const opening = $("new-opening");
  $("new-player").dispatchEvent(new Event("change"));
  opening.replaceChildren(new Option("Start position", ""), new Option("A two-move ballot at random", "?"));
  for (const [kind, lines] of Object.entries(options.openings)) {
    const group = Object.assign(document.createElement("optgroup"), { label: kind });
    group.append(...lines.map((line) => new Option(line, line)));
    opening.append(group);
  }
}

$("new").addEventListener("click", async () => {
  options = await get("/api/options");
  fillOptions();
  $("new-form").elements.person.value = localStorage.getItem("evocheckers-name") ?? "";
  $("new-dialog").showModal();
});
$("new-form").elements.side.addEventListener("change", (event) => { $("other-field").hidden = event.target.value !== "none"; });
$("new-player").addEventListener("change", (event) => {
  const isRun = event.target.value.startsWith("run:");
  $("generation-field").hidden = !isRun;
  $("new-form").elements.generation.disabled = !isRun;
});
$("new-dialog").addEventListener("close", () => {
  if ($("new-dialog").returnValue !== "start") return;
  const form = new FormData($("new-form"));
  const generation = form.get("generation") ?? "";
  const player = form.get("player") + (form.get("player").startsWith("run:") && generation ? `#${generation}` : "");
  const engine = { player, limit: form.get("limit") }, human = { player: "human" };
  const side = form.get("side");
  const other = { player: form.get("other"), limit: form.get("limit") };
  let opening = form.get("opening");
  if (opening === "?") { const lines = options.openings["two-move ballot"]; opening = lines[Math.floor(Math.random() * lines.length)]; }
  const person = form.get("person").trim();
  localStorage.setItem("evocheckers-name", person);
  change(() => post("/api/games", {
    black: side === "black" || side === "both" ? human : engine,
    white: side === "white" || side === "both" ? human : side === "none" ? other : engine,
    opening, person,
  }), side === "black" ? "black" : "white");
});

$("import").addEventListener("click", () => { $("import-fault").textContent = ""; $("import-dialog").showModal(); });
$("import-file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  if (file.size > 60000) $("import-fault").textContent = "This file is too large: one game at a time.";
  else $("import-text").value = await file.text();
});
$("import-form").addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "load") return;
  event.preventDefault();
  const text = $("import-text").value.trim();
  if (!text) { $("import-fault").textContent = "Paste a game or a position first."; return; }
  const isFen = /^[BW]:/i.test(text);
  try {
    const state = await post("/api/games", { black: { player: "human" }, white: { player: "human" }, ...(isFen ? { fen: text } : { pdn: text }) });
    $("import-dialog").close();
    change(async () => state, "white");
  } catch (error) { $("import-fault").textContent = error.message; }
});

const TOOLS = [["b", "Black man"], ["B", "Black king"], ["w", "White man"], ["W", "White king"], ["", "Empty"]];
let tool = "b", edited = new Map();
const editor = new BoardView($("edit-board"), {
  onSquare: (square) => {
    if (tool && edited.get(square) !== tool) edited.set(square, tool);
    else edited.delete(square);
    drawEditor();
  },
});
function drawEditor() { editor.show({ fen: writeFen(edited, "B") }); }
$("edit-tools").append(...TOOLS.map(([value, label]) => {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  button.setAttribute("role", "radio");
  button.setAttribute("aria-checked", String(value === tool));
  button.addEventListener("click", () => {
    tool = value;
    for (const other of $("edit-tools").children) other.setAttribute("aria-checked", String(other === button));
  });
  return button;
}));
on("edit", () => {
  edited = readFen(fenAt(shown));
  $("edit-turn").value = fenAt(shown)[0];
  $("edit-fault").textContent = "";
  drawEditor();
  $("edit-dialog").showModal();
});
$("edit-clear").addEventListener("click", () => { edited = new Map(); drawEditor(); });
$("edit-start").addEventListener("click", () => { edited = readFen(START); drawEditor(); });
$("edit-form").addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "play") return;
  event.preventDefault();
  const turn = $("edit-turn").value;
  const sides = new Set([...edited.values()].map((piece) => piece.toLowerCase()));
  if (sides.size < 2) { $("edit-fault").textContent = "Both sides need a piece."; return; }
  const human = { player: "human" }, engine = { player: "champion", limit: "4" };
  try {
    const state = await post("/api/games", { fen: writeFen(edited, turn), black: turn === "B" ? human : engine, white: turn === "W" ? human : engine });
    $("edit-dialog").close();
    change(async () => state, turn === "B" ? "black" : "white");
  } catch (error) { $("edit-fault").textContent = error.message; }
});

// ------------------------------------------------------------------ begin

async function begin() {
  const player = wantedPlayer();
  if (player && await change(() => post("/api/games", { white: { player, limit: "4" } }))) return;
  const fault = player ? $("status").textContent : "";
  const id = location.hash.slice(1) || localStorage.getItem("evocheckers-game");
  if (ID.test(id ?? "") && await change(() => get(`/api/games/${id}`))) return;
  await change(() => post("/api/games", {}));
  if (fault) say(fault);
}

// A link from a run's page: play its network.
function wantedPlayer() {
  const player = new URLSearchParams(location.search).get("player");
  if (player) history.replaceState(null, "", "/");
  return player;
}

window.addEventListener("hashchange", () => {
  const id = location.hash.slice(1);
  if (ID.test(id) && id !== game?.id) change(() => get(`/api/games/${id}`));
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && game && !busy) refetch().then(engineTurn); });

begin();
