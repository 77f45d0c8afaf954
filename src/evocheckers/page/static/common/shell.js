// The head of every page: where one is, the theme, and a notice while the server is away.

import { button, make } from "./dom.js";
import { remember } from "./preferences.js";

/** Mark the link to this page, and let the theme be switched. */
export function mountShell() {
  document.querySelector(`.shell nav a[href="${location.pathname}"]`)?.setAttribute("aria-current", "page");
  const root = document.documentElement;
  const isDark = () =>
    getComputedStyle(root).colorScheme === "dark" ||
    (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  button("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember("theme", root.dataset.theme);
  });
}

/**
 * Tell that the server is away, or that it is back.
 * @param {boolean} away
 */
export function showAway(away) {
  document.querySelector(".away")?.remove();
  if (away) {
    const text = "No answer from the server. Your game is kept there; trying again…";
    document.body.append(make("p", { className: "away", role: "alert", textContent: text }));
  }
}
