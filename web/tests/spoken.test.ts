/** Games played again in Japanese: no event, no action and nothing on the table may stay English. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { phrase, type Facts, type GameWords, type Line, type Names } from "../src/lib/i18n/game-words";
import type { Presentation } from "../src/lib/games/presentation";

interface Samples {
  events: (Facts & { event: string })[];
  actions: (Facts & { do: string; label: string })[];
  says: string[];
  counters: string[];
  map: string[];
}

const files = import.meta.glob<{ words: GameWords }>("../src/lib/games/*/ja.ts", { eager: true });
const looks = import.meta.glob<{ default: Presentation }>("../src/lib/games/*/table.ts", { eager: true });
const root = resolve(import.meta.dirname, "../..");
const own = resolve(root, ".venv/bin/python");
const python = process.env["SANDTABLE_PYTHON"] ?? (existsSync(own) ? own : "python3");
const run = (...args: string[]): string =>
  execFileSync(python, args, { encoding: "utf8", maxBuffer: 1 << 26, cwd: root });

/** The games of the registry, with the titles of their scenarios. */
const LIST = `
import json, sys
sys.path.insert(0, "src")
from sandtable import registry
print(json.dumps({game: [one.title for one in registry.get(game).scenarios()] for game in registry.names()}))
`;
const scenarios = JSON.parse(run("-c", LIST)) as Record<string, string[]>;
const games = Object.keys(scenarios);

const JAPANESE = /[ぁ-んァ-ヶ一-龠]/;
/** What is the same in every language: numbers, odds, results of a table, abbreviations. */
const UNSAID = /^[^a-z]*$/;
const UNIT = "部隊";
const names: Names = { hex: () => "地点", unit: () => UNIT };

function said(lines: Readonly<Record<string, Line>>, kind: string, facts: Facts, english: string): string {
  try {
    return lines[kind]?.(facts, names, english) ?? "(none)";
  } catch (error) {
    return String(error);
  }
}

/** Whether a line is Japanese with what names give it left out, and nothing of it is missing or an id. */
const japanese = (text: string): boolean => JAPANESE.test(text) && !/undefined|NaN|[a-z]{2}_|Error/.test(text);

describe.each(games)("%s, played again in Japanese", (game) => {
  const words = files[`../src/lib/games/${game}/ja.ts`]!.words;
  const look = looks[`../src/lib/games/${game}/table.ts`]!.default;
  let samples: Samples;
  /** The names of scenarios come from the server, in both languages. */
  const titles = new Set(scenarios[game]);
  const left = (texts: readonly string[]): string[] =>
    texts.filter((text) => {
      const spoken = phrase(words, text);
      return !titles.has(text) && !UNSAID.test(spoken) && !JAPANESE.test(spoken);
    });

  beforeAll(() => {
    samples = (JSON.parse(run("web/scripts/samples.py", game)) as Record<string, Samples>)[game]!;
  }, 180_000);

  it("tells every event", () => {
    expect(samples.events.length).toBeGreaterThan(40);
    expect(
      samples.events
        .map((event) => [event.event, said(words.events, event.event, event, "")])
        .filter(([, text]) => !japanese(text!)),
    ).toEqual([]);
  });

  it("names every action", () => {
    expect(samples.actions.length).toBeGreaterThan(40);
    expect(
      samples.actions
        .map((action) => [action.do, said(words.actions, action.do, action, action.label)])
        .filter(([, text]) => !japanese(text!)),
    ).toEqual([]);
  });

  it("has words for all that lies on the table", () => {
    expect(samples.says.length).toBeGreaterThan(100);
    expect(left(samples.says)).toEqual([]);
    expect(left(samples.counters)).toEqual([]);
    expect(left(samples.map.map((word) => look.facts?.[word] ?? word))).toEqual([]);
  });

  it("has words for the ways of doing things", () => {
    const ways = samples.actions.flatMap((action) => [
      look.mode?.("", action.do),
      ...Object.entries(action).map(([key, value]) => look.mode?.(key, String(value))),
    ]);
    const rows = samples.actions.flatMap((action) =>
      Object.values(action).map((value) => look.row?.(action.do, String(value))),
    );
    const cards = Object.values(look.cards ?? {}).map(({ title, note }) => ({ title, text: note }));
    expect(
      left([...new Set([...ways, ...rows, ...cards].flatMap((way) => (way ? [way.title, way.text ?? ""] : [])))]),
    ).toEqual([]);
  });
});
