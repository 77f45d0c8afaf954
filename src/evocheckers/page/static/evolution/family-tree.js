// The family tree of a run's last generation; each of its members can be chosen.

import { element } from "../common/dom.js";

/** @typedef {{id: number, born: number, height: number}} Member */
/** @typedef {{members: Member[], parents: Record<string, number>, line: number[]}} Tree */

/**
 * @param {Tree} tree
 * @param {(member: Member) => void} onMember
 */
export function drawTree({ members, parents, line }, onMember) {
  const last = Math.max(...members.map((one) => one.born), 1);
  const most = Math.max(...members.map((one) => one.height), 1);
  /** @param {Member} one */
  const x = (one) => 10 + (380 * one.born) / last;
  /** @param {Member} one */
  const y = (one) => 10 + (200 * one.height) / most;
  const known = new Map(members.map((one) => [one.id, one]));
  const own = new Set(line);
  const svg = element("svg", { viewBox: "0 0 400 230", class: "tree", role: "group", "aria-label": "Family tree" });
  for (const [child, parent] of Object.entries(parents)) {
    const [a, b] = [known.get(parent), known.get(Number(child))];
    if (!a || !b) continue;
    const points = `${x(a)},${y(a)} ${x(a)},${y(b)} ${x(b)},${y(b)}`;
    svg.append(element("polyline", { points, class: own.has(Number(child)) ? "tree-line best" : "tree-line" }));
  }
  for (const one of members) {
    const says = `network ${one.id}, born in generation ${one.born}`;
    const dot = element(
      "circle",
      { cx: x(one), cy: y(one), r: 4, class: "tree-member", role: "button", tabindex: 0, "aria-label": says },
      element("title", {}, says),
    );
    dot.addEventListener("click", () => onMember(one));
    dot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onMember(one);
    });
    svg.append(dot);
  }
  svg.append(
    element("text", { x: 10, y: 226, class: "graph-text" }, "generation 1"),
    element("text", { x: 390, y: 226, class: "graph-text", "text-anchor": "end" }, `generation ${last}`),
  );
  return svg;
}
