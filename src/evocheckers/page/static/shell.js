// The head of every page: where one is, where one can go, the theme, and a word when the server is away.

import { icon, make } from "./dom.js";
import { remember } from "./prefs.js";

const PAGES = [
  { path: "/", name: "Play", icon: "play" },
  { path: "/puzzles", name: "Puzzles", icon: "puzzle" },
  { path: "/learn", name: "Learn", icon: "learn" },
  { path: "/evolution", name: "Evolution", icon: "evolution" },
];

/** Fill the page's `<header class="shell">`. */
export function mountShell() {
  const header = document.querySelector("header.shell");
  if (!header) return;
  const links = PAGES.map(({ path, name, icon: sign }) => {
    const link = make("a", { href: path }, icon(sign), make("span", { textContent: name }));
    if (location.pathname === path) link.setAttribute("aria-current", "page");
    return link;
  });
  header.replaceChildren(
    make(
      "a",
      { href: "/", className: "brand", "aria-label": "evocheckers" },
      icon("brand"),
      make("span", { textContent: "evocheckers" }),
    ),
    make("nav", { "aria-label": "Pages" }, ...links),
    themeButton(),
  );
}

function themeButton() {
  const root = document.documentElement;
  const isDark = () =>
    getComputedStyle(root).colorScheme === "dark" ||
    (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const button = make(
    "button",
    { className: "quiet", "aria-label": "Light or dark", title: "Light or dark" },
    icon("theme"),
  );
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember("theme", root.dataset.theme);
  });
  return button;
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
