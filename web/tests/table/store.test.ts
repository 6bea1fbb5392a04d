/** The store of a table: what is sent, and when. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const wire = vi.hoisted(() => ({
  move: vi.fn(),
  undo: vi.fn(),
  table: vi.fn(),
  events: vi.fn(),
  game: vi.fn(),
  costs: vi.fn(() => Promise.resolve([] as { action: string; cost: string }[])),
  about: vi.fn(),
}));
/** What the live connection was opened with. */
const line = vi.hoisted(() => ({ heard: (_: unknown): void => undefined, name: "" }));
vi.mock("../../src/lib/i18n/index.svelte", () => ({ t: (text: string) => text }));
vi.mock("../../src/lib/i18n/speak.svelte", () => ({
  speak: { say: (_: unknown, text: string) => text, action: (_: unknown, item: { label: string }) => item.label },
}));
vi.mock("../../src/lib/api/client", async (original) => ({ ...(await original<object>()), api: wire }));
vi.mock("../../src/lib/api/live", () => ({
  live: (options: typeof line) => {
    Object.assign(line, options);
    return () => undefined;
  },
}));

import type { ActionItem, GameDetail, GameRecord, TableState } from "../../src/lib/api/types";
import { TableStore } from "../../src/lib/table/table.svelte";

const item = (verb: string, hex?: string): ActionItem => ({
  action: hex ? { do: verb, hex } : { do: verb },
  label: verb,
  text: hex ? `${verb} ${hex}` : verb,
});

function tableAt(length: number, actions: ActionItem[]): TableState {
  const prompt = { title: "", text: "", rules: [], phase: "" };
  return {
    length,
    seat: "red",
    status: "running",
    to_act: "red",
    prompt,
    actions,
    scene: {},
    can_undo: false,
    undo_asked: null,
    outcome: null,
    public: length,
  };
}

function seated(): TableStore {
  const store = new TableStore("g");
  store.seat = "red";
  store.record = { seats: [{ side: "red", title: "Red", you: true }] } as unknown as GameRecord;
  store.detail = {
    verbs: [
      { word: "go", args: [{ name: "hex", kind: "hex" }] },
      { word: "end", args: [] },
    ],
    sides: ["red", "blue"],
    grid: null,
  } as unknown as GameDetail;
  store.table = tableAt(1, [item("go", "0101"), item("go", "0102")]);
  return store;
}

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

it("stays busy while a forced choice is under way, so that nothing can be sent beside it", async () => {
  const store = seated();
  let answer: (moved: unknown) => void = () => undefined;
  wire.move
    .mockResolvedValueOnce({ length: 2, events: [], table: tableAt(2, [item("go", "0103")]) })
    .mockReturnValueOnce(new Promise((done) => (answer = done)));
  expect(await store.send(item("go", "0101"))).toBe(true);
  expect(wire.move).toHaveBeenCalledTimes(2);
  expect(store.busy).toBe(true);
  expect(await store.send(item("go", "0103"))).toBe(false);
  expect(wire.move).toHaveBeenCalledTimes(2);
  answer({ length: 3, events: [], table: tableAt(3, [item("end"), item("go", "0104")]) });
  await vi.waitFor(() => expect(store.length).toBe(3));
  expect(store.busy).toBe(false);
});

it("reads everything anew when the game has ended: the numbers are those of the log then", async () => {
  const store = seated();
  const seen = { n: 1, event: "held", rule: "", text: "something was held" };
  const told = [
    { ...seen, n: 1, text: "A was held" },
    { ...seen, n: 3, text: "B was held" },
  ];
  store.events = [seen];
  const end = { ...tableAt(4, []), status: "finished", to_act: null };
  wire.move.mockResolvedValueOnce({ length: 4, events: [told[1]], table: end });
  wire.table.mockResolvedValueOnce(end);
  wire.events.mockResolvedValueOnce(told);
  expect(await store.send(item("go", "0101"))).toBe(true);
  expect(wire.events).toHaveBeenCalledWith("g", "red");
  expect(store.events).toEqual(told);
  expect(store.over).toBe(true);
});

/** A store with its live connection open. */
async function connected(): Promise<TableStore> {
  const store = seated();
  const at = tableAt(1, [item("go", "0101"), item("go", "0102")]);
  wire.table.mockResolvedValueOnce(at);
  wire.events.mockResolvedValueOnce([]);
  store.curtain = "red";
  store.seat = null;
  await store.sit("red");
  vi.clearAllMocks();
  return store;
}
const news = (length: number, more: object = {}): object => ({
  kind: "events",
  length,
  to_act: "red",
  status: "running",
  undo_asked: null,
  events: [],
  ...more,
});

it("asks for nothing when its own move is told by the live connection too", async () => {
  const store = await connected();
  let answer: (moved: unknown) => void = () => undefined;
  wire.move.mockReturnValueOnce(new Promise((done) => (answer = done)));
  const sent = store.send(item("go", "0101"));
  expect(wire.move.mock.calls[0]?.at(-1)).toBe(line.name);
  expect(line.name).not.toBe("");
  line.heard(news(2)); // before the answer
  answer({ length: 2, events: [], table: tableAt(2, [item("end"), item("go", "0104")]) });
  expect(await sent).toBe(true);
  line.heard(news(2)); // and after it
  await Promise.resolve();
  expect(wire.table).not.toHaveBeenCalled();
  expect(wire.game).not.toHaveBeenCalled();
  expect(wire.events).not.toHaveBeenCalled();
});

it("asks for the table alone when others move: the events are in the message", async () => {
  const store = await connected();
  const event = { n: 2, event: "held", rule: "", text: "something was held" };
  wire.table.mockResolvedValueOnce(tableAt(2, [item("end"), item("go", "0104")]));
  line.heard(news(2, { events: [event] }));
  await vi.waitFor(() => expect(store.length).toBe(2));
  expect(store.events).toEqual([event]);
  expect(wire.table).toHaveBeenCalledTimes(1);
  expect(wire.game).not.toHaveBeenCalled();
  expect(wire.events).not.toHaveBeenCalled();
});

it("asks about an action once, and shows what all cost until then", async () => {
  wire.costs.mockResolvedValueOnce([{ action: "go 0101", cost: "2" }]);
  const store = seated();
  wire.move.mockResolvedValueOnce({
    length: 2,
    events: [],
    table: tableAt(2, [item("go", "0101"), item("go", "0102")]),
  });
  await store.send(item("go", "0101"));
  await vi.waitFor(() => expect(store.hintOf(item("go", "0101"))).toEqual({ cost: "2" }));
  expect(store.hintOf(item("go", "0102"))).toBe(null);
  const about = { reason: null, hint: { cost: "2", path: ["0100", "0101"] }, odds: null };
  wire.about.mockResolvedValue(about);
  expect(await Promise.all([store.about(item("go", "0101")), store.about(item("go", "0101"))])).toEqual([about, about]);
  expect(wire.about).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(store.hintOf(item("go", "0101"))).toEqual(about.hint));
});

it("asks what the actions cost once where one click takes several", async () => {
  const store = seated();
  const after = (length: number): unknown => ({
    length,
    events: [],
    table: tableAt(length, [item("go", "0101"), item("go", "0102")]),
  });
  wire.move.mockResolvedValueOnce(after(2)).mockResolvedValueOnce(after(3)).mockResolvedValueOnce(after(4));
  for (let i = 0; i < 3; i++) await store.send(item("go", "0101"));
  await vi.waitFor(() => expect(wire.costs).toHaveBeenCalled());
  await new Promise((done) => setTimeout(done, 30));
  expect(wire.costs).toHaveBeenCalledTimes(1);
});
