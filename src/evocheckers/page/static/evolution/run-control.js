// Starting a run from the page, ending it, going on with it.

import { get, messageOf, post } from "../common/api.js";
import { $, button, form, input, make, select } from "../common/dom.js";

/** @import { Run } from "./curves.js" */
/** @typedef {{name: string, about: string, generations: number, most: number}} Preset */
/** @typedef {{allowed: boolean, running: string | null, message: string, presets: Preset[]}} EvolutionState */

const POLL_MS = 2000;

export class RunControl {
  /** @param {(run: string) => void} onGrowing told when another run grows, or none any more */
  constructor(onGrowing) {
    this.onGrowing = onGrowing;
    /** @type {EvolutionState | null} */
    this.state = null;
    /** @type {Run | null} the run that is looked at */
    this.run = null;
    select("evolve-preset").addEventListener("change", () => this.choose());
    form("evolve-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const preset = select("evolve-preset").value;
      const [seed, generations] = ["evolve-seed", "evolve-generations"].map((id) => Number(input(id).value));
      this.ask("/api/evolution", { preset, seed, generations });
    });
    button("evolve-stop").addEventListener("click", () => this.ask("/api/evolution/stop"));
    button("evolve-resume").addEventListener("click", () => {
      if (this.run) this.ask("/api/evolution/resume", { run: this.run.name });
    });
    setInterval(() => !document.hidden && this.state?.running && this.refresh(), POLL_MS);
  }

  async refresh() {
    try {
      this.take(await get("/api/evolution"));
    } catch (error) {
      $("evolve-message").textContent = messageOf(error);
    }
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async ask(path, body = {}) {
    button("evolve-start").disabled = true;
    $("evolve-message").textContent = "One moment…";
    try {
      this.take(await post(path, body));
    } catch (error) {
      await this.refresh();
      $("evolve-message").textContent = messageOf(error);
    }
  }

  /** @param {EvolutionState} state */
  take(state) {
    const before = this.state?.running ?? null;
    const isFirst = this.state === null;
    this.state = state;
    $("evolve").hidden = !state.allowed;
    $("evolve-off").hidden = state.allowed;
    if (isFirst) {
      select("evolve-preset").replaceChildren(...state.presets.map(({ name }) => new Option(name, name)));
      this.choose();
    }
    button("evolve-start").disabled = state.running !== null;
    button("evolve-stop").hidden = state.running === null;
    const growing = state.running ? make("strong", { textContent: `${state.running} is growing.` }) : state.message;
    $("evolve-message").replaceChildren(growing);
    this.offer(this.run);
    if (state.running !== before) this.onGrowing(state.running ?? before ?? "");
  }

  /**
   * Whether the run that is looked at can be gone on with.
   * @param {Run | null} run
   */
  offer(run) {
    this.run = run;
    const isOpen = run !== null && run.generation < run.generations;
    button("evolve-resume").hidden = !isOpen || !this.state?.allowed || this.state.running !== null;
    if (run) button("evolve-resume").textContent = `Continue ${run.name}`;
  }

  choose() {
    const preset = this.state?.presets.find(({ name }) => name === select("evolve-preset").value);
    if (!preset) return;
    $("evolve-about").textContent = `${preset.about}. At most ${preset.most} generations here.`;
    input("evolve-generations").max = String(preset.most);
    input("evolve-generations").value = String(preset.generations);
  }
}
