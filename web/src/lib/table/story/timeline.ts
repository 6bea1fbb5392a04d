/** The whole game as a line: a tick for each step, parts by turn, bookmarks. */

import { english } from "../../i18n/said";
import type { EventItem } from "../../api/types";
import { areDice, HEADINGS } from "./log";

export interface Tick {
  n: number;
  /** Higher for dice. */
  kind: "step" | "dice" | "turn";
}

export interface Segment {
  from: number;
  to: number;
  title: string;
  side: string;
}

export function ticks(
  events: readonly EventItem[],
  length: number,
  headings: Record<string, number> = HEADINGS,
): Tick[] {
  const kinds = new Map<number, Tick["kind"]>();
  for (const event of events) {
    const had = kinds.get(event.n);
    if (event.faces?.length && areDice(event)) kinds.set(event.n, "dice");
    else if (headings[event.event] !== undefined && had !== "dice") kinds.set(event.n, "turn");
    else if (!had) kinds.set(event.n, "step");
  }
  return [...kinds]
    .filter(([n]) => n <= length)
    .map(([n, kind]) => ({ n, kind }))
    .sort((a, b) => a.n - b.n);
}

/** Parts by the largest headings of which there are at least two, so that there is something to divide. */
export function segments(
  events: readonly EventItem[],
  length: number,
  headings: Record<string, number> = HEADINGS,
  title: (event: EventItem) => string = (event) => english(event.text),
): Segment[] {
  const marks = events.filter((event) => headings[event.event] !== undefined);
  const levels = [...new Set(marks.map((event) => headings[event.event] ?? 9))].sort((a, b) => b - a);
  const level = levels[0];
  const starts = marks.filter((event) => headings[event.event] === level);
  return starts.map((event, i) => ({
    from: event.n,
    to: starts[i + 1]?.n ?? length,
    title: title(event),
    side: event.side ?? "",
  }));
}

/** The step that a place on the line stands for. */
export function stepAt(part: number, length: number): number {
  return Math.max(0, Math.min(length, Math.round(part * length)));
}

/** The neighbouring step at which something happened. */
export function nextStep(list: readonly Tick[], now: number, way: 1 | -1, length: number): number {
  if (way > 0) return list.find((tick) => tick.n > now)?.n ?? length;
  return list.findLast((tick) => tick.n < now)?.n ?? 0;
}
