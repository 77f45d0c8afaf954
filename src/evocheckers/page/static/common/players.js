// The players, levels and openings that the server offers.

import { get } from "./api.js";

/** @import { Level, Options, Seat } from "./types.js" */

/** @type {Promise<Options> | null} */
let asked = null;

/** Asked for once. @returns {Promise<Options>} */
export function loadOptions() {
  asked ??= get("/api/options").catch((error) => {
    asked = null;
    throw error;
  });
  return asked ?? Promise.reject(new Error("no options"));
}

/**
 * The level above a seat's, if the seat has one.
 * @param {Seat} seat
 * @returns {Promise<Level | null>}
 */
export async function levelAfter(seat) {
  const { levels } = await loadOptions();
  const at = levels.findIndex((level) => level.player === seat.player && level.limit === seat.limit);
  return at < 0 ? null : (levels[at + 1] ?? null);
}

/**
 * All players, to choose from.
 * @param {Options} options
 */
export function playerChoices({ players }) {
  return players.map(({ id, title, note }) => new Option(`${title} – ${note}`, id));
}

/** @param {string} player */
export function isRun(player) {
  return player.startsWith("run:");
}

/**
 * A run's network of a generation, if one is given; any other player as it is.
 * @param {string} player
 * @param {string} generation
 */
export function ofGeneration(player, generation) {
  return isRun(player) && generation ? `${player}#${generation}` : player;
}
