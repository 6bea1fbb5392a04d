/**
 * The words of the interface, and those of the games.
 *
 * For the interface the English text is the key: `t("Open seats")`, `t("{n|game|games}", { n })`; `text/ja.po` holds the
 * Japanese. What a game says comes from the server as plain words or as a template with facts (see `said.ts`), with the
 * catalogue of the game. Both are loaded only when that language is chosen; what they lack stays English.
 */

import { commonTexts, gameTexts } from "../api/texts";
import { recall, remember } from "../store";
import { japaneseDates } from "./dates";
import { fill, type Params } from "./format";
import { english, render, type Said } from "./said";

export type Language = "en" | "ja";

export const LANGUAGES: readonly { id: Language; title: string }[] = [
  { id: "en", title: "English" },
  { id: "ja", title: "日本語" },
];

/** Plain sums that say something are read outside a browser too, by tests: nobody prefers a language there, and no page has one. */
const inPage = typeof document !== "undefined";

function preferred(): Language {
  return inPage && navigator.language.startsWith("ja") ? "ja" : "en";
}

class Dictionary {
  language: Language = $state(recall<Language>("language", preferred()));
  private table: Readonly<Record<string, string>> = $state.raw({});
  /** What the server says of requests. */
  private served: Readonly<Record<string, string>> = $state.raw({});
  private catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = $state.raw({});
  private asked = new Set<string>();

  constructor() {
    void this.load();
  }

  private async load(): Promise<void> {
    if (inPage) document.documentElement.lang = this.language;
    this.table = this.language === "ja" ? (await import("../../../text/ja.po")).default : {};
    this.served = this.language === "en" ? {} : await commonTexts(this.language);
  }

  set(language: Language): void {
    this.language = language;
    remember("language", language);
    void this.load();
  }

  say(text: string): string {
    return this.table[text] ?? text;
  }

  /** The same, if it is known. */
  known(text: string): string | undefined {
    return this.table[text] ?? this.served[text];
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
}

export const words = new Dictionary();

/** A text in the language of the interface, with `{name}` filled in and `{n|one|many}` chosen. */
export function t(text: string, values?: Params): string {
  return fill(words.say(text), values);
}

/** What a name in a text (a unit, a place) is called, if the catalogue does not know it. */
export type Naming = (english: string) => string | undefined;

/** A text of a game (the title of a decision, a phase, a reason, a log line) in the language of the interface. */
export function gameText(game: string, said: Said, naming?: Naming): string {
  if (words.language === "en") return english(said);
  const known = words.catalogue(game);
  return japaneseDates(render(said, (text) => known[text] ?? naming?.(text) ?? words.known(text), "、"));
}

/** Why a request was refused, in the language of the interface. */
export function refusalText(said: Said): string {
  return words.language === "en" ? english(said) : render(said, (text) => words.known(text), "、");
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
  return gameText(game.id, game.summary);
}

export function noteOf(game: string, scenario: { id: string; note: string }): string {
  return gameText(game, scenario.note);
}

export function optionTitle(game: string, option: { id: string; title: string }): string {
  return gameText(game, option.title);
}

/** The title of a side of a game: "Axis", "Commonwealth". */
export function sideTitle(
  game: { id: string; sides: readonly string[]; side_titles: readonly string[] },
  side: string,
): string {
  return gameText(game.id, game.side_titles[game.sides.indexOf(side)] ?? side);
}
