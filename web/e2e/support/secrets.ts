/** Searches what a browser was sent for what its side may not know. */
import type { CounterItem, EventItem, HandItem, Scene } from "../../src/lib/api/types";
import type { Payload } from "./stage";

/** What everybody may know: the measure for what a side may know of the other. */
export interface Public {
  scenes: Map<number, Scene>;
  events: EventItem[];
  /** The last step at which the public view was looked at: what is later cannot be measured by it. */
  until: number;
}

export interface Search {
  side: string;
  enemy: string;
  /** The ids of the enemy's units. */
  units: readonly string[];
  /** Words that must not appear at all: the seed, the enemy's notes. */
  words: readonly string[];
  known: Public;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Found {
  [key: string]: Json;
}

function* objects(value: Json): Generator<Found> {
  if (Array.isArray(value)) for (const one of value) yield* objects(one);
  else if (value !== null && typeof value === "object") {
    yield value;
    for (const one of Object.values(value)) yield* objects(one);
  }
}

/** JSON with its keys in order, so that two of the same are equal texts. */
function canon(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function counters(scene: Scene, side: string): string[] {
  return (scene.counters ?? [])
    .filter((counter: CounterItem) => counter.side === side)
    .map(canon)
    .sort();
}

function sceneFaults(scene: Scene, n: number, search: Search): string[] {
  const open = search.known.scenes.get(n);
  if (!open) return [];
  const out: string[] = [];
  const shown = counters(scene, search.enemy);
  const allowed = counters(open, search.enemy);
  const extra = shown.filter((one, i) => one !== allowed[i]);
  if (shown.join() !== allowed.join())
    out.push(`at ${n} more of the enemy than anybody may know: ${extra[0] ?? "another number of counters"}`);
  for (const hand of scene.hands ?? []) {
    const common = (open.hands ?? []).find((one: HandItem) => one.side === hand.side && one.title === hand.title);
    if (hand.side === search.enemy && hand.cards && !common?.cards)
      out.push(`at ${n} the cards of the enemy: ${canon(hand)}`);
  }
  return out;
}

/** An event without the faces of the dice that led to it, and without its number, which is in the seat's own count. */
function bare({ faces: _, n: __, ...facts }: EventItem): string {
  return canon(facts);
}

/** What an event of the enemy, or of nobody, tells more than anybody may know. `own`: the rolls of this side. */
function eventFaults(event: EventItem, search: Search, own: ReadonlySet<number>): string[] {
  if ((event.public ?? 0) > search.known.until) return [];
  const same = search.known.events.filter((one) => one.public === event.public && one.event === event.event);
  if (event.side !== undefined && event.side !== search.enemy) return [];
  if (event.side === undefined && !same.length) return []; // an event of one's own
  const twin = same.find((one) => bare(one) === bare(event));
  if (!twin) return [`event ${event.n} tells more than anybody may know: ${canon(event)}`];
  if (event.faces?.length && !twin.faces?.length && !own.has(event.n))
    return [`event ${event.n} tells the faces of a hidden roll: ${canon(event)}`];
  return [];
}

function isEvent(found: Found): boolean {
  return typeof found["n"] === "number" && typeof found["event"] === "string";
}

function parsed(body: string): Json[] {
  try {
    return [JSON.parse(body) as Json];
  } catch {
    return []; // not JSON: the search for words still holds
  }
}

/** Whether an answer holds this very event. */
export function tells(body: string, event: EventItem): boolean {
  const same = (found: Found): boolean =>
    isEvent(found) &&
    found["event"] === event.event &&
    canon(found["text"]) === canon(event.text) &&
    found["n"] === event.n;
  return parsed(body).some((value) => [...objects(value)].some(same));
}

/** Everything in the payloads that this side should not have been sent. */
export function leaks(payloads: readonly Payload[], search: Search): string[] {
  const shown = new Set<string>();
  const common = [...search.known.events.map(canon), ...[...search.known.scenes.values()].map(canon)].join("\n");
  for (const unit of search.units) if (common.includes(`"${unit}"`)) shown.add(unit);
  const bodies = payloads.map(({ from, body }) => ({ from, body, values: parsed(body) }));
  const own = new Set<number>();
  for (const { values } of bodies) {
    for (const found of values.flatMap((value) => [...objects(value)])) {
      if (isEvent(found) && found["side"] === search.side) own.add(found["n"] as number);
    }
  }
  const out: string[] = [];
  for (const { from, body, values } of bodies) {
    const add = (what: string): number => out.push(`${from}: ${what}`);
    for (const word of search.words) if (body.includes(word)) add(`the secret ${word}`);
    if (/\/api\/catalogue|\/assets\//.test(from)) continue; // the same for everybody
    for (const unit of search.units) if (!shown.has(unit) && body.includes(`"${unit}"`)) add(`the unit ${unit}`);
    for (const value of values) {
      for (const found of objects(value)) {
        const n = found["public"]; // the number that means the same to everybody
        if (found["scene"] && typeof n === "number")
          for (const fault of sceneFaults(found["scene"] as unknown as Scene, n, search)) add(fault);
        if (isEvent(found)) for (const fault of eventFaults(found as unknown as EventItem, search, own)) add(fault);
      }
    }
  }
  return out;
}
