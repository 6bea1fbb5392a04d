/**
 * What a player tried out while he weighed a fight, kept for the questions that follow: the switches of the odds panel
 * name the actions that decide them, so that his answer can be proposed when it is asked for. He still confirms it.
 */

import type { Ladder } from "../../api/types";
import type { Choice } from "../decision/choices";
import { counts } from "../odds/ladder";

/** A shift that the player wants, or does not want; `yes` and `no` are how the actions begin that decide it. */
export interface Wish {
  yes: string;
  no: string;
  on: boolean;
}

type Shift = NonNullable<Ladder["shifts"]>[number];

/** Whether the player can still decide a shift by himself, in a later question. */
const later = (shift: Shift): shift is Shift & { yes: string; no: string } =>
  shift.by === "decider" && !!shift.yes && !!shift.no;

/** What the player wants of a fight: what counts as he leaves it, the switches that he has turned off, and what he wanted before of others. */
export function wishesOf(ladder: Ladder, flipped: ReadonlySet<number>, before: readonly Wish[] = []): Wish[] {
  const found = new Map(before.map((wish) => [wish.yes, wish]));
  (ladder.shifts ?? []).forEach((shift, i) => {
    if (!later(shift)) return;
    // What is being decided with the action itself is settled by it.
    const on = counts(ladder, flipped, i);
    if (shift.action || (!on && !flipped.has(i))) found.delete(shift.yes);
    else found.set(shift.yes, { yes: shift.yes, no: shift.no, on });
  });
  return [...found.values()];
}

/** The switches of an odds table that have to be turned for it to show what the player wants. */
export function turned(ladder: Ladder, wishes: readonly Wish[]): Set<number> {
  return new Set(
    (ladder.shifts ?? []).flatMap((shift, i) => {
      if (!later(shift) || shift.action) return [];
      const wish = wishes.find(({ yes }) => yes === shift.yes);
      return wish && wish.on !== (shift.on ?? true) ? [i] : [];
    }),
  );
}

/** The choice that was wished for, if this is the question; what is wanted goes before what is not. */
export function proposed(choices: readonly Choice[], wishes: readonly Wish[]): Choice | null {
  for (const { yes, no, on } of [...wishes].sort((a, b) => Number(b.on) - Number(a.on))) {
    const beginning = (start: string): Choice | undefined => choices.find(({ item }) => item.text.startsWith(start));
    const [so, otherwise] = [beginning(yes), beginning(no)];
    if (so && otherwise) return on ? so : otherwise;
  }
  return null;
}
