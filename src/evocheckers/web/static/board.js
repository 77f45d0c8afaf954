// A board as SVG: shows a position, and turns clicks, drags and keys into one of the legal moves it was given.
// It knows no rules: every move it offers came from the server.

const NS = "http://www.w3.org/2000/svg";
const CROWN = "M-20 12 L-25 -14 L-9 -2 L0 -20 L9 -2 L25 -14 L20 12 Z";
const STEP_MS = 170;

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Pieces of a FEN by square: "b", "w", and large letters for kings.
export function readFen(fen) {
  const pieces = new Map();
  for (const field of fen.replace(/\.\s*$/, "").split(":").slice(1)) {
    const side = field.trim()[0].toLowerCase();
    for (const item of field.trim().slice(1).split(",").filter(Boolean)) {
      const king = /^k/i.test(item);
      const [first, last] = item.replace(/^k/i, "").split("-").map(Number);
      for (let square = first; square <= (last || first); ++square) pieces.set(square, king ? side.toUpperCase() : side);
    }
  }
  return pieces;
}

export function writeFen(pieces, turn) {
  const list = (side) => [...pieces].filter(([, piece]) => piece.toLowerCase() === side).sort(([a], [b]) => a - b)
    .map(([square, piece]) => (piece === side ? "" : "K") + square).join(",");
  return `${turn}:W${list("w")}:B${list("b")}`;
}

const NAMES = { b: "black man", w: "white man", B: "black king", W: "white king" };

export class BoardView {
  constructor(svg, { onMove = () => {}, onSquare = null, onChoice = () => {} } = {}) {
    Object.assign(this, { svg, onMove, onSquare, onChoice });
    this.flipped = false;
    this.legal = [];
    this.prefix = [];
    this.focused = 1;
    this.squares = new Map();
    this.build();
  }

  place(square) {
    const row = Math.floor((square - 1) / 4);
    const column = 2 * ((square - 1) % 4) + (1 - (row % 2));
    return this.flipped ? { row: 7 - row, column: 7 - column } : { row, column };
  }

  centre(square) {
    const { row, column } = this.place(square);
    return { x: 100 * column + 50, y: 100 * row + 50 };
  }

  build() {
    this.svg.replaceChildren(element("rect", { width: 800, height: 800, class: "light" }));
    this.squares.clear();
    for (let square = 1; square <= 32; ++square) {
      const { row, column } = this.place(square);
      const group = element("g", { class: "square", "data-square": square, role: "button", tabindex: square === this.focused ? 0 : -1 },
        element("rect", { x: 100 * column, y: 100 * row, width: 100, height: 100, class: "dark" }),
        element("text", { x: 100 * column + 6, y: 100 * row + 20, class: "number-label", "aria-hidden": "true" }, String(square)));
      this.squares.set(square, group);
      this.svg.append(group);
    }
    this.marks = element("g");
    this.pieceLayer = element("g");
    this.overlay = element("g");
    this.svg.append(this.marks, this.pieceLayer, this.overlay);
    if (!this.listening) this.listen();
    this.listening = true;
  }

