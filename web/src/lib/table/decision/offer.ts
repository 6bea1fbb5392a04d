/** What stands in the panel of a decision: rows to choose from, a list with a number beside it, and the main button. */

import { families, isDial, mainChoice, type Choice, type Family, type Pick } from "./choices";

export interface Offer {
  dial: Family | null;
  /** Choices that stand as rows. */
  rows: Choice[];
  /** What the main button does, and Enter with it. */
  main: Choice | null;
}

export interface Offered {
  /** All that can be done. */
  all: readonly Choice[];
  /** What begins with what has been pointed at so far, and of that what needs no more pointing. */
  left: readonly Choice[];
  ready: readonly Choice[];
  draft: readonly Pick[];
  /** The title of the decision: a question is answered, nothing is done by the way. */
  title: string;
  /** Verbs that are written out although they can be pointed at, and verbs that end a part of the turn. */
  listed?: readonly string[];
  onward?: readonly string[];
}

const MOST = 14;

export function offerOf({ all, left, ready, draft, title, listed = [], onward = [] }: Offered): Offer {
  const dial = families(ready).find(isDial) ?? null;
  const both = all.length === 2 && !draft.length;
  const asks = both && title.endsWith("?");
  const inWords = left
    .filter(({ verb, picks }) => picks.length > draft.length && (both || listed.includes(verb)))
    .slice(0, MOST);
  const on = mainChoice(ready.filter(({ verb }) => onward.includes(verb)));
  const main = asks ? null : (on ?? (inWords.length && !both ? null : mainChoice(ready)));
  const rows = [...inWords, ...ready.filter((choice) => choice.verb !== dial?.verb && choice !== main)];
  return { dial, rows, main };
}
