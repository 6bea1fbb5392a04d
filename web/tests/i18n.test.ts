import { describe, expect, it } from "vitest";
import { words as rommel } from "../src/lib/games/rommel/ja";
import { fill, holes } from "../src/lib/i18n/format";
import { line, phrase, type Names } from "../src/lib/i18n/game-words";
import ja from "../src/lib/i18n/ja";
import { messages } from "./messages";

const NAMES: Names = { hex: (id) => (id === "0313" ? "トブルク" : id), unit: (id) => `部隊${id}` };

describe("messages", () => {
  it("fills holes and chooses words by number", () => {
    expect(fill("{n} {n|game|games} with {who}", { n: 1, who: "Mara" })).toBe("1 game with Mara");
    expect(fill("{n} {n|game|games}", { n: 3 })).toBe("3 games");
    expect(fill("{missing}")).toBe("{missing}");
  });

  it("has every text of the interface in Japanese, with the same holes", () => {
    const missing: string[] = [];
    for (const [text, file] of messages(new URL("../src", import.meta.url).pathname)) {
      if (file.endsWith("i18n/index.svelte.ts")) continue; // its examples
      const said = ja[text];
      if (said === undefined) missing.push(`${text} (${file})`);
      else expect(holes(said), text).toEqual(holes(text));
    }
    expect(missing).toEqual([]);
  });
});

describe("the words of a game", () => {
  it("tells events from their facts", () => {
    const event = { event: "moved", side: "axis", unit: "A1", from: "0401", to: "0313" };
    expect(line(rommel.events, "moved", event, NAMES, "English")).toBe("部隊A1は0401からトブルクへ移動");
    const hidden = { event: "moved", side: "axis", from: "0401", to: "0313" };
    expect(line(rommel.events, "moved", hidden, NAMES, "English")).toBe("枢軸軍のブロックは0401からトブルクへ移動");
  });

  it("stays English where it knows nothing, or lacks a fact", () => {
    expect(line(rommel.events, "unheard_of", {}, NAMES, "English")).toBe("English");
    expect(line(rommel.events, "moved", { side: "axis" }, NAMES, "English")).toBe("English");
  });

  it("translates decisions with what varies in them", () => {
    expect(phrase(rommel, "Choose a turn option")).toBe("ターンオプションを選ぶ");
    expect(phrase(rommel, "4 real and 2 dummy cards in hand")).toBe("手札は本物4枚とダミー2枚");
    expect(phrase(rommel, "Defensive fire: which unit fires at which class?")).toBe(
      "防御射撃：どの部隊がどの種別を撃つか",
    );
    expect(phrase(rommel, "Something new")).toBe("Something new");
  });
});
