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

/** `english` is the server's own sentence, for what only stands there. */
export type Line = (facts: Facts, names: Names, english: string) => string;

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
  /** A date of this game, or the text as it is. */
  dates?: (english: string) => string;
}

/** What a name in a sentence (a unit, a place) is called, if it is one. */
export type Naming = (english: string) => string | undefined;

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
const DEEP = 4;
const RULED = /^(.*?) \((\d+\.[\w., ]+)\)$/;

/** A name, or several with commas between them. */
function named(part: string, naming: Naming): string | undefined {
  const whole = naming(part);
  if (whole !== undefined || !part.includes(", ")) return whole;
  const each = part.split(", ").map((one) => naming(one) ?? (/^\d+$/.test(one) ? one : undefined));
  return each.includes(undefined) ? undefined : each.join("、");
}

const nobody: Naming = () => undefined;

/** A sentence by the phrases of a game, or as it is. */
export function phrase(words: GameWords, text: string, naming: Naming = nobody, depth = 0): string {
  const term = words.terms[text];
  if (term !== undefined) return term;
  const plain = words.sentences?.[text];
  if (plain !== undefined && !text.includes("{}")) return plain;
  for (const { match, text: template } of words.phrases) {
    const found = match.exec(text);
    if (found) {
      return template.replace(/\$(\d)/g, (_, digit: string) => {
        const part = found[Number(digit)] ?? "";
        return words.terms[part] ?? named(part, naming) ?? part;
      });
    }
  }
  if (depth < DEEP) {
    const part = (hole: string): string =>
      words.terms[hole] ?? named(hole, naming) ?? phrase(words, hole, naming, depth + 1);
    for (const { match, text: template } of sentencesOf(words)) {
      const found = match.exec(text);
      if (found) return template.replace(/\{(\d)\}/g, (_, digit: string) => part(found[Number(digit)] ?? ""));
    }
    // A note may end with its rule: "by trail (6.2a)".
    const ruled = RULED.exec(text);
    if (ruled) {
      const note = phrase(words, ruled[1] ?? "", naming, depth + 1);
      if (note !== ruled[1]) return `${note}（${ruled[2]}）`;
    }
  }
  return words.dates?.(text) ?? text;
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
    return make(facts, names, english);
  } catch {
    return english;
  }
}
