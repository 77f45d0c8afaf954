// Finding and making elements.

const NS = "http://www.w3.org/2000/svg";

/**
 * An element of the page by its id; it must be there.
 * @param {string} id
 */
export function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** @param {string} id */
export function input(id) {
  return /** @type {HTMLInputElement} */ ($(id));
}

/** @param {string} id */
export function select(id) {
  return /** @type {HTMLSelectElement} */ ($(id));
}

/** @param {string} id */
export function button(id) {
  return /** @type {HTMLButtonElement} */ ($(id));
}

/** @param {string} id */
export function form(id) {
  return /** @type {HTMLFormElement} */ ($(id));
}

/** @param {string} id */
export function dialog(id) {
  return /** @type {HTMLDialogElement} */ ($(id));
}

/** @param {string} id */
export function drawing(id) {
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ ($(id)));
}

/**
 * A new element. Properties are set as such, `data-` and `aria-` ones and `role` as attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (/^(data-|aria-|role$)/.test(key)) made.setAttribute(key, String(value));
    else Object.assign(made, { [key]: value });
  }
  made.append(...children);
  return made;
}

/**
 * A new element of a drawing.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(NS, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/**
 * One of the page's icons; decoration, the label stands beside it.
 * @param {string} name
 */
export function icon(name) {
  const made = element("svg", { class: "icon", "aria-hidden": "true" });
  made.append(element("use", { href: `/static/common/icons.svg#${name}` }));
  return made;
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
