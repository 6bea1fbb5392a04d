/** What places are called in a text; what has no name is called nothing. */

import { describe, expect, it, vi } from "vitest";
import type { ActionItem, EventItem, GameDetail } from "../src/lib/api/types";
import { render, type Said } from "../src/lib/i18n/said";
import { speak } from "../src/lib/i18n/speak.svelte";

vi.mock("../src/lib/i18n/index.svelte", () => ({
  words: { language: "ja" },
  t: (text: string) => text,
  gameText: (_: string, said: Said, naming?: (name: string) => string | undefined) =>
    render(said, (text) => naming?.(text)),
}));

const detail = {
  id: "rommel",
  sides: ["axis"],
  side_titles: ["Axis"],
  verbs: [{ word: "to", label: "To {hex}", args: [{ name: "hex", kind: "hex or box" }] }],
  grid: { hexes: [{ id: "0101" }, { id: "0102", name: "" }, { id: "0103", name: "Tobruk" }] },
  places: [{ name: "Tobruk", name_ja: "トブルク", hex: "0103" }],
} as unknown as GameDetail;

describe("a text of a game", () => {
  it("calls places by their names, with their numbers or without", () => {
    expect(speak.say(detail, { template: "{hex}へ", facts: { hex: "Tobruk" } })).toBe("トブルクへ");
    expect(speak.say(detail, { template: "{hex}へ", facts: { hex: "Tobruk (0103)" } })).toBe("トブルク（0103）へ");
  });

  it("calls a box beside the map by its words, not by its id", () => {
    const item = { action: { do: "to", hex: "nile_delta" }, text: "to nile_delta" } as unknown as ActionItem;
    expect(speak.action(detail, item)).toBe("To Nile Delta");
  });

  it("says that both sides agreed on what was taken back", () => {
    const event = { event: "undo", by: "consent", entries: [7] } as unknown as EventItem;
    expect(speak.event(detail, event)).toBe("By consent: {n} {n|decision|decisions} taken back");
  });

  it("that is empty stays empty, though most hexes have no name", () => {
    expect(speak.say(detail, "")).toBe("");
    expect(speak.say(detail, { template: "{a}{b}", facts: { a: "", b: "x" } })).toBe("x");
  });
});
