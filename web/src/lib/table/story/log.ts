/** The log as a player reads it: parts under headings, the newest first. */

import type { EventItem } from "../../api/types";

export interface LogPart {
  /** The event that begins this part; null for what came before the first heading. */
  heading: EventItem | null;
  level: number;
  /** Newest first. */
  lines: EventItem[];
}

/** Kinds of events that begin a part of a game, in games that do not say otherwise. */
export const HEADINGS: Record<string, number> = {
  game_turn: 1,
  day: 1,
  month: 1,
  turn: 2,
  player_turn: 2,
  impulse: 2,
  phase: 3,
};

export function logParts(events: readonly EventItem[], headings: Record<string, number> = HEADINGS): LogPart[] {
  const parts: LogPart[] = [];
  let part: LogPart = { heading: null, level: 1, lines: [] };
  for (const event of events) {
    const level = headings[event.event];
    if (level === undefined) {
      part.lines.push(event);
      continue;
    }
    if (part.heading || part.lines.length) parts.push(part);
    part = { heading: event, level, lines: [] };
  }
  if (part.heading || part.lines.length) parts.push(part);
  for (const one of parts) one.lines.reverse();
  return parts.reverse();
}

/** Adds events to a log; those that an undo took back go, and what is known already is not added again. */
export function joined(events: readonly EventItem[], more: readonly EventItem[]): EventItem[] {
  if (!more.length) return [...events];
  const first = Math.min(...more.map((event) => event.n));
  const kept = events.filter((event) => event.n < first);
  const gone = new Set<number>();
  for (const event of more) {
    const entries = event["entries"];
    if (event.event === "undo" && Array.isArray(entries))
      for (const n of entries) if (typeof n === "number") gone.add(n);
  }
  return [...kept, ...more].filter((event) => !gone.has(event.n)).sort((a, b) => a.n - b.n);
}

/** The hexes that an event speaks of. */
export function hexesOf(event: EventItem): string[] {
  const found = new Set<string>();
  for (const value of [event.hex, event.from, event.to]) if (typeof value === "string") found.add(value);
  for (const list of [event.hexes, event.path]) if (Array.isArray(list)) for (const hex of list) found.add(hex);
  return [...found];
}

export function unitsOf(event: EventItem): string[] {
  return [...(typeof event.unit === "string" ? [event.unit] : []), ...(Array.isArray(event.units) ? event.units : [])];
}

/** The path of a counter that moved, from where it stood. */
export function pathOf(event: EventItem): string[] | null {
  if (typeof event.from !== "string") return null;
  const path =
    Array.isArray(event.path) && event.path.length ? event.path : typeof event.to === "string" ? [event.to] : [];
  return path.length ? [event.from, ...path] : null;
}

export const FACES = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"] as const;

/** Faces as they can stand in a line of text. */
export function diceText(faces: readonly number[]): string {
  return faces.map((face) => FACES[face - 1] ?? ` ${face}`).join("");
}

/** Whether the faces of an event are dice and not cards drawn. */
export function areDice(event: EventItem): boolean {
  return (
    !/deal|dealt|draw|drew|shuffl/.test(event.event) && (event.faces ?? []).every((face) => face >= 0 && face <= 10)
  );
}
