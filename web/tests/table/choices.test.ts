import { describe, expect, it } from "vitest";
import type { ActionItem, VerbInfo } from "../../src/lib/api/types";
import { byCard, dialRows, families, isDial, isForced, mainChoice, point, readChoices, refused, targets, verbsByWord } from "../../src/lib/table/choices";

const unit = { name: "unit", kind: "unit" };
const hex = { name: "hex", kind: "hex" };
const via = { name: "via", kind: "hexside" };
const VERBS: VerbInfo[] = [
  { word: "move", args: [unit] },
  { word: "to", args: [hex, via] },
  { word: "march", args: [unit, hex, via] },
  { word: "lift", args: [hex, { name: "other", kind: "hex" }] },
  { word: "option", args: [{ name: "option", kind: "turn option" }, { name: "dummies", kind: "number" }] },
  { word: "challenge", args: [{ name: "card", kind: "card" }] },
  { word: "end", args: [] },
];
const verbs = verbsByWord(VERBS);

function item(text: string): ActionItem {
  const [word = "", ...values] = text.split(" ");
  const action: ActionItem["action"] = { do: word };
  verbs.get(word)?.args.forEach((arg, i) => (action[arg.name] = values[i] ?? ""));
  return { action, label: text, text };
}
const read = (...texts: string[]) => readChoices(texts.map(item), verbs);
const U = (value: string) => ({ kind: "unit" as const, value });
const H = (value: string) => ({ kind: "hex" as const, value });

describe("what can be pointed at", () => {
  it("sorts actions into units, hexes and those that need no pointing", () => {
    const found = targets(read("move A", "move B", "end"));
    expect([...found.units.keys()]).toEqual(["A", "B"]);
    expect(found.hexes.size).toBe(0);
    expect(found.ready.map((c) => c.verb)).toEqual(["end"]);
  });

  it("takes an action that is left alone", () => {
    const meant = point(read("move A", "move B"), [], U("A"));
    expect(meant.result).toBe("action");
  });

  it("asks for the hexside if there are several", () => {
    const meant = point(read("to 0101 E", "to 0101 NE", "to 0102 -"), [], H("0101"));
    expect(meant.result === "pick" && meant.choices.map((c) => c.extras[0]?.value)).toEqual(["E", "NE"]);
  });

  it("asks for more: a unit, then its hex", () => {
    const choices = read("march A 0101 -", "march A 0102 -", "march B 0101 -");
    const first = point(choices, [], U("A"));
    expect(first.result).toBe("more");
    if (first.result !== "more") return;
    expect([...targets(choices, first.draft).hexes.keys()]).toEqual(["0101", "0102"]);
    expect(point(choices, first.draft, H("0102")).result).toBe("action");
    expect(point(choices, first.draft, H("0103")).result).toBe("nothing");
  });

  it("takes two hexes one after the other", () => {
    const choices = read("lift 01 02", "lift 01 03", "lift 02 03");
    expect(point(choices, [], H("01")).result).toBe("more");
    expect(point(choices, [H("01")], H("03")).result).toBe("action");
  });
});

describe("lists", () => {
  it("makes a dial of things and numbers", () => {
    const family = families(read("option basic 0", "option basic 1", "option blitz 0", "option blitz 1", "end"))[0]!;
    expect(isDial(family)).toBe(true);
    const rows = dialRows(family);
    expect(rows.map((row) => [row.value, [...row.counts.keys()]])).toEqual([["basic", [0, 1]], ["blitz", [0, 1]]]);
  });

  it("finds what a card stands for, and the main button", () => {
    const choices = read("challenge real", "challenge dummy", "end");
    expect([...byCard(choices).keys()]).toEqual(["real", "dummy"]);
    expect(mainChoice(choices)).toBeNull();
    expect(mainChoice(read("end"))?.verb).toBe("end");
  });
});

describe("why not", () => {
  it("puts the place where it would go", () => {
    expect(refused(read("to 0101 -", "to 0102 -", "to 0103 E"), [], H("0999"), verbs)).toBe("to 0999 -");
    expect(refused(read("march A 0101 -"), [U("A")], H("0999"), verbs)).toBe("march A 0999 -");
    expect(refused(read("end"), [], H("0999"), verbs)).toBeNull();
  });
});

describe("forced choices", () => {
  it("leaves the end of something to the player while he could take back", () => {
    expect(isForced(read("end"), true)).toBe(false);
    expect(isForced(read("end"), false)).toBe(true);
    expect(isForced(read("move A"), true)).toBe(true);
    expect(isForced(read("move A", "end"), false)).toBe(false);
  });
});
