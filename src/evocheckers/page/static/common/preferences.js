// What the browser remembers: switches, the person's name, the game that was played last. All of it may be refused.

/**
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return localStorage.getItem(`evocheckers-${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`evocheckers-${name}`, value);
  } catch {
    // a browser that keeps nothing: the page works without
  }
}

/**
 * A switch that is kept.
 * @param {string} name
 * @param {boolean} usual
 */
export function isOn(name, usual) {
  const kept = recall(name);
  return kept === null ? usual : kept === "on";
}
