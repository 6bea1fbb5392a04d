import { beforeEach, describe, expect, it, vi } from "vitest";

/** Sounds as they were begun: the kind of their source, and when. */
const begun: [kind: string, at: number][] = [];
const desks: unknown[] = [];

class Part {
  readonly gain = { setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
  connect(next: unknown): unknown {
    return next;
  }
  start(at: number): void {
    begun.push([this.constructor.name, at]);
  }
  stop(): void {
    // Over by itself.
  }
}
class Noise extends Part {}
class Tone extends Part {}
class Desk {
  state = "suspended";
  currentTime = 1;
  sampleRate = 8000;
  destination = {};
  resume = vi.fn(() => Promise.resolve());
  constructor() {
    desks.push(this);
  }
  createBuffer(_: number, long: number): unknown {
    return { getChannelData: () => new Float32Array(long) };
  }
}
vi.stubGlobal("AudioContext", Desk);
vi.stubGlobal("AudioBufferSourceNode", Noise);
vi.stubGlobal("OscillatorNode", Tone);
vi.stubGlobal("BiquadFilterNode", Part);
vi.stubGlobal("GainNode", Part);
const preferences = vi.hoisted(() => ({ sounds: false }));
vi.mock("../src/lib/settings/preferences.svelte", () => ({ preferences }));
const { sounds } = await import("../src/lib/ui/sounds");

describe("sounds", () => {
  beforeEach(() => {
    begun.length = 0;
    preferences.sounds = false;
  });

  it("are not made unless somebody wants them", () => {
    sounds.dice(2);
    sounds.turn();
    expect([begun, desks]).toEqual([[], []]);
  });

  it("knock for dice, and call when it is one's turn", () => {
    preferences.sounds = true;
    sounds.dice(2);
    expect(begun.map(([kind]) => kind)).toEqual(["Noise", "Noise", "Noise", "Noise"]);
    expect(begun.every(([, at], i) => i === 0 || at > begun[i - 1]![1])).toBe(true);
    begun.length = 0;
    sounds.turn();
    expect(begun.map(([kind]) => kind)).toEqual(["Tone", "Tone"]);
    begun.length = 0;
    sounds.dice(40); // many dice are not louder than a handful
    expect(begun).toHaveLength(6);
    expect(desks).toHaveLength(1);
  });
});
