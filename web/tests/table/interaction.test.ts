/** A fight from the weighing to the questions that follow: who takes part, and what was tried out beforehand. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const wire = vi.hoisted(() => ({
  move: vi.fn(),
  about: vi.fn(),
  costs: vi.fn(() => Promise.resolve([])),
  undo: vi.fn(),
  table: vi.fn(),
  events: vi.fn(),
  game: vi.fn(),
}));
vi.mock("../../src/lib/i18n/index.svelte", () => ({ t: (text: string) => text }));
vi.mock("../../src/lib/i18n/speak.svelte", () => ({
  speak: { say: (_: unknown, text: string) => text, action: (_: unknown, item: { label: string }) => item.label },
}));
vi.mock("../../src/lib/settings/preferences.svelte", () => ({ preferences: { help: "full" } }));
vi.mock("../../src/lib/api/client", async (original) => ({ ...(await original<object>()), api: wire }));
vi.mock("../../src/lib/api/live", () => ({ live: () => () => undefined }));

import type { About, ActionItem, GameDetail, GameRecord, Ladder, OddsTable, TableState } from "../../src/lib/api/types";
import { Interaction } from "../../src/lib/table/interaction.svelte";
import { TableStore } from "../../src/lib/table/table.svelte";

const item = (text: string): ActionItem => {
  const [verb = "", value] = text.split(" ");
  const name = verb === "attack" ? "hex" : "unit";
  return { action: value ? { do: verb, [name]: value } : { do: verb }, label: text, text };
};

function tableAt(length: number, ...actions: string[]): TableState {
  const prompt = { title: "", text: "", rules: [], phase: "" };
  return {
    length,
    seat: "red",
    status: "running",
    to_act: "red",
    prompt,
    actions: actions.map(item),
    scene: {},
    can_undo: true,
    undo_asked: null,
    outcome: null,
    public: length,
  };
}

const guns = { value: 1, rule: "9.4", text: "Guns", by: "decider", on: false, yes: "artillery", no: "no-artillery" };

const about = (odds: OddsTable): About => ({ reason: null, hint: null, odds });

/** The odds of a fight by these units for a hex, with a switch for the guns. */
function odds(units: string[], base = 1, shift: Partial<typeof guns & { action: string }> = {}): OddsTable {
  const columns = ["1:1", "2:1", "3:1"].map((label) => ({ label, cells: [{ result: "A1", chance: 1, exact: "1" }] }));
  const ladder: Ladder = {
    columns,
    base,
    hex: "0101",
    shifts: [{ ...guns, ...shift }],
    forces: [{ side: "red", units, value: "3", text: "3" }],
  };
  return { title: "Attack", terms: [], results: [{ result: "A1", chance: 1, exact: "1" }], ladder, parts: [] };
}

function seated(): { store: TableStore; pointer: Interaction } {
  const store = new TableStore("g");
  const unit = [{ name: "unit", kind: "unit" }];
  const verbs = [
    { word: "attack", args: [{ name: "hex", kind: "hex" }] },
    ...["join", "artillery"].map((word) => ({ word, args: unit })),
    ...["commit", "no-artillery", "end"].map((word) => ({ word, args: [] })),
  ];
  store.seat = "red";
  store.record = { seats: [{ side: "red", title: "Red", you: true }] } as unknown as GameRecord;
  store.detail = { verbs, sides: ["red", "blue"], grid: null } as unknown as GameDetail;
  store.presentation = { gathers: ["join"], musters: ["attack"] };
  store.table = tableAt(1, "attack 0101", "attack 0202", "end");
  return { store, pointer: new Interaction(store) };
}

/** The answers to what is sent, one after another; what was sent is told. */
function answers(...tables: TableState[]): string[] {
  const sent: string[] = [];
  wire.move.mockImplementation(
    async (_game: string, _seat: string, _length: number, _key: string, action: Record<string, string>) => {
      sent.push(Object.values(action).join(" "));
      const table = tables.shift()!;
      return { length: table.length, events: [], table };
    },
  );
  return sent;
}

const attack = async (pointer: Interaction): Promise<void> =>
  pointer.pointAt({ kind: "hex", value: "0101" }, { x: 0, y: 0 });

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const QUESTION = ["artillery HQ", "artillery GUN", "no-artillery"];

