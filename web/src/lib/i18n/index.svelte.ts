/**
 * The words of the interface, and those of the games.
 *
 * For the interface the English text is the key: `t("Open seats")`, `t("{n|game|games}", { n })`;
 * `ja.ts` holds the Japanese. For a game (log lines, actions, decisions, phases) the server sends English
 * and the typed form; `games/<id>/<language>.ts` turns the typed form into another language. Both are
 * loaded only when that language is chosen; what they lack stays English.
 */

import { gameTexts } from "../api/texts";
import { recall, remember } from "../store";
import { japaneseDates } from "./dates";
import { fill, type Params } from "./format";
import { phrase, type GameWords, type Naming } from "./game-words";
import { english, render, type Said } from "./said";

export type Language = "en" | "ja";

export const LANGUAGES: readonly { id: Language; title: string }[] = [
  { id: "en", title: "English" },
  { id: "ja", title: "日本語" },
];

const files = import.meta.glob<{ words: GameWords }>("../games/*/ja.ts");

function preferred(): Language {
  return navigator.language.startsWith("ja") ? "ja" : "en";
}

class Dictionary {
  language: Language = $state(recall<Language>("language", preferred()));
  private table: Readonly<Record<string, string>> = $state.raw({});
  private games: Readonly<Record<string, GameWords>> = $state.raw({});
  private catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = $state.raw({});
  private asked = new Set<string>();

  constructor() {
    void this.load();
  }

  private async load(): Promise<void> {
    document.documentElement.lang = this.language;
    this.table = this.language === "ja" ? (await import("./ja")).default : {};
  }

  set(language: Language): void {
    this.language = language;
    remember("language", language);
    void this.load();
  }

  say(text: string): string {
    return this.table[text] ?? text;
  }

  /** What a game says, by its English, in the language of the interface; nothing for English, and while it is loading. */
  catalogue(game: string): Readonly<Record<string, string>> {
    if (this.language === "en") return {};
    const key = `${game} ${this.language}`;
    if (!this.asked.has(key)) {
      this.asked.add(key);
      void gameTexts(game, this.language).then((found) => (this.catalogues = { ...this.catalogues, [key]: found }));
    }
    return this.catalogues[key] ?? {};
  }

  /** The words of a game in the language of the interface; null for English, and while they are loading. */
  of(game: string): GameWords | null {
    if (this.language === "en") return null;
    const known = this.games[game];
    if (known) return known;
    const load = files[`../games/${game}/${this.language}.ts`];
    if (load && !this.asked.has(game)) {
      this.asked.add(game);
      void load().then(({ words: found }) => (this.games = { ...this.games, [game]: found }));
    }
    return null;
  }
}

export const words = new Dictionary();

/** A text in the language of the interface, with `{name}` filled in and `{n|one|many}` chosen. */
export function t(text: string, values?: Params): string {
  return fill(words.say(text), values);
}

/** A text of a game (the title of a decision, a phase, a reason, a log line) in the language of the interface. */
export function gameText(game: string, said: Said, naming?: Naming): string {
  if (words.language === "en") return english(said);
  const known = words.catalogue(game);
  const template = typeof said === "string" ? said : said.template;
  if (template in known) return japaneseDates(render(said, (text) => known[text] ?? naming?.(text), "、"));
  const own = words.of(game);
  return japaneseDates(own ? phrase(own, english(said), naming) : english(said));
}

interface Titled {
  id: string;
  title: string;
  title_ja?: string;
}

/** The title of a game or a scenario. */
export function titleOf(one: Titled): string {
  return words.language === "ja" && one.title_ja ? one.title_ja : one.title;
}

export function summaryOf(game: { id: string; summary: string }): string {
  return words.of(game.id)?.summary ?? game.summary;
}

export function noteOf(game: string, scenario: { id: string; note: string }): string {
  return words.of(game)?.notes[scenario.id] ?? scenario.note;
}

export function optionTitle(game: string, option: { id: string; title: string }): string {
  return words.of(game)?.options[option.id] ?? option.title;
}

/** The title of a side of a game: "Axis", "Commonwealth". */
export function sideTitle(
  game: { id: string; sides: readonly string[]; side_titles: readonly string[] },
  side: string,
): string {
  return words.of(game.id)?.sides[side] ?? game.side_titles[game.sides.indexOf(side)] ?? side;
}
