/** The statistics of a game over time, gathered moment by moment from the server. */

import { english } from "../i18n/said";
import { api } from "../api/client";
import type { EventItem } from "../api/types";
import { moments, type Sample } from "./plot";

/** The log numbers to look at: where parts of the game begin, thinned out, and the last one. */
export function momentsOf(
  events: readonly EventItem[],
  headings: ReadonlySet<string>,
  length: number,
  most = 28,
): number[] {
  const starts = [...new Set(events.filter((event) => headings.has(event.event)).map((event) => event.n))];
  const wanted = starts.length >= 4 ? [...starts.filter((n) => n <= length), length] : moments(length, most);
  const distinct = [...new Set(wanted)].sort((a, b) => a - b);
  if (distinct.length <= most) return distinct;
  const last = distinct.length - 1;
  return [...new Set(Array.from({ length: most }, (_, i) => distinct[Math.round((i * last) / (most - 1))] ?? 0))];
}

/** Samples that are known already, by game and seat: the past does not change. */
const known = new Map<string, Map<number, Sample>>();

/** Numbers of a seat's own count mean other moments than those of the log, which count after the end. */
export function forget(game: string): void {
  for (const key of known.keys()) if (key.startsWith(`${game}/`)) known.delete(key);
}

export async function* history(
  game: string,
  seat: string | null,
  wanted: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<Sample[]> {
  const key = `${game}/${seat ?? ""}`;
  const kept = known.get(key) ?? new Map<number, Sample>();
  known.set(key, kept);
  const have = (): Sample[] => wanted.flatMap((n) => kept.get(n) ?? []);
  yield have();
  for (const n of wanted) {
    if (kept.has(n)) continue;
    const moment = await api.moment(game, seat, n, signal);
    kept.set(n, { n, label: english(moment.scene.title ?? ""), stats: moment.scene.stats ?? [] });
    yield have();
  }
}
