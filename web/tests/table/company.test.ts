/** A stack that is taken whole: by joining where the game knows that, else each going where the first has gone. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const wire = vi.hoisted(() => ({
  move: vi.fn(),
  about: vi.fn(() => Promise.resolve({ reason: null, hint: null, odds: null })),
  costs: vi.fn(() => Promise.resolve([])),
  undo: vi.fn(),
}));
vi.mock("../../src/lib/i18n/index.svelte", () => ({
  t: (text: string, facts: Record<string, string> = {}) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => facts[name]!),
}));
vi.mock("../../src/lib/i18n/speak.svelte", () => ({
  speak: { say: (_: unknown, text: string) => text, unit: (_: unknown, unit: string) => `the ${unit}` },
}));
vi.mock("../../src/lib/settings/preferences.svelte", () => ({ preferences: { help: "full" } }));
vi.mock("../../src/lib/api/client", async (original) => ({ ...(await original<object>()), api: wire }));
vi.mock("../../src/lib/api/live", () => ({ live: () => () => undefined }));

import type { ActionItem, CounterItem, GameDetail, GameRecord, TableState } from "../../src/lib/api/types";
import type { Together } from "../../src/lib/games/presentation";
import { readChoices, verbsByWord } from "../../src/lib/table/decision/choices";
import { companyOf } from "../../src/lib/table/pieces/company";
import { Interaction } from "../../src/lib/table/interaction.svelte";
import { TableStore } from "../../src/lib/table/table.svelte";

const VERBS = [
  ...["move", "join"].map((word) => ({ word, args: [{ name: "unit", kind: "unit" }] })),
  ...["to", "charge"].map((word) => ({ word, args: [{ name: "hex", kind: "hex" }] })),
  { word: "end", args: [] },
];
const counter = (unit: string, hex: string, pace: string, symbol = "infantry"): CounterItem => ({
  unit,
  hex,
  side: "red",
  symbol,
  values: [pace],
});
const COUNTERS = [
  counter("FAST", "0101", "6"),
  counter("SLOW", "0101", "3"),
  counter("HQ", "0101", "4", "hq"),
  counter("DONE", "0101", "3"),
  counter("FAR", "0202", "3"),
];
const EACH: Together = { move: "move", apart: ["hq"] };
const JOINING: Together = { ...EACH, add: "join" };

const item = (text: string): ActionItem => {
  const [verb = "", value] = text.split(" ");
  const name = VERBS.find(({ word }) => word === verb)?.args[0]?.name ?? "";
  return { action: value ? { do: verb, [name]: value } : { do: verb }, label: text, text };
};

function tableAt(length: number, ...actions: string[]): TableState {
  return {
    length,
    seat: "red",
    status: "running",
    to_act: "red",
    prompt: { title: "", text: "", rules: [], phase: "" },
    actions: actions.map(item),
    scene: { counters: COUNTERS },
    can_undo: length > 1,
    undo_asked: null,
    outcome: null,
    public: length,
  };
}

const ALL = ["move FAST", "move SLOW", "move HQ", "move FAR", "end"];

type Say = (...given: string[][]) => void;

function seated(together: Together): { store: TableStore; pointer: Interaction; sent: string[]; say: Say } {
  const store = new TableStore("g");
  store.seat = "red";
  store.record = { seats: [{ side: "red", title: "Red", you: true }] } as unknown as GameRecord;
  store.detail = { verbs: VERBS, sides: ["red", "blue"], grid: null } as unknown as GameDetail;
  store.presentation = { together, gathers: ["join"] };
  store.table = tableAt(1, ...ALL);
  const sent: string[] = [];
  const tables: TableState[] = [];
  const say: Say = (...given) => {
    tables.push(...given.map((actions, i) => tableAt(store.length + i + 1, ...actions)));
  };
  const next = (): { length: number; events: never[]; table: TableState } => {
    const table = tables.shift()!;
    return { length: table.length, events: [], table };
  };
  wire.move.mockImplementation(async (...given: unknown[]) => {
    sent.push(Object.values(given[4] as Record<string, string>).join(" "));
    return next();
  });
  wire.undo.mockImplementation(async () => {
    sent.push("undo");
    return next();
  });
  return { store, pointer: new Interaction(store), sent, say };
}

const HERE = { x: 0, y: 0 };
const stack = (pointer: Interaction, unit: string): Promise<void> =>
  pointer.pointAt({ kind: "unit", value: unit }, HERE, false, false);

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

it("knows who goes together: of one hex, who may move, the slowest first; headquarters go by themselves", () => {
  const choices = readChoices(ALL.map(item), verbsByWord(VERBS as unknown as GameDetail["verbs"]));
  expect(companyOf(COUNTERS, choices, "FAST", EACH)).toEqual(["SLOW", "FAST"]);
  expect(companyOf(COUNTERS, choices, "HQ", EACH)).toEqual(["HQ"]);
  expect(companyOf(COUNTERS, choices, "FAR", EACH)).toEqual(["FAR"]);
  expect(companyOf(COUNTERS, choices, "FAST", undefined)).toEqual(["FAST"]);
});

it("gathers a whole stack where the game lets units join, and takes all of it back at once", async () => {
  const { pointer, sent, say } = seated(JOINING);
  say(["join FAST", "join HQ", "to 0303"], ["join HQ", "to 0303"]);
  await stack(pointer, "FAST");
  expect(sent).toEqual(["move SLOW", "join FAST"]);
  expect(pointer.company).toEqual(["SLOW", "FAST"]);
  expect(pointer.subject.map(({ value }) => value)).toEqual(["SLOW", "FAST"]);
  say(["join FAST", "join HQ", "to 0303"], ALL);
  await pointer.back();
  expect(sent.slice(2)).toEqual(["undo", "undo"]);
  expect(pointer.company).toEqual([]);
});

it("sends the others where the first has gone, and takes all of it back at once", async () => {
  const { pointer, sent, say } = seated(EACH);
  const ways = ["to 0303", "to 0404", "charge 0303"];
  say(ways);
  await stack(pointer, "SLOW");
  expect(sent).toEqual(["move SLOW"]);
  const fast = [...ways, "to 0505"];
  say(["move FAST", "end"], fast, ["move FAR", "move HQ", "end"]);
  await pointer.pointAt({ kind: "hex", value: "0404" }, HERE);
  expect(sent.slice(1)).toEqual(["to 0404", "move FAST", "to 0404"]);
  expect(pointer.company).toEqual([]);
  say(fast, ["move FAST", "end"], ways);
  await pointer.undo();
  expect(sent.slice(4)).toEqual(["undo", "undo", "undo"]);
  expect(pointer.company).toEqual(["SLOW", "FAST"]);
});

it("says who cannot go there", async () => {
  const { pointer, store, sent, say } = seated(EACH);
  say(["to 0303", "to 0404"]);
  await stack(pointer, "SLOW");
  say(["move FAST", "end"], ["to 0303", "to 0505"], ["move FAST", "end"]);
  await pointer.pointAt({ kind: "hex", value: "0404" }, HERE);
  expect(sent.slice(1)).toEqual(["to 0404", "move FAST", "undo"]);
  expect(store.notice?.text).toBe("Not with them: the FAST");
});

it("leaves the way to the player even if the first or another of them has but one", async () => {
  const { pointer, store, sent, say } = seated(EACH);
  say(["to 0303"]);
  await stack(pointer, "FAST");
  expect(sent).toEqual(["move SLOW"]);
  say(["move FAST", "end"], ["to 0505"], ["move FAST", "end"]);
  await pointer.pointAt({ kind: "hex", value: "0303" }, HERE);
  expect(sent.slice(1)).toEqual(["to 0303", "move FAST", "undo"]);
  expect(store.notice?.text).toBe("Not with them: the FAST");
});

it("takes one alone if that is meant, and leaves one behind that was taken along", async () => {
  const { pointer, sent, say } = seated(JOINING);
  say(["join FAST", "to 0303"]);
  await pointer.pointAt({ kind: "unit", value: "SLOW" }, HERE, false, true);
  expect(sent).toEqual(["move SLOW"]);
  expect(pointer.company).toEqual([]);
  say(ALL);
  await pointer.undo();
  say(["join FAST", "to 0303"], ["to 0303", "to 0404"]);
  await stack(pointer, "SLOW");
  say(["join FAST", "to 0303"], ALL, ["join SLOW", "to 0404", "to 0505"]);
  await pointer.spare("SLOW");
  expect(sent.slice(2)).toEqual(["move SLOW", "join FAST", "undo", "undo", "move FAST"]);
  expect(pointer.company).toEqual([]);
});
