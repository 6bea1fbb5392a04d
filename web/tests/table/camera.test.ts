import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Camera } from "../../src/lib/table/map/camera.svelte";

/** A camera over a sheet of 3000 × 2000, without a browser: it goes where it wants to at once. */
function camera(k: number): Camera {
  const made = new Camera();
  Object.assign(made, {
    size: { width: 3000, height: 2000 },
    width: 1440,
    height: 900,
    insets: { top: 52, right: 372, bottom: 20, left: 68 },
    set: (x: number, y: number, zoom: number) => Object.assign(made, { x, y, k: zoom }),
  });
  made.fly({ x: 1500, y: 1000 }, k);
  return made;
}

/** A reach that no window holds at a near zoom, and one that lies in sight. */
const WIDE = { x: 100, y: 100, width: 2200, height: 1400 };
const NEAR = { x: 1450, y: 950, width: 100, height: 100 };

describe("the camera", () => {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => (frame(0), 0));
    vi.stubGlobal("cancelAnimationFrame", () => undefined);
  });
  afterEach(() => vi.unstubAllGlobals());

  it("goes farther away to show a reach, and back to the player's zoom, however often", () => {
    const one = camera(1.2);
    for (let i = 0; i < 12; i += 1) {
      one.gather(WIDE);
      expect(one.k).toBeLessThan(0.6);
      one.gather({ ...WIDE, x: 700 }); // another reach, before the first is put away
      one.giveBack();
      expect(one.k).toBe(1.2);
    }
  });

  it("stays where it is for what is in sight", () => {
    const one = camera(1.2);
    const before = [one.x, one.y, one.k];
    one.gather(NEAR);
    one.giveBack();
    expect([one.x, one.y, one.k]).toEqual(before);
  });

  it("keeps a zoom that the player chose meanwhile", () => {
    const one = camera(1.2);
    one.gather(WIDE);
    one.in();
    const own = one.k;
    one.giveBack();
    expect(one.k).toBe(own);
  });

  it("goes back to a place at the edge of the map, and reveals it, above the strip at its foot", () => {
    const foot = 150;
    const edge = { x: 1500, y: 1950 };
    const free = 900 - 20 - foot;
    const one = camera(1.2);
    one.gather(WIDE);
    one.giveBack(edge, foot);
    expect(one.k).toBe(1.2);
    expect(one.screen(edge).y).toBeLessThan(free);
    const other = camera(1.2);
    other.reveal(edge, foot);
    expect(other.screen(edge).y).toBeLessThan(free);
  });

  it("never goes farther away to reveal a place", () => {
    const one = camera(1.2);
    for (const at of [
      { x: 0, y: 0 },
      { x: 2990, y: 1990 },
      { x: 1500, y: 20 },
    ])
      one.reveal(at);
    expect(one.k).toBe(1.2);
  });
});
