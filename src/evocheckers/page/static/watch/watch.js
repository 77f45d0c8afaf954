// A game to watch: two players while they play, or a recorded game from its first move on.

import { get, messageOf, post } from "../common/api.js";
import { $, button, form, input, pause, select } from "../common/dom.js";
import { isRun, loadOptions, ofGeneration, playerChoices } from "../common/players.js";
import { playOn } from "../common/play-on.js";
import { showLines } from "../board/lines.js";
import { Replay } from "../board/replay.js";
import { mountShell } from "../common/shell.js";

/** @import { Game } from "../common/types.js" */

const ID = /^[A-Za-z0-9_-]{8,40}$/;
const SLOWEST_MS = 800;
const RETRY_MS = 2000;

let running = true;
let busy = false;
const replay = new Replay(() => showStatus());

/** Moves shown a second are doubled by each step of the slider. */
function delay() {
  return SLOWEST_MS / 2 ** Number(input("speed").value);
}

function showStatus() {
  const { game } = replay;
  if (!game) return;
  const isLast = replay.shown === game.ply;
  const at = `Position after ${replay.shown} of ${game.ply} plies.`;
  const thinking = game.waiting_for === "engine" ? `${game[game.turn].title} is to move.` : at;
  $("status").textContent = !isLast ? at : game.ending ? `${game.ending.text}.` : running ? thinking : `${at} Paused.`;
  Object.assign($("status").dataset, { ply: replay.shown, running });
  button("run").textContent = running ? "Pause" : "Continue";
  replay.drawSeats((side) => (game[side].limit && game[side].player !== "human" ? limitText(game[side].limit) : ""));
  $("lines").replaceChildren();
}

/** @param {string} limit */
function limitText(limit) {
  return /^\d+$/.test(limit) ? `${limit} plies` : limit;
}

/** @param {boolean} now */
function run(now) {
  running = now;
  showStatus();
}

/** One move on: of the record, or, after its last one, of whoever is to move. */
async function advance() {
  const { game } = replay;
  if (!game || busy) return false;
  if (replay.shown < game.ply) {
    replay.go(replay.shown + 1);
    return true;
  }
  if (game.waiting_for !== "engine") return false;
  busy = true;
  try {
    /** @type {Game} */
    const state = await post(`/api/games/${game.id}/engine`, { ply: game.ply });
    if (replay.game?.id !== game.id) return false;
    const follows = replay.shown === game.ply;
    replay.take(state);
    if (follows) replay.go(state.ply);
  } catch (error) {
    $("status").textContent = messageOf(error);
    await pause(RETRY_MS);
    replay.take(await get(`/api/games/${game.id}`));
  } finally {
    busy = false;
  }
  return true;
}

async function play() {
  for (;;) {
    await pause(running ? delay() : 100);
    if (!running || document.hidden) continue;
    try {
      if (!(await advance()) && replay.game && !busy) run(false);
    } catch (error) {
      $("status").textContent = messageOf(error); // the server is away: tried again
      await pause(RETRY_MS);
    }
  }
}

/** @param {string} id */
async function open(id) {
  try {
    /** @type {Game} */
    const game = await get(`/api/games/${id}`);
    $("review").setAttribute("href", `/review#${id}`);
    $("pdn").setAttribute("href", `/api/games/${id}/pdn`);
    replay.shown = 0;
    replay.take(game);
    replay.go(game.waiting_for === "engine" ? game.ply : 0);
    run(true);
  } catch (error) {
    $("status").textContent = messageOf(error);
  }
}

/** @param {"black" | "white"} side */
function playerOf(side) {
  const player = ofGeneration(select(`pair-${side}`).value, input(`pair-${side}-generation`).value);
  return { player, limit: select("pair-limit").value };
}

async function mountPair() {
  const sides = /** @type {("black" | "white")[]} */ (["black", "white"]);
  const options = await loadOptions();
  for (const side of sides) {
    const choice = select(`pair-${side}`);
    choice.replaceChildren(...playerChoices(options));
    const showGeneration = () => {
      $(`pair-${side}-field`).hidden = !isRun(choice.value);
    };
    choice.addEventListener("change", showGeneration);
    showGeneration();
  }
  const lines = Object.values(options.openings).flat();
  select("pair-opening").replaceChildren(
    new Option("Start position", ""),
    ...lines.map((line) => new Option(line, line)),
  );
  form("pair").addEventListener("submit", async (event) => {
    event.preventDefault();
    $("pair-fault").textContent = "";
    try {
      const opening = select("pair-opening").value;
      const game = await post("/api/games", { black: playerOf("black"), white: playerOf("white"), opening });
      location.hash = game.id;
      scrollTo({ top: 0 });
    } catch (error) {
      $("pair-fault").textContent = messageOf(error);
    }
  });
}

mountShell();
button("run").addEventListener("click", () => {
  if (!running && replay.game && replay.shown === replay.game.ply && replay.game.waiting_for !== "engine") {
    replay.go(0);
  }
  run(!running);
});
button("step").addEventListener("click", async () => {
  run(false);
  await advance();
  showStatus();
});
for (const way of ["first", "back", "forward", "last"]) $(way).addEventListener("click", () => run(false));
button("play-on").addEventListener("click", () => {
  run(false);
  playOn(replay.fen);
});
button("analyse").addEventListener("click", () => {
  run(false);
  const { fen } = replay;
  showLines($("lines"), fen, (texts) => replay.lineFrom(fen, texts));
});
window.addEventListener("hashchange", () => open(location.hash.slice(1)));
mountPair().catch((error) => ($("pair-fault").textContent = messageOf(error)));
if (ID.test(location.hash.slice(1))) open(location.hash.slice(1));
else $("status").textContent = "Choose two players below, or a game on the page Evolution.";
play();
