/** The end of a game as its page shows it. */

import type { Ending } from "../api/types";
import type { Said } from "../i18n/said";
import { series, type Series, type Stat } from "../stats/plot";

export type TallyLine = Ending["lines"][number];
export type HiddenItem = Ending["hidden"][number];

/** Counted lines first, as they are; then those that were asked, in their order. */
export function sorted(lines: readonly TallyLine[]): { counted: TallyLine[]; asked: TallyLine[] } {
  return { counted: lines.filter((line) => !line.ends), asked: lines.filter((line) => line.ends) };
}

/** A number with its sign, as it stands in a sum. */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

/** What both sides had over time, and how often each decided in each part of the game. */
export function pictures(course: Ending["course"], sides: number, moves: Said): Series[] {
  const samples = course.map((part, i) => {
    const before = course[i - 1];
    const stats: Stat[] = [...part.stats];
    // A part's decisions are known when it is over: they stand where the next part begins.
    if (sides)
      stats.push({ id: "moves", title: moves, values: before ? [...before.moves] : Array<number>(sides).fill(0) });
    return { n: part.n, label: "", stats };
  });
  return series(samples, sides);
}

/** What was hidden, by side, places together. */
export function bySide(hidden: readonly HiddenItem[], side: string): HiddenItem[] {
  return hidden.filter((item) => item.side === side);
}
