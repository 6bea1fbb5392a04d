/**
 * The words of one game in another language.
 *
 * The server tells what happened as typed events and what may be done as typed actions; it also sends
 * both as English sentences. A game's words turn the typed form into sentences of another language.
 * What they do not know stays English.
 */

/** An event, an action or another thing from the server: a bag of facts. */
export type Facts = Readonly<Record<string, unknown>>;

/** How things are called: for hexes and units by their ids. */
export interface Names {
  hex(id: string): string;
  unit(id: string): string;
}

export type Line = (facts: Facts, names: Names) => string;

export interface Phrase {
  /** An English sentence of the server, with `(…)` for what varies. */
  match: RegExp;
  /** The same in this language; `$1` … are filled in after translation. */
  text: string;
}

export interface GameWords {
  title: string;
  summary: string;
  sides: Readonly<Record<string, string>>;
  /** Notes of scenarios by id, and titles of options by id. */
  notes: Readonly<Record<string, string>>;
  options: Readonly<Record<string, string>>;
  /** Log lines by kind of event. */
  events: Readonly<Record<string, Line>>;
  /** Actions by verb. */
  actions: Readonly<Record<string, Line>>;
  /** A unit's name, made from its id or its English name. */
  unit?: (id: string, english: string) => string;
  /** Fixed terms: phases, tracks, boxes, statistics, marks. */
  terms: Readonly<Record<string, string>>;
  /** Sentences with holes: titles and texts of decisions. */
  phrases: readonly Phrase[];
  /** Sentences by the English as it stands in the game's source, `{}` for what varies; here `{1}`, `{2}` … name it. */
  sentences?: Readonly<Record<string, string>>;
}

interface Compiled {
  match: RegExp;
  text: string;
}

const compiled = new WeakMap<GameWords, readonly Compiled[]>();

/** The sentences of a game as patterns, those with most words of their own first. */
function sentencesOf(words: GameWords): readonly Compiled[] {
  let found = compiled.get(words);
  if (!found) {
    const own = (english: string): number => english.replaceAll("{}", "").length;
    found = Object.entries(words.sentences ?? {})
      .sort(([a], [b]) => own(b) - own(a))
      .map(([english, text]) => {
        const parts = english.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        return { match: new RegExp(`^${parts.join("(.*?)")}$`, "s"), text };
      });
    compiled.set(words, found);
  }
  return found;
}

/** How deep parts of sentences are translated in their turn. */
const DEEP = 3;

/** A sentence by the phrases of a game, or as it is. */
export function phrase(words: GameWords, text: string, depth = 0): string {
  const term = words.terms[text];
  if (term !== undefined) return term;
  const plain = words.sentences?.[text];
  if (plain !== undefined && !text.includes("{}")) return plain;
  for (const { match, text: template } of words.phrases) {
    const found = match.exec(text);
    if (found) {
      return template.replace(/\$(\d)/g, (_, digit: string) => {
        const part = found[Number(digit)] ?? "";
        return words.terms[part] ?? part;
      });
    }
  }
  if (depth < DEEP) {
    for (const { match, text: template } of sentencesOf(words)) {
      const found = match.exec(text);
      if (found) return template.replace(/\{(\d)\}/g, (_, digit: string) => phrase(words, found[Number(digit)] ?? "", depth + 1));
    }
  }
  return text;
}

/** The line of an event or an action, or its English if these words have none (or lack a fact of it). */
export function line(
  lines: Readonly<Record<string, Line>>,
  kind: string,
  facts: Facts,
  names: Names,
  english: string,
): string {
  const make = lines[kind];
  if (!make) return english;
  try {
    return make(facts, names);
  } catch {
    return english;
  }
}
