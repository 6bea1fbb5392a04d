import { describe, expect, it } from "vitest";
import type { ActionItem, VerbInfo } from "../../src/lib/api/types";
import {
  byCard,
  dialRows,
  families,
  isDial,
  isForced,
  mainChoice,
  modesOf,
  onlyUnit,
  openChoices,
  point,
  readChoice,
  readChoices,
  refused,
  setAside,
  targets,
  verbsByWord,
} from "../../src/lib/table/decision/choices";

const unit = { name: "unit", kind: "unit" };
const hex = { name: "hex", kind: "hex" };
const via = { name: "via", kind: "hexside" };
const VERBS: VerbInfo[] = [
  { word: "move", args: [unit] },
  { word: "to", args: [hex, via] },
  { word: "march", args: [unit, hex, via] },
  { word: "lift", args: [hex, { name: "other", kind: "hex" }] },
  {
    word: "option",
    args: [
      { name: "option", kind: "turn option" },
      { name: "dummies", kind: "number" },
    ],
  },
  { word: "challenge", args: [{ name: "card", kind: "card" }] },
  { word: "end", args: [] },
  { word: "group", args: [hex, { name: "leader", kind: "yes or no (1 or 0)" }] },
  { word: "regroup", args: [hex] },
  { word: "go", args: [unit, hex, { name: "mode", kind: "mode" }] },
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

  it("need not be pointed at where it is the only unit that goes somewhere", () => {
    expect(onlyUnit(read("march A 0101 -", "march A 0102 -"))).toEqual([U("A")]);
    expect(onlyUnit(read("march A 0101 -", "march B 0101 -"))).toEqual([]);
    expect(onlyUnit(read("march A 0101 -", "end"))).toEqual([]); // he may also stop
    expect(onlyUnit(read("move A"))).toEqual([]); // nothing comes after it
    expect(onlyUnit(read("lift 01 02", "lift 01 03"))).toEqual([]);
    expect(onlyUnit([])).toEqual([]);
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
    expect(rows.map((row) => [row.value, [...row.counts.keys()]])).toEqual([
      ["basic", [0, 1]],
      ["blitz", [0, 1]],
    ]);
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

describe("modes", () => {
  const many = ["01", "02", "03", "04", "05", "06", "07"];
  const both = read(
    ...many.map((h) => `group ${h} 0`),
    "group 01 1",
    ...many.slice(2).map((h) => `regroup ${h}`),
    "regroup 08",
    "end",
  );

  it("are the verbs that compete for places, one shown at a time", () => {
    const modes = modesOf(both);
    expect(modes.map(({ name, values, counts }) => [name, values, counts])).toEqual([
      ["", ["group", "regroup"], [7, 6]],
      ["leader", ["0", "1"], [7, 1]],
    ]);
    expect([...targets(both, [], modes).hexes.keys()]).toEqual(many);
    expect([...targets(both, [], modes, { "": "regroup" }).hexes.keys()]).toEqual(["03", "04", "05", "06", "07", "08"]);
    expect(targets(both, [], modes, { "": "regroup" }).ready.map((c) => c.verb)).toEqual(["end"]);
  });

  it("decide what a place means, and a wish of another decision does not", () => {
    const modes = modesOf(both);
    const taken = (wishes: Record<string, string>) => {
      const meant = point(both, [], H("03"), modes, wishes);
      return meant.result === "action" ? meant.choice.item.text : meant.result;
    };
    expect(taken({})).toBe("group 03 0");
    expect(taken({ "": "regroup" })).toBe("regroup 03");
    expect(taken({ "": "unheard of" })).toBe("group 03 0");
    const led = point(both, [], H("01"), modes, { leader: "1" });
    expect(led.result === "action" && led.choice.item.text).toBe("group 01 1");
  });

  it("ask at the place where there are few", () => {
    const few = read("group 01 0", "regroup 01");
    expect(modesOf(few)).toEqual([]);
    expect(point(few, [], H("01")).result).toBe("pick");
  });

  it("leave what is possible in one way alone", () => {
    const choices = read("go A 01 normal", "go A 01 extended", "go A 02 extended");
    const modes = modesOf(choices, [U("A")]);
    expect(modes.map(({ name, initial }) => [name, initial])).toEqual([["mode", "normal"]]);
    const far = point(choices, [U("A")], H("02"), modes);
    expect(far.result === "action" && far.choice.item.text).toBe("go A 02 extended");
    const near = point(choices, [U("A")], H("01"), modes, { mode: "extended" });
    expect(near.result === "action" && near.choice.item.text).toBe("go A 01 extended");
  });

  it("are what why-not is asked about", () => {
    const modes = modesOf(both);
    expect(refused(both, [], H("09"), verbs, modes, { "": "regroup" })).toBe("regroup 09");
  });
});

describe("places beside the map and verbs that are set aside", () => {
  const known = verbsByWord([
    {
      word: "to",
      args: [
        { name: "hex", kind: "hex or box" },
        { name: "mode", kind: "way of moving" },
      ],
    },
    {
      word: "transfer",
      args: [
        { name: "unit", kind: "unit" },
        { name: "hex", kind: "hex or box" },
      ],
    },
    { word: "end", args: [] },
  ]);
  const choices = readChoices(
    [
      { text: "to 1603 normal", label: "", action: { do: "to", hex: "1603", mode: "normal" } },
      { text: "to tripoli normal", label: "", action: { do: "to", hex: "tripoli", mode: "normal" } },
      { text: "transfer T1 tripoli", label: "", action: { do: "transfer", unit: "T1", hex: "tripoli" } },
      { text: "end", label: "", action: { do: "end" } },
    ],
    known,
    (place) => /^\d+$/.test(place),
  );

  it("points at hexes and lists boxes", () => {
    const open = targets(choices);
    expect([...open.hexes.keys()]).toEqual(["1603"]);
    expect(open.ready.map(({ item }) => item.text)).toEqual(["to tripoli normal", "end"]);
    expect(refused(choices, [], { kind: "hex", value: "1704" }, known)).toBe("to 1704 normal");
  });

  it("lets verbs compete only where the same kind of thing is pointed at", () => {
    const units = ["A", "B", "C", "D", "E", "F", "G"];
    const loading = verbsByWord([
      ...["load", "join"].map((word) => ({ word, args: [{ name: "unit", kind: "unit" }] })),
      ...known.values(),
    ]);
    const ways = readChoices(
      [
        ...units.flatMap((unit) =>
          ["load", "join"].map((verb) => ({ text: `${verb} ${unit}`, label: "", action: { do: verb, unit } })),
        ),
        { text: "to 1603 normal", label: "", action: { do: "to", hex: "1603", mode: "normal" } },
      ],
      loading,
    );
    const modes = modesOf(ways);
    expect(modes).toMatchObject([{ name: "", values: ["load", "join"] }]);
    expect([...targets(ways, [], modes).hexes.keys()]).toEqual(["1603"]);
  });

  it("lists a box once, in the way that holds", () => {
    const ways = readChoices(
      ["1603", "tripoli"].flatMap((hex) =>
        ["normal", "tactical"].map((mode) => ({
          text: `to ${hex} ${mode}`,
          label: "",
          action: { do: "to", hex, mode },
        })),
      ),
      known,
      (place) => /^\d+$/.test(place),
    );
    const modes = modesOf(ways);
    expect(targets(ways, [], modes).ready.map(({ item }) => item.text)).toEqual(["to tripoli normal"]);
    expect(targets(ways, [], modes, { mode: "tactical" }).ready.map(({ item }) => item.text)).toEqual([
      "to tripoli tactical",
    ]);
  });

  it("begins with the way that the game names first", () => {
    const ways = readChoices(
      ["extended", "normal"].map((mode) => ({
        text: `to 1603 ${mode}`,
        label: "",
        action: { do: "to", hex: "1603", mode },
      })),
      known,
    );
    expect(modesOf(ways)[0]?.initial).toBe("extended");
    expect(modesOf(ways, [], { mode: ["normal", "extended"] })[0]).toMatchObject({
      initial: "normal",
      values: ["normal", "extended"],
    });
  });

  it("leaves a verb out until it is asked for", () => {
    expect(openChoices(choices, ["transfer"], null).map(({ verb }) => verb)).toEqual(["to", "to", "end"]);
    expect(openChoices(choices, ["transfer"], "transfer").map(({ item }) => item.text)).toEqual([
      "transfer T1 tripoli",
    ]);
    expect(setAside(choices, ["transfer", "fly"]).map(({ verb }) => verb)).toEqual(["transfer"]);
  });

  it("shows what is set aside if there is nothing else", () => {
    const only = choices.filter(({ verb }) => verb === "transfer");
    expect(openChoices(only, ["transfer"], null)).toEqual(only);
    expect(setAside(only, ["transfer"])).toEqual([]);
  });

  it("shows the one thing that is set aside if there is nothing else but to go on", () => {
    const read = (...texts: string[]) =>
      texts.map((text) => readChoice({ action: { do: text }, label: text, text }, new Map()));
    const [aside, onward] = [["buy", "fortify"], ["end"]];
    expect(openChoices(read("buy", "end"), aside, null, onward).map(({ verb }) => verb)).toEqual(["buy", "end"]);
    expect(setAside(read("buy", "end"), aside, onward)).toEqual([]);
    // Of several each waits until it is asked for.
    expect(openChoices(read("buy", "fortify", "end"), aside, null, onward).map(({ verb }) => verb)).toEqual(["end"]);
    expect(setAside(read("buy", "fortify", "end"), aside, onward).map(({ verb }) => verb)).toEqual(["buy", "fortify"]);
  });
});
