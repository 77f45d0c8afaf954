// What the server sends; the names are those of /openapi.json.

/** @typedef {"black" | "white"} Side */
/** @typedef {{text: string, path: number[], captured: number[]}} Move */
/** @typedef {Move & {side: Side, fen: string}} PlayedMove */
/** @typedef {{player: string, title: string, limit: string, level: string | null, rating: number | null}} Seat */
/** @typedef {{winner: "black" | "white" | "draw", reason: string, text: string}} Ending */
/**
 * The value of a position: men and the chance of winning, both Black's.
 * @typedef {object} PositionValue
 * @property {number} score
 * @property {number} chance
 * @property {string} text
 * @property {number} plies
 * @property {string[]} line
 * @property {string} by whose value it is
 * @property {string} note
 */
/** @typedef {{person: string, games: number, rating: number, class_name: string}} Rating */
/** @typedef {{initial: number, increment: number, black: number, white: number, running: boolean}} Clock */
/**
 * @typedef {object} Game
 * @property {string} id
 * @property {string} view
 * @property {string} start
 * @property {string} fen
 * @property {Side} turn
 * @property {number} ply
 * @property {string} opening its traditional name, if it has one
 * @property {Seat} black
 * @property {Seat} white
 * @property {string} person
 * @property {PlayedMove[]} moves
 * @property {Move[]} legal
 * @property {boolean} must_capture
 * @property {"human" | "engine" | "nobody"} waiting_for
 * @property {Ending | null} ending
 * @property {Record<string, PositionValue>} scores
 * @property {boolean} rated
 * @property {Clock | null} clock
 * @property {Rating | null} rating
 * @property {boolean} compiling
 * @property {string} note
 */
/** @typedef {{row: number, column: number, rows: number, columns: number, activation: number}} NodeActivation */
/** @typedef {{value: number, material: number|null, nodes: NodeActivation[], wide: number[], squares: Record<string, number>}} Activations */
/** @typedef {Move & {score: number, chance: number, score_text: string, line: string[]}} MoveValue */
/**
 * @typedef {object} Analysis
 * @property {string} fen
 * @property {Side} turn
 * @property {PositionValue} value
 * @property {MoveValue[]} moves the best first
 * @property {Activations | null} activations
 * @property {string} note
 */
/** @typedef {{id: string, title: string, note: string}} Player */
/** @typedef {{name: string, player: string, limit: string, rating: number, note: string}} Level */
/**
 * @typedef {object} Options
 * @property {Level[]} levels
 * @property {Player[]} players
 * @property {Record<string, string[]>} openings
 * @property {number} max_plies
 * @property {number} max_seconds
 */
/** @typedef {{fen: string, turn: Side, legal: Move[], must_capture: boolean, ending: Ending | null}} Position */

export {};