it("gathers those who were weighed, goes on with them, and proposes what was tried out", async () => {
  const { pointer } = seated();
  const sent = answers(
    tableAt(2, "join A", "join B", "join C"),
    tableAt(3, "join B", "join C", "commit"),
    tableAt(4, "join C", "commit"),
    tableAt(5, ...QUESTION),
    tableAt(6, "end", "attack 0202"),
  );
  wire.about.mockImplementation(async (_game: string, _seat: string, text: string) =>
    about(text.startsWith("artillery") ? odds(["A", "B"], 1, { on: true, action: "no-artillery" }) : odds(["A", "B"])),
  );
  await attack(pointer);
  expect(pointer.weighing).toBe(true);
  expect(sent).toEqual([]);
  await pointer.flip(0);
  await pointer.commit();
  expect(sent).toEqual(["attack 0101", "join A", "join B", "commit"]);
  expect(pointer.armed?.item.text).toBe("artillery HQ");
  // He still confirms it; then it is settled.
  await pointer.commit();
  expect(sent.at(-1)).toBe("artillery HQ");
  expect(pointer.armed).toBe(null);
});

it("proposes nothing that was not tried out", async () => {
  const { pointer } = seated();
  const sent = answers(tableAt(2, "join A", "join B"), tableAt(3, "join B", "commit"), tableAt(4, ...QUESTION));
  wire.about.mockResolvedValue(about(odds(["A"])));
  await attack(pointer);
  await pointer.commit();
  expect(sent).toEqual(["attack 0101", "join A", "commit"]);
  expect(pointer.armed).toBe(null);
});

it("asks who takes part if the player wants to be asked, and lets each join at once", async () => {
  const { pointer } = seated();
  const sent = answers(tableAt(2, "join A", "join B"), tableAt(3, "join A", "commit"));
  wire.about.mockResolvedValue(about(odds(["A", "B"])));
  await attack(pointer);
  await pointer.commit(true);
  expect(sent).toEqual(["attack 0101"]);
  await pointer.pointAt({ kind: "unit", value: "B" }, { x: 0, y: 0 });
  expect(sent).toEqual(["attack 0101", "join B"]);
});

it("stops before a fight that does not stand as it was weighed", async () => {
  const { pointer } = seated();
  const sent = answers(tableAt(2, "join A", "join B"), tableAt(3, "join B", "commit"));
  wire.about.mockImplementation(async (_game: string, _seat: string, text: string) =>
    about(odds(["A"], text === "commit" ? 0 : 1)),
  );
  await attack(pointer);
  await pointer.commit();
  expect(sent).toEqual(["attack 0101", "join A"]);
  expect(pointer.armed?.item.text).toBe("commit");
});

it("keeps what was tried out for the side that tried it", async () => {
  const { pointer, store } = seated();
  const theirs = { ...tableAt(4, ...QUESTION), seat: "blue", to_act: "blue" };
  answers(tableAt(2, "join A", "join B"), tableAt(3, "join B", "commit"), theirs);
  wire.about.mockResolvedValue(about(odds(["A"])));
  await attack(pointer);
  await pointer.flip(0);
  await pointer.commit();
  store.seat = "blue";
  await pointer.propose();
  expect(store.mine).toBe(true);
  expect(pointer.armed).toBe(null);
});

it("asks where the only unit goes that has to, without asking which", async () => {
  const { store, pointer } = seated();
  const go = (unit: string, hex: string): ActionItem => ({
    action: { do: "retreat", unit, hex },
    label: "",
    text: `retreat ${unit} ${hex}`,
  });
  const args = ["unit", "hex"].map((name) => ({ name, kind: name }));
  store.detail = { ...store.detail, verbs: [{ word: "retreat", args }] } as unknown as GameDetail;
  store.table = { ...tableAt(1), actions: [go("A", "0101"), go("A", "0102")], can_undo: false };
  expect([...pointer.targets.hexes.keys()]).toEqual(["0101", "0102"]);
  expect(pointer.targets.units.size).toBe(0);
  // There is nothing to go back from, and the other way is still asked about.
  await pointer.back();
  expect(pointer.draft).toEqual([{ kind: "unit", value: "A" }]);
  wire.about.mockResolvedValue({ reason: { rule: "8.8", why: "no" }, hint: null, odds: null });
  await pointer.pointAt({ kind: "unit", value: "B" }, { x: 0, y: 0 });
  expect(wire.about.mock.calls.at(-1)?.[2]).toBe("retreat B 0101");
  const sent = answers(tableAt(2, "end"));
  await pointer.pointAt({ kind: "hex", value: "0102" }, { x: 0, y: 0 });
  expect(sent).toEqual(["retreat A 0102"]);
});
