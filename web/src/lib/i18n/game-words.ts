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
}

/** A sentence by the phrases of a game, or as it is. */
export function phrase(words: GameWords, text: string): string {
  const term = words.terms[text];
  if (term !== undefined) return term;
  for (const { match, text: template } of words.phrases) {
    const found = match.exec(text);
    if (found) {
      return template.replace(/\$(\d)/g, (_, digit: string) => {
        const part = found[Number(digit)] ?? "";
        return words.terms[part] ?? part;
      });
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
