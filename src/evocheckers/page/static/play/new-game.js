// The dialog that begins a game: levels by name and rating, or any player.

import { messageOf, post } from "../common/api.js";
import { $, dialog, form, input, make, select } from "../common/dom.js";
import { isRun, loadOptions, ofGeneration, playerChoices } from "../common/players.js";
import { recall, remember } from "../common/preferences.js";

/** @import { Session } from "./session.js" */
/** @import { Options } from "../common/types.js" */

const USUAL_LEVEL = 3;
/** @param {Session} session */
export function mountNewGame(session) {
  const chosen = form("new-form");
  $("new").addEventListener("click", async () => {
    try {
      fill(await loadOptions());
      dialog("new-dialog").showModal();
    } catch (error) {
      session.say(messageOf(error));
    }
  });
  select("new-player").addEventListener("change", showGeneration);
  chosen.addEventListener("change", () => {
    const data = new FormData(chosen);
    const isRated = data.get("rated") === "on";
    input("new-name").required = isRated;
  });
  chosen.addEventListener("submit", async (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "start") return;
    event.preventDefault();
    const wanted = await request(new FormData(chosen));
    $("new-fault").textContent = "";
    try {
      const game = await post("/api/games", wanted);
      dialog("new-dialog").close();
      await session.change(async () => game);
    } catch (error) {
      $("new-fault").textContent = messageOf(error);
    }
  });
}

function showGeneration() {
  $("generation-field").hidden = !isRun(select("new-player").value);
}

/** @param {Options} options */
function fill(options) {
  const kept = Number(recall("level") ?? USUAL_LEVEL);
  const legend = make("legend", { textContent: "Opponent" });
  const rows = options.levels.map((level, i) => {
    const radio = make("input", { type: "radio", name: "level", value: String(i), checked: i === kept });
    const name = make("span", { className: "level-name", textContent: level.name });
    const note = make("span", { className: "small", textContent: level.note });
    return make(
      "label",
      { className: "level" },
      radio,
      name,
      note,
      make("span", { className: "rating", textContent: String(level.rating) }),
    );
  });
  const other = make("input", { type: "radio", name: "level", value: "other", checked: !options.levels[kept] });
  const another = make(
    "label",
    { className: "level" },
    other,
    make("span", { className: "level-name", textContent: "Another player" }),
    make("span", { className: "small", textContent: "chosen under More" }),
  );
  $("levels").replaceChildren(legend, ...rows, another);
  for (const id of ["new-player", "new-other"]) {
    const before = select(id).value;
    select(id).replaceChildren(...playerChoices(options));
    if (before) select(id).value = before;
  }
  showGeneration();
  const opening = select("new-opening");
  opening.replaceChildren(new Option("Start position", ""), new Option("A two-move ballot at random", "?"));
  for (const [kind, lines] of Object.entries(options.openings)) {
    opening.append(make("optgroup", { label: kind }, ...lines.map((line) => new Option(line, line))));
  }
  input("new-name").value = recall("name") ?? "";
  $("new-fault").textContent = "";
}

/**
 * What the form asks the server for.
 * @param {FormData} data
 */
async function request(data) {
  const options = await loadOptions();
  /** @param {string} name */
  const text = (name) => String(data.get(name) ?? "");
  const level = options.levels[Number(text("level"))];
  remember("level", text("level"));
  remember("name", text("person").trim());
  const player = ofGeneration(text("player"), text("generation"));
  const engine = level ? { player: level.player, limit: level.limit } : { player, limit: text("limit") };
  const human = { player: "human" };
  const other = { player: text("other"), limit: text("limit") };
  const side = text("side") === "chance" ? (Math.random() < 0.5 ? "black" : "white") : text("side");
  const ballots = options.openings["two-move ballot"] ?? [];
  const opening = text("opening") === "?" ? ballots[Math.floor(Math.random() * ballots.length)] : text("opening");
  const [initial, increment] = text("clock").split("+").map(Number);
  return {
    black: side === "black" || side === "both" ? human : engine,
    white: side === "white" || side === "both" ? human : side === "none" ? other : engine,
    opening,
    person: text("person").trim(),
    rated: text("rated") === "on",
    clock: initial ? { initial, increment } : null,
  };
}