  listen() {
    const squareAt = (event) => {
      const found = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-square]");
      return found && this.svg.contains(found) ? Number(found.dataset.square) : null;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      const square = squareAt(event);
      if (square === null || event.button !== 0) return;
      this.pressed = { square, x: event.clientX, y: event.clientY, dragging: false };
      if (this.canStart(square) && this.prefix.length < 2) {
        this.pressed.wasSelected = this.prefix[0] === square;
        this.select(square);
        event.target.releasePointerCapture?.(event.pointerId);
        this.pressed.piece = this.pieces?.get(square);
      } else if (this.prefix.length > 1 && square === this.prefix.at(-1)) {
        this.pressed.piece = this.pieces.get(this.prefix[0]); // in the middle of a capture
      }
    });
    window.addEventListener("pointermove", (event) => {
      const pressed = this.pressed;
      if (!pressed?.piece) return;
      if (!pressed.dragging && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 6) return;
      pressed.dragging = true;
      event.preventDefault();
      const matrix = this.svg.getScreenCTM().inverse();
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      pressed.piece.setAttribute("transform", `translate(${point.x} ${point.y})`);
    }, { passive: false });
    window.addEventListener("pointerup", (event) => {
      const pressed = this.pressed;
      this.pressed = null;
      if (!pressed) return;
      const square = squareAt(event);
      if (pressed.dragging) {
        this.draw();
        if (square !== null && square !== pressed.square) this.choose(square, true);
      } else if (square === pressed.square) {
        if (pressed.wasSelected && this.prefix.length === 1) this.clear();
        else if (!pressed.piece) this.choose(square);
      }
    });
    window.addEventListener("pointercancel", () => {
      if (this.pressed) this.draw();
      this.pressed = null;
    });
    this.svg.addEventListener("dragstart", (event) => event.preventDefault());
    this.svg.addEventListener("mousedown", (event) => { if (this.pressed?.piece) event.preventDefault(); });
    this.svg.addEventListener("touchmove", (event) => { if (this.pressed?.piece) event.preventDefault(); }, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const square = Number(event.target.closest("[data-square]")?.dataset.square);
    if (!square) return;
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -2], ArrowRight: [0, 2] };
    if (event.key in moves) {
      const { row, column } = this.place(square);
      const [down, right] = moves[event.key];
      this.focus(this.nearest(row + down, column + right));
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.canStart(square) && this.prefix.length < 2 && this.prefix[0] !== square) this.select(square);
      else this.choose(square);
    } else if (event.key === "Escape") {
      this.clear();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  nearest(row, column) {
    let best = this.focused, least = Infinity;
    for (let square = 1; square <= 32; ++square) {
      const place = this.place(square);
      const distance = Math.abs(place.row - row) * 10 + Math.abs(place.column - column);
      if (distance < least) [best, least] = [square, distance];
    }
    return best;
  }

  focus(square) {
    this.squares.get(this.focused).setAttribute("tabindex", -1);
    this.focused = square;
    const group = this.squares.get(square);
    group.setAttribute("tabindex", 0);
    group.focus();
  }

  // Show a position. `animate` is the move that led to it, `legal` what may be played now.
  async show({ fen, legal = [], last = null, animate = null, hint = null, worth = null, flipped = false }) {
    if (flipped !== this.flipped) {
      this.flipped = flipped;
      this.build();
    }
    const before = this.fen;
    Object.assign(this, { fen, last, hint, worth, prefix: [] });
    this.onChoice([]);
    this.legal = [];
    if (animate && before && before !== fen && !matchMedia("(prefers-reduced-motion: reduce)").matches) await this.animate(before, animate);
    if (this.fen !== fen) return;
    this.legal = legal;
    this.draw();
  }

  async animate(before, move) {
    this.drawPieces(before);
    this.marks.replaceChildren();
    const piece = this.pieces.get(move.path[0]);
    if (!piece) return;
    this.pieceLayer.append(piece);
    for (let step = 1; step < move.path.length; ++step) {
      const [from, to] = [this.centre(move.path[step - 1]), this.centre(move.path[step])];
      const running = piece.animate([{ transform: `translate(${from.x}px, ${from.y}px)` }, { transform: `translate(${to.x}px, ${to.y}px)` }],
        { duration: STEP_MS, easing: "ease-in-out", fill: "forwards" });
      await running.finished.catch(() => {});
      this.pieces.get(move.captured[step - 1])?.remove();
    }
  }

  drawPieces(fen) {
    this.pieces = new Map();
    this.pieceLayer.replaceChildren();
    this.found = readFen(fen);
    for (const [square, kind] of this.found) {
      const { x, y } = this.centre(square);
      const piece = element("g", { class: `piece ${kind.toLowerCase() === "b" ? "black" : "white"}`, transform: `translate(${x} ${y})` },
        element("circle", { r: 38 }), element("circle", { r: 26, class: "ring" }));
      if (kind !== kind.toLowerCase()) piece.append(element("path", { d: CROWN, class: "crown" }));
      this.pieces.set(square, piece);
      this.pieceLayer.append(piece);
    }
  }

  // The moves that go on from what is selected.
  open() {
    return this.legal.filter((move) => this.prefix.every((square, i) => move.path[i] === square));
  }

  targets() {
    const next = new Set(), ends = new Set();
    if (this.prefix.length) for (const move of this.open()) {
      next.add(move.path[this.prefix.length]);
      ends.add(move.path.at(-1));
    }
    return { next, ends };
  }

  canStart(square) { return this.legal.some((move) => move.path[0] === square); }

  select(square) {
    this.prefix = [square];
    this.onChoice([]);
    this.draw();
  }

  clear() {
    this.prefix = [];
    this.onChoice([]);
    this.draw();
  }

  // A square was chosen as the next or the last of a move.
  choose(square, dragged = false) {
    if (this.onSquare) { this.onSquare(square); return; }
    const moves = this.open();
    const { next, ends } = this.targets();
    if (next.has(square)) {
      this.prefix = [...this.prefix, square];
      const left = this.open();
      const complete = left.find((move) => move.path.length === this.prefix.length);
      if (complete) this.play(complete);
      else if (dragged && left.length === 1) this.play(left[0]);
      else this.draw();
    } else if (ends.has(square)) {
      const ways = moves.filter((move) => move.path.at(-1) === square);
      if (ways.length === 1) this.play(ways[0]);
      else this.onChoice(ways);
    } else {
      this.clear();
    }
  }

  play(move) {
    this.prefix = [];
    this.legal = [];
    this.onChoice([]);
    this.onMove(move);
  }

  draw() {
    this.drawPieces(this.fen);
    if (this.prefix.length > 1) {
      const { x, y } = this.centre(this.prefix.at(-1));
      this.pieces.get(this.prefix[0])?.setAttribute("transform", `translate(${x} ${y})`);
    }
    this.marks.replaceChildren();
    this.overlay.replaceChildren();
    const { next, ends } = this.targets();
    const starts = new Set(this.legal.map((move) => move.path[0]));
    for (const [square, group] of this.squares) {
      const piece = this.found.get(square);
      const says = [`square ${square}`, piece ? NAMES[piece] : "empty"];
      const isTarget = next.has(square) || ends.has(square);
      if (this.prefix.at(-1) === square) says.push("selected");
      else if (isTarget) says.push("can go here");
      else if (starts.has(square) && this.prefix.length < 2) says.push("can move");
      group.setAttribute("aria-label", says.join(", "));
      group.classList.toggle("active", Boolean(this.onSquare) || isTarget || starts.has(square));
      group.classList.toggle("last", Boolean(this.last?.path.includes(square)));
      const { x, y } = this.centre(square);
      if (isTarget) this.marks.append(element("circle", { cx: x, cy: y, r: 17, class: "target" }), element("circle", { cx: x, cy: y, r: 17, class: "target-ring" }));
      if (this.prefix.at(-1) === square) this.overlay.append(element("circle", { cx: x, cy: y, r: 43, class: "selected" }));
      else if (starts.has(square) && !this.prefix.length) this.overlay.append(element("circle", { cx: x, cy: y, r: 44, class: "movable" }));
    }
    if (this.hint) this.overlay.append(element("polyline", { class: "hint", points: this.hint.map((square) => { const { x, y } = this.centre(square); return `${x},${y}`; }).join(" ") }));
    for (const [square, value] of Object.entries(this.worth ?? {})) {
      const { x, y } = this.centre(Number(square));
      this.overlay.append(element("text", { x, y: y + 8, class: "worth" }, `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`));
    }
  }
}
