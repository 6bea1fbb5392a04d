/** The odds table of a fight: its column when some shifts are switched, and what the column brings. */

import type { Ladder } from "../../api/types";

type Column = Ladder["columns"][number];
type Cell = Column["cells"][number];

/** Whether a shift counts: as the action has it, or the other way round if the player wants to see that. */
export function counts(ladder: Ladder, flipped: ReadonlySet<number>, i: number): boolean {
  const on = ladder.shifts?.[i]?.on ?? true;
  return flipped.has(i) ? !on : on;
}

/** The column after all shifts that count; the ends hold. */
export function columnOf(ladder: Ladder, flipped: ReadonlySet<number> = new Set()): number {
  const shift = (ladder.shifts ?? []).reduce((sum, one, i) => sum + (counts(ladder, flipped, i) ? one.value : 0), 0);
  return Math.max(0, Math.min(ladder.columns.length - 1, ladder.base + shift));
}

/** The column that the player means to fight at, and what he still has to add to it himself; what others may answer is not in it. */
export function promised(
  ladder: Ladder,
  flipped: ReadonlySet<number>,
): { column: Column; added: NonNullable<Ladder["shifts"]>[number]["text"][] } | null {
  const own = new Set([...flipped].filter((i) => ladder.shifts?.[i]?.by === "decider"));
  const column = ladder.columns[columnOf(ladder, own)];
  const added = (ladder.shifts ?? []).flatMap((shift, i) =>
    shift.by === "decider" && shift.yes && !shift.action && counts(ladder, own, i) ? [shift.text] : [],
  );
  return column ? { column, added } : null;
}

/** Words in the middle of a sentence: "Attack supply" begins small there, "IV Air Corps" does not. */
export const uncapped = (words: string): string =>
  /^\p{Lu}\p{Ll}/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;

/** The column if the other side answers with everything that it may, or null if it has no answer. */
export function answered(ladder: Ladder, flipped: ReadonlySet<number>): number | null {
  const open = (ladder.shifts ?? []).flatMap((one, i) =>
    one.by === "answer" && !counts(ladder, flipped, i) ? [i] : [],
  );
  if (!open.length) return null;
  return columnOf(ladder, new Set([...flipped, ...open]));
}

/** The chance that the question is answered as the player wants it; null if the table does not ask one. */
export function goodChance(column: Column): number | null {
  if (!column.cells.some((cell) => cell.good !== undefined && cell.good !== null)) return null;
  return column.cells.reduce((sum, cell) => sum + cell.chance * (cell.good ?? 0), 0);
}

/** The columns that are shown: those between the fight and its shifts, and as many around as fit. */
export function window(ladder: Ladder, now: number, most: number): { from: number; to: number } {
  const all = ladder.columns.length;
  if (all <= most) return { from: 0, to: all };
  const low = Math.min(ladder.base, now);
  const high = Math.max(ladder.base, now);
  const from = Math.max(0, Math.min(all - most, Math.round((low + high + 1 - most) / 2)));
  return { from, to: from + most };
}

/** Equal results with equal meaning in one line, each with all its faces. */
export function lines(column: Column): Cell[] {
  const found = new Map<string, Cell>();
  for (const cell of column.cells) {
    const key = `${cell.result}|${cell.text ?? ""}|${cell.good ?? ""}`;
    const same = found.get(key);
    if (same)
      found.set(key, {
        ...same,
        chance: same.chance + cell.chance,
        exact: "",
        faces: [...(same.faces ?? []), ...(cell.faces ?? [])],
      });
    else found.set(key, { ...cell });
  }
  return [...found.values()];
}

export const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "");

/** What a force is worth, in a number and words: the number that its words begin with, or else its value. */
export function numbered(value: string, text: string): [string, string] {
  const found = /^(\S*\d\S*) (.+)$/.exec(text);
  if (found) return [found[1] ?? "", found[2] ?? ""];
  return [text.includes(value) ? "" : value, text];
}
