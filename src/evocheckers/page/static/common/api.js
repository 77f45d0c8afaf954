// The server's JSON API.

/** An answer that is a refusal: what the server said, and its status. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** No answer at all: the server is away, or the network is. */
export class Silence extends Error {
  constructor() {
    super("The server does not answer.");
  }
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function ask(path, options = {}) {
  const response = await fetch(path, options).catch(() => {
    throw new Silence();
  });
  const body = await response.json().catch(() => ({ detail: `the server answered ${response.status}` }));
  if (!response.ok) throw new Refusal(response.status, typeof body.detail === "string" ? body.detail : "refused");
  return body;
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  return ask(path);
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/**
 * What an error says to people.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
