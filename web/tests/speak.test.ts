/** What places are called in a text; what has no name is called nothing. */

import { describe, expect, it, vi } from "vitest";
import type { GameDetail } from "../src/lib/api/types";
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
  grid: { hexes: [{ id: "0101" }, { id: "0102", name: "" }, { id: "0103", name: "Tobruk" }] },
  places: [{ name: "Tobruk", name_ja: "トブルク", hex: "0103" }],
} as unknown as GameDetail;

describe("a text of a game", () => {
  it("calls places by their names, with their numbers or without", () => {
    expect(speak.say(detail, { template: "{hex}へ", facts: { hex: "Tobruk" } })).toBe("トブルクへ");
    expect(speak.say(detail, { template: "{hex}へ", facts: { hex: "Tobruk (0103)" } })).toBe("トブルク（0103）へ");
  });

  it("that is empty stays empty, though most hexes have no name", () => {
    expect(speak.say(detail, "")).toBe("");
    expect(speak.say(detail, { template: "{a}{b}", facts: { a: "", b: "x" } })).toBe("x");
  });
});
