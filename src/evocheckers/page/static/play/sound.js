// Sounds of wood, made here: a knock for a step, two for a capture, three notes for the end. Off until switched on.

import { input } from "../common/dom.js";
import { isOn, remember } from "../common/preferences.js";

/** @import { Session } from "./session.js" */

/** @type {AudioContext | null} */
let audio = null;

/**
 * @param {number} pitch in hertz
 * @param {number} delay in seconds
 * @param {number} length in seconds
 */
function knock(pitch, delay = 0, length = 0.08) {
  audio ??= new AudioContext();
  const at = audio.currentTime + delay;
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const loudness = new GainNode(audio, { gain: 0 });
  loudness.gain.setValueAtTime(0.25, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(loudness).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** @param {Session} session */
export function mountSound(session) {
  const choice = input("with-sound");
  choice.checked = isOn("sound", false);
  choice.addEventListener("change", () => {
    remember("sound", choice.checked ? "on" : "off");
    if (choice.checked) knock(220);
  });
  let heard = "";
  session.subscribe(() => {
    const { game, last } = session;
    if (!game) return;
    const now = `${game.id} ${session.fenAt(session.shown)} ${Boolean(game.ending)}`;
    const isNews = heard !== "" && heard !== now && heard.startsWith(game.id);
    heard = now;
    if (!isNews || !choice.checked || !last) return;
    if (game.ending && session.isLive) [262, 330, 392].forEach((pitch, i) => knock(pitch, 0.12 * i, 0.3));
    else if (last.captured.length) last.captured.forEach((_, i) => knock(300 - 40 * (i % 2), 0.09 * i));
    else knock(220);
  });
}
