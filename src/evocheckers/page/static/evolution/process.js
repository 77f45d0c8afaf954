// Breeding from the page: start a run, end it, go on with it.

import { get, messageOf, post } from "../common/api.js";
import { $, button, form, input, make, select } from "../common/dom.js";

/** @import { Run } from "./curves.js" */
/** @typedef {{name: string, about: string, generations: number, most: number}} Preset */
/** @typedef {{allowed: boolean, running: string | null, message: string, presets: Preset[]}} Breeding */

const POLL_MS = 2000;

export class Breeder {
  /** @param {(run: string) => void} onGrowing told when another run grows, or none any more */
  constructor(onGrowing) {
    this.onGrowing = onGrowing;
    /** @type {Breeding | null} */
    this.state = null;
    /** @type {Run | null} the run that is looked at */
    this.run = null;
    select("breed-preset").addEventListener("change", () => this.choose());
    form("breed-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const preset = select("breed-preset").value;
      const [seed, generations] = ["breed-seed", "breed-generations"].map((id) => Number(input(id).value));
      this.ask("/api/breeding", { preset, seed, generations });
    });
    button("breed-stop").addEventListener("click", () => this.ask("/api/breeding/stop"));
    button("breed-resume").addEventListener("click", () => {
      if (this.run) this.ask("/api/breeding/resume", { run: this.run.name });
    });
    setInterval(() => !document.hidden && this.state?.running && this.look(), POLL_MS);
  }

  async look() {
    try {
      this.take(await get("/api/breeding"));
    } catch (error) {
      $("breed-word").textContent = messageOf(error);
    }
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async ask(path, body = {}) {
    button("breed-start").disabled = true;
    $("breed-word").textContent = "One moment…";
    try {
      this.take(await post(path, body));
    } catch (error) {
      await this.look();
      $("breed-word").textContent = messageOf(error);
    }
  }

  /** @param {Breeding} state */
  take(state) {
    const before = this.state?.running ?? null;
    const isFirst = this.state === null;
    this.state = state;
    $("breeding").hidden = !state.allowed;
    $("breeding-off").hidden = state.allowed;
    if (isFirst) {
      select("breed-preset").replaceChildren(...state.presets.map(({ name }) => new Option(name, name)));
      this.choose();
    }
    button("breed-start").disabled = state.running !== null;
    button("breed-stop").hidden = state.running === null;
    const growing = state.running ? make("strong", { textContent: `${state.running} is growing.` }) : state.message;
    $("breed-word").replaceChildren(growing);
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
    button("breed-resume").hidden = !isOpen || !this.state?.allowed || this.state.running !== null;
    if (run) button("breed-resume").textContent = `Continue ${run.name}`;
  }

  choose() {
    const preset = this.state?.presets.find(({ name }) => name === select("breed-preset").value);
    if (!preset) return;
    $("breed-about").textContent = `${preset.about}. At most ${preset.most} generations here.`;
    input("breed-generations").max = String(preset.most);
    input("breed-generations").value = String(preset.generations);
  }
}
