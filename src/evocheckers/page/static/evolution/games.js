// The games of a run: generations against each other, the games of a generation, a network's games.

import { get, messageOf, post } from "../common/api.js";
import { $, make } from "../common/dom.js";
import { percent } from "./curves.js";

/** @typedef {{number: number, black: number, white: number, result: string, plies: number, moves: boolean}} RecordedGame */

const MOST_GAMES = 200;
const PLIES = "4";

/** @param {string} run */
const pathOf = (run) => `/api/runs/${encodeURIComponent(run)}`;

/**
 * A game between two generations, to be watched.
 * @param {string} run
 * @param {number} black
 * @param {number} white
 * @param {string} limit
 */
export async function watch(run, black, white, limit = PLIES) {
  const seats = [black, white].map((generation) => ({ player: `run:${run}#${generation}`, limit }));
  const game = await post("/api/games", { black: seats[0], white: seats[1] });
  location.href = `/watch#${game.id}`;
}

/**
 * A recorded game, to be gone through from its first move on.
 * @param {string} run
 * @param {number} generation
 * @param {number} number
 */
async function replay(run, generation, number) {
  const response = await fetch(`${pathOf(run)}/games/${generation}/${number}/pdn`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const human = { player: "human" };
  const game = await post("/api/games", { black: human, white: human, pdn: await response.text() });
  location.href = `/watch#${game.id}`;
}

/**
 * @param {HTMLElement} place
 * @param {unknown} error
 */
function showFault(place, error) {
  place.replaceChildren(make("p", { className: "fault", textContent: messageOf(error) }));
}

/**
 * Some generations against each other; a click on a result shows a game of the two.
 * @param {HTMLElement} place
 * @param {string} run
 * @param {() => boolean} isWanted
 */
export async function showMatrix(place, run, isWanted) {
  place.replaceChildren(make("p", { className: "small", textContent: "Playing…" }));
  try {
    /** @type {{generations: number[], shares: (number | null)[][], plies: number}} */
    const { generations, shares, plies } = await get(`${pathOf(run)}/matrix`);
    if (!isWanted()) return;
    const head = ["", ...generations].map((cell) => make("th", { textContent: String(cell), scope: "col" }));
    const rows = shares.map((values, i) => {
      const own = generations[i] ?? 0;
      const cells = values.map((share, j) => {
        if (share === null) return make("td");
        const cell = make("button", { className: "quiet", textContent: percent(share) });
        const other = generations[j] ?? 0;
        cell.title = `Watch generation ${own} against ${other}`;
        cell.addEventListener("click", () =>
          watch(run, own, other, String(plies)).catch((error) => showFault(place, error)),
        );
        return make("td", { className: share > 0.5 ? "ahead" : "" }, cell);
      });
      return make("tr", {}, make("th", { textContent: String(own), scope: "row" }), ...cells);
    });
    const text = `Points of the row's generation against the column's, 14 games each, ${plies} plies deep. `;
    place.replaceChildren(
      make("p", { className: "small", textContent: `${text}Click a result to watch the two play.` }),
      make("table", { className: "matrix" }, make("tr", {}, ...head), ...rows),
    );
  } catch (error) {
    showFault(place, error);
  }
}

/**
 * The games of a generation, or of one network in it.
 * @param {HTMLElement} place
 * @param {string} run
 * @param {number} generation
 * @param {number | null} network
 */
export async function showGames(place, run, generation, network = null) {
  if (generation < 1) {
    place.replaceChildren(make("p", { textContent: "The first generation that plays games is 1." }));
    return;
  }
  try {
    /** @type {RecordedGame[]} */
    const all = await get(`${pathOf(run)}/games/${generation}`);
    const games = all.filter(({ black, white }) => network === null || black === network || white === network);
    const whose = network === null ? "" : ` of network ${network}`;
    const items = games.slice(0, MOST_GAMES).map(({ number, black, white, result, plies, moves }) => {
      const item = make("li", { textContent: `${black} – ${white}: ${result}, ${plies} plies ` });
      if (moves) {
        const button = make("button", { textContent: "Replay" });
        button.addEventListener("click", () =>
          replay(run, generation, number).catch((error) => showFault(place, error)),
        );
        item.append(button);
      }
      return item;
    });
    const more = games.length > MOST_GAMES ? `, the first ${MOST_GAMES} shown` : "";
    const head = make("p", { className: "small" }, `Generation ${generation}: ${games.length} games${whose}${more}.`);
    place.replaceChildren(head, make("ul", { className: "games" }, ...items));
    place.scrollIntoView({ block: "nearest" });
  } catch (error) {
    showFault($("games"), error);
  }
}
