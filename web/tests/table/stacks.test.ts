import { describe, expect, it } from "vitest";
import type { CounterItem, EventItem, PlaceInfo } from "../../src/lib/api/types";
import { hexFacts, shortDates } from "../../src/lib/table/odds/facts";
import { placeNames } from "../../src/lib/table/decision/labels";
import { areDice, joined, logParts, pathOf } from "../../src/lib/table/story/log";
import { average, percent, shown } from "../../src/lib/table/odds/odds";
import { tools } from "../../src/lib/table/layers/overlays";
import { blockStack, fan, inSight, ordered, pileStack, rows } from "../../src/lib/table/pieces/stacks";
import { nextStep, segments, stepAt, ticks } from "../../src/lib/table/story/timeline";

const SIDES = ["axis", "allied"];
const at = { x: 500, y: 500 };
const block = (side: string, unit?: string): CounterItem => ({
  side,
  hex: "0101",
  hidden: !unit,
  ...(unit ? { unit } : {}),
});

describe("stacks", () => {
  it("divides rows evenly, the longer ones below", () => {
    expect(rows([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
    expect(rows([1, 2, 3, 4, 5], 3)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it("keeps sides apart and blocks within the hex, for any number", () => {
    for (let n = 1; n <= 20; n++) {
      const items = Array.from({ length: n }, (_, i) => block(i % 3 ? "axis" : "allied", `U${i}`));
      const stack = blockStack("0101", at, items, SIDES);
      expect(stack.items).toHaveLength(n);
      expect(new Set(stack.items.map((p) => p.key)).size).toBe(n);
      expect(stack.box.width).toBeLessThan(112);
      expect(stack.box.height).toBeLessThan(112);
      const lines = new Map<number, Set<string>>();
      for (const p of stack.items) lines.set(p.y, (lines.get(p.y) ?? new Set()).add(p.item.side));
      for (const sides of lines.values()) expect(sides.size).toBe(1);
    }
  });

  it("leaves twenty blocks large enough to read their numbers", () => {
    const items = Array.from({ length: 20 }, (_, i) => block("axis", `U${i}`));
    for (const { size } of blockStack("0101", at, items, SIDES).items) expect(size).toBeGreaterThan(18);
  });

  it("fans twenty blocks out side by side, each to be touched, within a phone and at the edge of a table", () => {
    const items = Array.from({ length: 20 }, (_, i) => block("axis", `U${i}`));
    for (const limit of [
      { x: 0, y: 0, width: 390, height: 420 },
      { x: 80, y: 60, width: 940, height: 700 },
    ]) {
      const spread = fan(blockStack("0101", at, items, SIDES), 46, limit);
      expect(spread).toHaveLength(20);
      for (const [i, one] of spread.entries()) {
        expect(one.size).toBeGreaterThanOrEqual(44);
        expect(one.x - 23).toBeGreaterThanOrEqual(limit.x - 0.1);
        expect(one.x + 23).toBeLessThanOrEqual(limit.x + limit.width + 0.1);
        expect(one.y - 23).toBeGreaterThanOrEqual(limit.y - 0.1);
        expect(one.y + 23).toBeLessThanOrEqual(limit.y + limit.height + 0.1);
        for (const other of spread.slice(i + 1))
          expect(Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y))).toBeGreaterThanOrEqual(46);
      }
    }
  });

  it("tells nothing by the order of hidden blocks", () => {
    const one = ordered([block("allied"), block("axis", "A"), block("allied")], SIDES);
    expect(one.map((item) => item.side)).toEqual(["allied", "allied", "axis"]);
    const keys = blockStack("0101", at, one, SIDES).items.map((p) => p.key);
    expect(keys).toEqual(["allied@0101#0", "allied@0101#1", "A"]);
  });

  it("piles counters with their number, and fans them out inside a limit", () => {
    const stack = pileStack("0101", at, [block("axis", "A"), block("axis", "B"), block("axis", "C")], SIDES);
    expect(stack.piles).toMatchObject([{ side: "axis", count: 3 }]);
    expect(stack.items.at(-1)?.key).toBe("A");
    const spread = fan(stack, 60, { x: 0, y: 0, width: 520, height: 900 });
    expect(new Set(spread.map((p) => p.x)).size).toBe(3);
    for (const p of spread) expect(p.x + 30).toBeLessThanOrEqual(520.1);
    // The map has flown on: nothing of it is left at the edge.
    const { x, y } = stack.box;
    expect(inSight(stack, { x: x - 100, y: y - 100, width: 520, height: 900 })).toBe(true);
    expect(inSight(stack, { x: 2000, y: y - 100, width: 520, height: 900 })).toBe(false);
    expect(inSight(stack, { x: x - 100, y: 2000, width: 520, height: 900 })).toBe(false);
  });
});

describe("names", () => {
  const place = (name: string, x: number, y: number, type = "town"): PlaceInfo => ({
    name,
    hex: `${x}`,
    kind: type,
    x,
    y,
    type,
    shown_from: 0,
  });
  const sheet = { width: 1000, height: 800, zoom: 1.26, pitch: 100, name: (p: PlaceInfo) => p.name };

  it("stand aside for counters and for each other", () => {
    const room = { x: 470, y: 470, width: 60, height: 60 };
    const labels = placeNames([place("Tobruk", 500, 500, "city"), place("Acroma", 500, 540)], {
      ...sheet,
      stacks: new Map([["500", room]]),
    });
    expect(labels).toHaveLength(2);
    const apart = (a: { x: number; y: number; width: number; height: number }, b: typeof a) =>
      a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    expect(apart(labels[0]!.box, room)).toBe(true);
    expect(apart(labels[0]!.box, labels[1]!.box)).toBe(true);
  });

  it("are shown from their zoom on", () => {
    const far = { ...place("Bir", 200, 200), shown_from: 90 };
    expect(placeNames([far], { ...sheet, zoom: 0.5, stacks: new Map() })).toHaveLength(0);
    expect(placeNames([far], { ...sheet, zoom: 1, stacks: new Map() })).toHaveLength(1);
  });
});

describe("log and timeline", () => {
  const event = (n: number, kind: string, more: Partial<EventItem> = {}): EventItem => ({
    n,
    event: kind,
    rule: "",
    text: kind,
    ...more,
  });
  const log = [
    event(1, "dealt"),
    event(2, "turn", { side: "axis" }),
    event(3, "moved"),
    event(4, "fired", { faces: [6, 1] }),
    event(5, "turn", { side: "allied" }),
    event(6, "moved"),
  ];

  it("heads parts, newest first", () => {
    const parts = logParts(log);
    expect(parts.map((p) => p.heading?.n ?? 0)).toEqual([5, 2, 0]);
    expect(parts[1]?.lines.map((e) => e.n)).toEqual([4, 3]);
  });

  it("drops what was taken back and adds nothing twice", () => {
    const more = joined(log, [event(6, "moved"), event(7, "undo", { entries: [6] })]);
    expect(more.map((e) => e.n)).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it("tells dice from cards and ways from places", () => {
    expect(areDice(event(1, "dealt", { faces: [3] }))).toBe(false);
    expect(areDice(event(1, "fired", { faces: [3, 6] }))).toBe(true);
    expect(pathOf(event(1, "moved", { from: "01", path: ["02", "03"] }))).toEqual(["01", "02", "03"]);
    expect(pathOf(event(1, "fired"))).toBeNull();
  });

  it("puts steps on a line", () => {
    const marks = ticks(log, 6);
    expect(marks.map((m) => m.kind)).toEqual(["step", "turn", "step", "dice", "turn", "step"]);
    expect(segments(log, 6).map((s) => [s.from, s.to])).toEqual([
      [2, 5],
      [5, 6],
    ]);
    expect([stepAt(-1, 6), stepAt(0.5, 6), stepAt(2, 6)]).toEqual([0, 3, 6]);
    expect([nextStep(marks, 3, 1, 6), nextStep(marks, 3, -1, 6), nextStep(marks, 6, 1, 6)]).toEqual([4, 2, 6]);
  });
});

describe("words and numbers", () => {
  it("rounds chances without lying", () => {
    expect([percent(0), percent(0.001), percent(0.5), percent(0.999), percent(1)]).toEqual([
      "0%",
      "<1%",
      "50%",
      ">99%",
      "100%",
    ]);
    expect([percent(0.1 + 0.2 + 0.7), percent(1 / 3 + 1 / 6 + 1 / 3 + 1 / 6 - 1e-12)]).toEqual(["100%", "100%"]);
    const many = Array.from({ length: 14 }, (_, i) => ({ result: `${i} hits`, chance: 1 / 14, exact: "1/14" }));
    expect(shown(many)).toHaveLength(9);
    expect(average(many)).toEqual({ value: "6.5", unit: "hits" });
    expect(
      average([
        { result: "success", chance: 0.5, exact: "" },
        { result: "failure", chance: 0.5, exact: "" },
      ]),
    ).toBeNull();
  });

  it("names a hex by what is in it", () => {
    const edges = [{ hex: "01", neighbour: "02", kind: "coast_road", name: "" }];
    expect(
      hexFacts({ id: "02", x: 0, y: 0, terrain: "land", tags: ["art:sand", "egypt"] }, { ways: edges, hexsides: [] }),
    ).toEqual({ terrain: "land", features: ["egypt", "coast road"] });
    expect(shortDates(["November 1941", "December 1941", "January 1942"])).toEqual(["Nov 1941", "Dec", "Jan 1942"]);
  });

  it("gives a key to one overlay each", () => {
    const keys = tools(
      [
        { id: "supply", title: "Supply" },
        { id: "enemy_supply", title: "Enemy supply" },
        { id: "threat", title: "Threat" },
      ],
      { control: { axis: ["01"] } },
    ).map((tool) => tool.key);
    expect(keys).toEqual(["s", "", "t", "c"]);
  });
});
