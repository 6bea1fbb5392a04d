/** The turn of the other side is told at a pace that one can follow, and can be skipped. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EventItem, GridInfo, Scene } from "../../src/lib/api/types";
import { Animation } from "../../src/lib/table/map/animation.svelte";
import { Grid } from "../../src/lib/table/map/geometry";

const HEXES = Array.from({ length: 8 }, (_, i) => ({ id: `010${i}`, x: 100 * i, y: 0 }));
const GRID = new Grid({ hexes: HEXES, width: 900, height: 100, orientation: "pointy" } as unknown as GridInfo);
const UNITS = ["A", "B", "C", "D"];
const BEFORE: Scene = { counters: UNITS.map((unit) => ({ unit, side: "blue", hex: "0100" })) } as unknown as Scene;
const went = (unit: string, n: number): EventItem =>
  ({ n, kind: "moved", unit, from: "0100", to: "0102", path: ["0100", "0101", "0102"] }) as unknown as EventItem;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("tells a turn line by line, long enough to follow each", async () => {
  const animation = new Animation();
  const done = animation.play(UNITS.map(went), BEFORE, GRID);
  const seen: string[] = [];
  for (let ms = 0; animation.running; ms += 50) {
    const { line } = animation;
    if (line?.unit && seen.at(-1) !== `${line.unit}`) seen.push(`${line.unit}`);
    expect(animation.told).toBe(true);
    expect(ms).toBeLessThan(10_000);
    await vi.advanceTimersByTimeAsync(50);
    if (seen.length === 1) expect(ms).toBeLessThan(700); // each for its half second
    if (seen.length === 4) expect(ms).toBeGreaterThan(1200);
  }
  await done;
  expect(seen).toEqual(UNITS);
});

it("ends at once when it is skipped", async () => {
  const animation = new Animation();
  const done = animation.play(UNITS.map(went), BEFORE, GRID);
  await vi.advanceTimersByTimeAsync(100);
  expect(animation.running).toBe(true);
  expect(animation.skip()).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  await done;
  expect(animation.running).toBe(false);
  expect(animation.scene).toBe(null);
  expect(animation.skip()).toBe(false);
});

it("goes faster through what would take a minute", async () => {
  const animation = new Animation();
  const many = Array.from({ length: 200 }, (_, n) => went(UNITS[n % 4]!, n));
  const back = many.map((event, n) =>
    n % 8 < 4 ? event : { ...event, path: ["0102", "0101", "0100"] },
  ) as EventItem[];
  const done = animation.play(back, BEFORE, GRID);
  let ms = 0;
  for (; animation.running; ms += 500) await vi.advanceTimersByTimeAsync(500);
  await done;
  expect(ms).toBeLessThan(45_000);
});

it.each([
  ["slow", 1.8],
  ["fast", 0.45],
])("takes the time of the pace that is wished: %s", async (pace, share) => {
  const long = async (wished: string): Promise<number> => {
    const getItem = (key: string): string | null => (key === "sandtable.pace" ? JSON.stringify(wished) : null);
    vi.stubGlobal("localStorage", { getItem, setItem: () => undefined });
    const animation = new Animation();
    const done = animation.play(UNITS.map(went), BEFORE, GRID);
    let ms = 0;
    for (; animation.running; ms += 10) await vi.advanceTimersByTimeAsync(10);
    await done;
    return ms;
  };
  const usual = await long("normal");
  expect(await long(pace)).toBeGreaterThan(usual * share * 0.9);
  expect(await long(pace)).toBeLessThan(usual * share * 1.1);
});
