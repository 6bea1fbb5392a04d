/** What the games say in Japanese: every sentence of their source, or it stands on the list. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { words as caucasus } from "../src/lib/games/caucasus/ja";
import { words as na41 } from "../src/lib/games/na41/ja";
import { words as rommel } from "../src/lib/games/rommel/ja";
import { phrase, type GameWords } from "../src/lib/i18n/game-words";

type Kind = "prompts" | "reasons" | "terms" | "units";

/** How games end: what their rules say, and what the server does. */
const LEVELS: Record<string, readonly string[]> = {
  rommel: ["strategic", "decisive", "positional", "marginal", "draw", "resignation", "on time"],
  caucasus: ["victory", "sudden death", "sudden death: Rostov", "sudden death: below par", "resignation", "on time"],
  na41: ["victory", "automatic victory", "sudden victory", "draw", "resignation", "on time"],
};

const GAMES: Record<string, GameWords> = { rommel, caucasus, na41 };
const root = resolve(import.meta.dirname, "../..");
const own = resolve(root, ".venv/bin/python");
const python = process.env["SANDTABLE_PYTHON"] ?? (existsSync(own) ? own : "python3");
const said = JSON.parse(
  execFileSync(python, [resolve(root, "web/scripts/texts.py"), ...Object.keys(GAMES)], {
    encoding: "utf8",
    maxBuffer: 1 << 24,
  }),
) as Record<string, Record<Kind, string[]>>;

/** What is known to be English still: whoever adds a sentence to a game and has no Japanese for it puts it here. */
const UNTRANSLATED: Record<string, readonly string[]> = { rommel: [], caucasus: [], na41: [] };

/** What may be put into the holes of a sentence: a name, a number, a word that the phrases of a game look for. */
const FILLINGS = ["7", "X", "armour", "Defensive", "Move", "basic"];

function translated(words: GameWords, english: string): boolean {
  return FILLINGS.some((filling) => {
    const text = english.replaceAll("{}", filling);
    return /[ぁ-んァ-ヶ一-龠]/.test(phrase(words, text));
  });
}

describe.each(Object.keys(GAMES))("%s in Japanese", (game) => {
  const words = GAMES[game]!;

  it("has every decision, reason and term of odds", () => {
    const missing = Object.entries({ ...said[game], levels: LEVELS[game] ?? [] }).flatMap(([kind, lines]) =>
      kind === "units" ? [] : lines.filter((line) => !translated(words, line)).map((line) => `${kind}: ${line}`),
    );
    expect(missing).toEqual(UNTRANSLATED[game]);
  });

  it("has names for its units", () => {
    const names = said[game]?.units ?? [];
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => (words.unit?.("", name) ?? name) === name)).toEqual([]);
  });

  it("names in each sentence just what varies in it", () => {
    for (const [english, text] of Object.entries(words.sentences ?? {})) {
      const holes = english.split("{}").length - 1;
      const named = new Set([...text.matchAll(/\{(\d)\}/g)].map((found) => Number(found[1])));
      expect(Math.max(0, ...named), english).toBeLessThanOrEqual(holes);
      // What is only an ending of the English ("marker{}") may be left out.
      expect(holes - named.size, english).toBeLessThanOrEqual(/\w\{\}/.test(english) ? 1 : 0);
    }
  });
});

describe("sentences", () => {
  it("are filled with what varies, translated in its turn", () => {
    expect(phrase(na41, "15 Pz has moved in this phase")).toBe("15 Pzはこのフェイズに移動した");
    expect(phrase(na41, "the Axis player has no air transport")).toBe("枢軸軍に空輸はない");
    expect(phrase(caucasus, "Where does it go?")).toBe("どこへ行くか");
    expect(phrase(rommel, "A is not beside B: a forced march is one hex")).toBe("AはBの隣ではない：強行軍は1ヘックス");
  });

  it("prefer the one with most words of its own", () => {
    expect(phrase(rommel, "Tobruk is a battle hex: no unit may land there")).toBe("Tobrukは戦闘ヘックス：上陸できない");
  });
});

it("tells the lines of a calculation, unit by unit", () => {
  const naming = (name: string): string | undefined => (name === "7 Hussars" ? "第7ハサーズ" : undefined);
  expect(
    phrase(
      na41,
      "7 Hussars: 6, halved: vehicles into a fortification (9.5.1d), halved: out of supply (9.1g), once only (9.1a)",
      naming,
    ),
  ).toBe("第7ハサーズ：6、半減：築城への車両（9.5.1d）、半減：補給切れ（9.1g）、1度だけ（9.1a）");
  expect(phrase(na41, "7 Hussars: 6", naming)).toBe("第7ハサーズ：6");
  expect(phrase(caucasus, "7 Hussars: 6, halved: across a river (9.3a)", naming)).toBe(
    "第7ハサーズ：6、半減：河川越し（9.3a）",
  );
});
