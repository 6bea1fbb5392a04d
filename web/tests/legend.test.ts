import { describe, expect, it } from "vitest";
import { Finder, groundsOf, readingOf, Samples, signOf, valueOf, type Legend } from "../src/lib/legend/legend";
import { counterSpot } from "../src/lib/legend/spots";
import type { CounterItem, GameDetail } from "../src/lib/api/types";

const part = (part: string, zero = false) => ({ part, name: part, text: "", rule: "1", zero });
const LEGEND: Legend = {
  counters: [
    { kinds: ["hq"], name: "headquarters", parts: [part("strength.0")] },
    { kinds: [], name: "combat unit", parts: [part("strength.0"), part("strength.1")] },
  ],
  marks: [{ id: "out_of_supply", name: "out of supply", text: "", rule: "5" }],
  markers: [],
  grounds: [
    { of: "terrain", id: "rough", name: "rough", text: "", rule: "2", effects: [] },
    { of: "tag", id: "town", name: "town", text: "", rule: "2", effects: [] },
    { of: "hexside", id: "wadi", name: "wadi", text: "", rule: "2", effects: [] },
    { of: "way", id: "trail", name: "trail", text: "", rule: "2", effects: [] },
  ],
  terms: [
    { term: "zone of control", also: ["ZOC"], text: "six hexes", rule: "3" },
    { term: "limited ZOC", also: [], text: "weak", rule: "3" },
    { term: "MC", also: [], text: "a check", rule: "4" },
  ],
};
const ITEM: CounterItem = {
  side: "axis",
  hidden: false,
  strength: "4-5",
  values: ["6"],
  steps: [1, 2],
  symbol: "armor",
};

describe("a counter", () => {
  it("is read by the entry of its kind, or by the one for all others", () => {
    expect(readingOf(LEGEND, { symbol: "hq" })?.name).toBe("headquarters");
    expect(readingOf(LEGEND, { symbol: "armor" })?.name).toBe("combat unit");
  });

  it("shows what its parts name, and nothing where it shows none", () => {
    const value = (name: string, item: Partial<CounterItem> = {}): string =>
      valueOf(part(name), { ...ITEM, ...item }, undefined);
    expect(value("strength.0")).toBe("4");
    expect(value("strength.1")).toBe("5");
    expect(value("strength.0", { strength: "-1" })).toBe("-1");
    expect(value("strength.1", { strength: "7" })).toBe("");
    expect(value("values.0")).toBe("6");
    expect(value("steps")).toBe("1 / 2");
    expect(value("steps", { steps: [0, 0] })).toBe("");
    expect(value("boxed.1", { boxed: ["", "elite", ""] })).toBe("elite");
    expect(value("elite", { elite: true })).toBe("✓");
    expect(value("elite", { elite: false })).toBe("");
  });

  it("tells facts of its row; a nought only where it means something", () => {
    const row = { name: "8-0", side: "axis", size: "+1", facts: { bmg: "0", leadership: "0", mp: "13" } };
    expect(valueOf(part("row.mp"), ITEM, row)).toBe("13");
    expect(valueOf(part("row.size"), ITEM, row)).toBe("+1");
    expect(valueOf(part("row.bmg"), ITEM, row)).toBe("");
    expect(valueOf(part("row.leadership", true), ITEM, row)).toBe("0");
    expect(valueOf(part("row.mp"), ITEM, undefined)).toBe("");
  });

  it("has the numbers beside the figures that it shows", () => {
    expect(counterSpot("strength.0", ITEM)?.[0]).toBe(-13.5);
    expect(counterSpot("values.0", ITEM)?.[0]).toBe(13.5);
    expect(counterSpot("values.0", { ...ITEM, strength: "3" })?.[0]).toBe(9);
    expect(counterSpot("row.fp", ITEM)).toBeNull();
  });

  it("bears marks whose words are parted by a blank or by a line", () => {
    expect(signOf(LEGEND.marks, "out of supply")?.rule).toBe("5");
    expect(signOf(LEGEND.marks, "out_of_supply")?.rule).toBe("5");
    expect(signOf(LEGEND.marks, "broken")).toBeUndefined();
  });
});

const hex = (id: string, x: number, terrain: string, tags: string[] = []) => ({ id, x, y: 0, terrain, tags });
const DETAIL = {
  grid: {
    orientation: "pointy",
    directions: [],
    radius: 57.7,
    width: 500,
    height: 100,
    hexes: [
      hex("01", 0, "rough"),
      hex("02", 100, "clear", ["town"]),
      hex("03", 200, "rough"),
      hex("04", 300, "rough"),
      hex("05", 400, "rough"),
    ],
  },
  ways: [{ hex: "01", neighbour: "02", kind: "trail" }],
  hexsides: [{ hex: "02", neighbour: "03", kind: "wadi" }],
  places: [],
} as unknown as GameDetail;

describe("ground", () => {
  it("of a hex is its terrain, its tags, its hexsides and its ways", () => {
    const names = (at: number): string[] =>
      groundsOf(LEGEND, DETAIL.grid!.hexes[at]!, DETAIL).map((ground) => `${ground.of} ${ground.id}`);
    expect(names(1)).toEqual(["tag town", "hexside wadi", "way trail"]);
    expect(names(0)).toEqual(["terrain rough", "way trail"]);
  });

  it("is shown where it is seen best: a terrain deep inside it, a hexside in its middle", () => {
    const samples = new Samples(DETAIL);
    expect(samples.of({ of: "terrain", id: "rough" })?.hex).toBe("04");
    expect(samples.of({ of: "tag", id: "town" })?.hex).toBe("02");
    expect(samples.of({ of: "hexside", id: "wadi" })?.x).toBe(150);
    expect(samples.of({ of: "way", id: "railway" })).toBeNull();
  });
});

describe("words of the rules", () => {
  const finder = new Finder(LEGEND.terms, (word) => word, "en");
  const found = (text: string): string[] =>
    finder.split(text).flatMap((part) => (typeof part === "string" ? [] : [part.word]));

  it("are found in texts, the longest first, each where it stands first", () => {
    expect(found("A limited ZOC is no ZOC. Zone of control")).toEqual(["limited ZOC", "ZOC"]);
    expect(found("Zone of control")).toEqual(["Zone of control"]);
    expect(finder.split("The ZOC ends")).toEqual(["The ", { word: "ZOC", term: LEGEND.terms[0] }, " ends"]);
  });

  it("are whole words, and abbreviations are written large", () => {
    expect(found("EZOC, ZOCs, mc, MCs, MC-like, zoc")).toEqual([]);
    expect(found("(MC)")).toEqual(["MC"]);
  });

  it("are found without blanks where the language has none", () => {
    const japanese = new Finder(LEGEND.terms, (word) => ({ "zone of control": "支配地域" })[word] ?? word, "ja");
    expect(japanese.split("敵の支配地域に入る")).toEqual([
      "敵の",
      { word: "支配地域", term: LEGEND.terms[0] },
      "に入る",
    ]);
    expect(japanese.split("敵ZOCに入る")[1]).toEqual({ word: "ZOC", term: LEGEND.terms[0] });
  });

  it("leave a text alone that has none", () => {
    expect(finder.split("Nothing here")).toEqual(["Nothing here"]);
    expect(new Finder([], (word) => word, "en").split("ZOC")).toEqual(["ZOC"]);
  });
});
