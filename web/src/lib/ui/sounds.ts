/** Short sounds, made by the browser itself: dice on a table, and a soft call when it is one's turn. */

import { preferences } from "../settings/preferences.svelte";

let desk: AudioContext | null = null;

/** The browser's sounds; nothing where there are none, or nobody wants them. */
function wanted(): AudioContext | null {
  if (!preferences.sounds || typeof AudioContext === "undefined") return null;
  desk ??= new AudioContext();
  // A page that nobody has touched yet may make no sound.
  if (desk.state === "suspended") void desk.resume();
  return desk;
}

/** A knock: noise through a narrow filter, over in a moment. */
function knock(on: AudioContext, at: number, pitch: number, loud: number): void {
  const long = 0.05;
  const noise = on.createBuffer(1, Math.ceil(on.sampleRate * long), on.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const source = new AudioBufferSourceNode(on, { buffer: noise });
  const filter = new BiquadFilterNode(on, { type: "bandpass", frequency: pitch, Q: 3 });
  const volume = new GainNode(on, { gain: loud });
  source.connect(filter).connect(volume).connect(on.destination);
  source.start(at);
}

/** A tone that swells and fades. */
function tone(on: AudioContext, at: number, pitch: number): void {
  const source = new OscillatorNode(on, { type: "sine", frequency: pitch });
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.11, at + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.0008, at + 0.42);
  source.connect(volume).connect(on.destination);
  source.start(at);
  source.stop(at + 0.45);
}

export const sounds = {
  /** So many dice fall. */
  dice(many: number): void {
    const on = wanted();
    if (!on) return;
    for (let i = 0; i < Math.min(6, 2 + many); i += 1)
      knock(on, on.currentTime + i * 0.075 + Math.random() * 0.02, 1500 - i * 130, 0.5 / (1 + i * 0.3));
  },

  /** Something is to be decided. */
  turn(): void {
    const on = wanted();
    if (!on) return;
    tone(on, on.currentTime, 523.25);
    tone(on, on.currentTime + 0.16, 659.25);
  },
};
