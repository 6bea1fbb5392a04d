/**
 * What can be done, found from the list of legal actions alone.
 *
 * An action is a verb with arguments. Arguments of the kinds `unit` and `hex` are places to point at; a player
 * points at them in their order until one action is left. Everything else is chosen from a short list.
 */

import type { ActionItem, VerbInfo } from "../../api/types";

export type PlaceKind = "unit" | "hex";

export interface Pick {
  kind: PlaceKind;
  value: string;
}

/** An argument that is not pointed at. */
export interface Extra {
  name: string;
  kind: string;
  value: string;
}

export interface Choice {
  item: ActionItem;
  verb: string;
  picks: Pick[];
  extras: Extra[];
}

export type Verbs = ReadonlyMap<string, VerbInfo>;

export function verbsByWord(verbs: readonly VerbInfo[]): Verbs {
  return new Map(verbs.map((verb) => [verb.word, verb]));
}

/** What an argument is pointed at as; null if it is chosen from a list. */
const placeKind = (kind: string): PlaceKind | null =>
  kind === "unit" ? "unit" : kind === "hex" || kind === "hex or box" ? "hex" : null;

/** Whether a place is a hex of the map; boxes beside it are chosen from a list. */
export type OnMap = (place: string) => boolean;

export function readChoice(item: ActionItem, verbs: Verbs, onMap: OnMap = () => true): Choice {
  const verb = item.action.do;
  const picks: Pick[] = [];
  const extras: Extra[] = [];
  for (const arg of verbs.get(verb)?.args ?? []) {
    const value = item.action[arg.name] ?? "";
    const kind = placeKind(arg.kind);
    if (kind && (kind === "unit" || onMap(value))) picks.push({ kind, value });
    else extras.push({ name: arg.name, kind: kind ? "box" : arg.kind, value });
  }
  return { item, verb, picks, extras };
}

export function readChoices(items: readonly ActionItem[], verbs: Verbs, onMap?: OnMap): Choice[] {
  return items.map((item) => readChoice(item, verbs, onMap));
}

/** Whether there is nothing to do but what a game sets aside, or one such thing and to go on. */
function onlyAside(choices: readonly Choice[], aside: readonly string[], onward: readonly string[]): boolean {
  const open = choices.filter(({ verb }) => !aside.includes(verb));
  if (!open.length) return true;
  return (
    open.every(({ verb }) => onward.includes(verb)) &&
    new Set(choices.flatMap(({ verb }) => (aside.includes(verb) ? [verb] : []))).size === 1
  );
}

/**
 * What is open to the pointer: the verbs that a game sets aside are left out, unless one of them is asked for or
 * there is nothing else but to go on.
 */
export function openChoices(
  choices: readonly Choice[],
  aside: readonly string[],
  asked: string | null,
  onward: readonly string[] = [],
): Choice[] {
  if (asked !== null) return choices.filter(({ verb }) => verb === asked);
  return onlyAside(choices, aside, onward) ? [...choices] : choices.filter(({ verb }) => !aside.includes(verb));
}

/** The verbs set aside that are on offer, in the order in which the game names them. */
export function setAside(
  choices: readonly Choice[],
  aside: readonly string[],
  onward: readonly string[] = [],
): Family[] {
  if (onlyAside(choices, aside, onward)) return [];
  const found = families(choices);
  return aside.flatMap((verb) => found.filter((family) => family.verb === verb));
}

const same = (a: Pick | undefined, b: Pick | undefined): boolean => a?.kind === b?.kind && a?.value === b?.value;

/** The choices that begin with what has been pointed at so far. */
export function matching(choices: readonly Choice[], draft: readonly Pick[]): Choice[] {
  return choices.filter(({ picks }) => draft.every((pick, i) => same(picks[i], pick)));
}

/** The unit that every choice begins with before a hex is pointed at: it need not be picked where it is the only one. */
export function onlyUnit(choices: readonly Choice[]): Pick[] {
  const [first] = choices[0]?.picks ?? [];
  const only = first?.kind === "unit" && choices.every(({ picks }) => picks.length > 1 && same(picks[0], first));
  return only ? [first] : [];
}

/**
 * Ways of doing things, to be chosen beforehand: several verbs (move a group or regroup), or a small argument
 * (normal, extended, tactical). `name` is "" for verbs: the map shows one of them at a time. An argument only
 * decides where there is a choice: what is possible in another way alone stays possible.
 */
export interface Modes {
  name: string;
  kind: string;
  values: string[];
  /** At how many places each can be done. */
  counts: number[];
  /** What holds until the player says otherwise. */
  initial: string;
}

/** What the player has said, by the name of the modes. */
export type Wishes = Readonly<Record<string, string>>;

const MOST_MODES = 6;
/** Where there are fewer places than this, all verbs are shown and each place asks which. */
const LEAST_PLACES = 7;
const POINTED = /^(hexside|card|unit|hex|box)$/;
const YES_OR_NO = /^yes or no/;

export const isSwitch = (modes: Modes): boolean => YES_OR_NO.test(modes.kind);

const valueOf = (choice: Choice, name: string): string | undefined =>
  name ? choice.extras.find((extra) => extra.name === name)?.value : choice.verb;

const placeKey = (pick: Pick): string => `${pick.kind}:${pick.value}`;

/** The choices whose verbs compete: units are pointed at for other reasons than hexes are. */
function rivalVerbs(open: readonly Choice[], at: number): Choice[] {
  return (["unit", "hex"] as const).flatMap((kind) => {
    const here = open.filter(({ picks }) => picks[at]?.kind === kind);
    const verbs = new Map<string, string>();
    const doubtful = here.some(({ picks, verb }) => {
      const value = picks[at]!.value;
      const other = verbs.get(value);
      verbs.set(value, verb);
      return other !== undefined && other !== verb;
    });
    return doubtful ? here : [];
  });
}

/** The order in which a game wants the values of an argument, by its name: the first is what holds at first. */
export type Orders = Readonly<Record<string, readonly string[]>>;

/** The modes of what can be pointed at next. */
export function modesOf(choices: readonly Choice[], draft: readonly Pick[] = [], orders: Orders = {}): Modes[] {
  const open = matching(choices, draft).filter(({ picks }) => picks.length > draft.length);
  const kinds = new Map<string, string>([["", "verb"]]);
  for (const { extras } of open) for (const { name, kind } of extras) if (!POINTED.test(kind)) kinds.set(name, kind);
  const found: Modes[] = [];
  for (const [name, kind] of kinds) {
    const values = new Set<string>();
    const places = new Map<string, Set<string>>();
    const rivals = name ? open : rivalVerbs(open, draft.length);
    for (const choice of rivals) {
      const value = valueOf(choice, name);
      if (value === undefined) continue;
      values.add(value);
      // Verbs compete for a place, arguments for one verb at a place.
      const key = `${placeKey(choice.picks[draft.length]!)}${name ? ` ${choice.verb}` : ""}`;
      const here = places.get(key);
      if (here) here.add(value);
      else places.set(key, new Set([value]));
    }
    const doubtful = [...places.values()].some((here) => here.size > 1);
    const order = orders[name] ?? [];
    const rank = (value: string): number => (order.includes(value) ? order.indexOf(value) : order.length);
    const sorted = [...values].sort((a, b) => rank(a) - rank(b));
    const [initial] = sorted;
    if (initial === undefined || values.size < 2 || values.size > MOST_MODES || !doubtful) continue;
    if (!name && places.size < LEAST_PLACES) continue;
    const counts = sorted.map((value) => [...places.values()].filter((here) => here.has(value)).length);
    found.push({ name, kind, values: sorted, counts, initial });
  }
  return found;
}

/** The way that holds now: what the player has said, if it is on offer. */
export function held(modes: Modes, wishes: Wishes): string {
  const wish = wishes[modes.name];
  return wish !== undefined && modes.values.includes(wish) ? wish : modes.initial;
}

/** Of several ways at one place those of the modes that hold. */
export function prefer(here: readonly Choice[], modes: readonly Modes[], wishes: Wishes): Choice[] {
  let left = [...here];
  for (const one of modes) {
    const wanted = held(one, wishes);
    const fitting = left.filter((choice) => {
      const value = valueOf(choice, one.name);
      return value === undefined || !one.values.includes(value) || value === wanted;
    });
    if (fitting.length || !one.name) left = fitting;
  }
  return left;
}

/** Choices that need no pointing, together if they differ in nothing but how they are done. */
function sameBut(ready: readonly Choice[], modes: readonly Modes[]): Choice[][] {
  const names = new Set(modes.filter(({ name }) => name).map(({ name }) => name));
  const found = new Map<string, Choice[]>();
  for (const choice of ready) {
    const key = [choice.verb, ...choice.extras.filter(({ name }) => !names.has(name)).map(({ value }) => value)].join(
      " ",
    );
    const list = found.get(key);
    if (list) list.push(choice);
    else found.set(key, [choice]);
  }
  return [...found.values()];
}

export interface Targets {
  units: Map<string, Choice[]>;
  hexes: Map<string, Choice[]>;
  /** Choices that need no (more) pointing. */
  ready: Choice[];
}

/** What can be pointed at next. */
export function targets(
  choices: readonly Choice[],
  draft: readonly Pick[] = [],
  modes: readonly Modes[] = [],
  wishes: Wishes = {},
): Targets {
  const found: Targets = { units: new Map(), hexes: new Map(), ready: [] };
  for (const choice of matching(choices, draft)) {
    const next = choice.picks[draft.length];
    if (!next) {
      found.ready.push(choice);
      continue;
    }
    const where = next.kind === "unit" ? found.units : found.hexes;
    const list = where.get(next.value);
    if (list) list.push(choice);
    else where.set(next.value, [choice]);
  }
  found.ready = sameBut(found.ready, modes).flatMap((same) => prefer(same, modes, wishes));
  for (const where of [found.units, found.hexes]) {
    for (const [value, list] of where) {
      const left = prefer(list, modes, wishes);
      if (left.length) where.set(value, left);
      else where.delete(value);
    }
  }
  return found;
}

export type Pointing =
  | { result: "nothing" }
  /** One action is left. */
  | { result: "action"; choice: Choice }
  /** The same place, several ways: different hexsides, classes, verbs. */
  | { result: "pick"; choices: Choice[] }
  /** Something more has to be pointed at. */
  | { result: "more"; draft: Pick[]; choices: Choice[] };

/** What pointing at a unit or a hex means. */
export function point(
  choices: readonly Choice[],
  draft: readonly Pick[],
  pick: Pick,
  modes: readonly Modes[] = [],
  wishes: Wishes = {},
): Pointing {
  const longer = [...draft, pick];
  const left = prefer(matching(choices, longer), modes, wishes);
  if (!left.length) return { result: "nothing" };
  const done = left.filter((choice) => choice.picks.length === longer.length);
  if (!done.length) return { result: "more", draft: longer, choices: left };
  if (left.length === 1 && done[0]) return { result: "action", choice: done[0] };
  return { result: "pick", choices: done };
}

/** Ready choices of one verb, by their first extra argument, each with the values of the second. */
export interface Family {
  verb: string;
  choices: Choice[];
}

export function families(ready: readonly Choice[]): Family[] {
  const byVerb = new Map<string, Choice[]>();
  for (const choice of ready) {
    const list = byVerb.get(choice.verb);
    if (list) list.push(choice);
    else byVerb.set(choice.verb, [choice]);
  }
  return [...byVerb].map(([verb, choices]) => ({ verb, choices }));
}

/** Whether a family is a list with a number beside it: one of a few things, and how many of another. */
export function isDial(family: Family): boolean {
  return (
    family.choices.length > 3 &&
    family.choices.every(({ extras }) => extras.length === 2 && /^\d+$/.test(extras[1]?.value ?? ""))
  );
}

export interface DialRow {
  value: string;
  counts: Map<number, Choice>;
}

export function dialRows(family: Family): DialRow[] {
  const rows = new Map<string, DialRow>();
  for (const choice of family.choices) {
    const [first, second] = choice.extras;
    if (!first || !second) continue;
    const row = rows.get(first.value) ?? { value: first.value, counts: new Map<number, Choice>() };
    row.counts.set(Number(second.value), choice);
    rows.set(first.value, row);
  }
  return [...rows.values()];
}

/** The choice that Enter takes: the only one that needs no pointing, if there is just one. */
export function mainChoice(ready: readonly Choice[]): Choice | null {
  return ready.length === 1 ? (ready[0] ?? null) : null;
}

/** Choices that a card of a kind stands for. */
export function byCard(ready: readonly Choice[]): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const choice of ready) {
    for (const extra of choice.extras) {
      if (extra.kind !== "card") continue;
      const list = found.get(extra.value);
      if (list) list.push(choice);
      else found.set(extra.value, [choice]);
    }
  }
  return found;
}

/** Where an action takes place, for lighting it up: hexes named, and units. */
export function placesOf(choice: Choice): { hexes: string[]; units: string[] } {
  return {
    hexes: choice.picks.filter((p) => p.kind === "hex").map((p) => p.value),
    units: choice.picks.filter((p) => p.kind === "unit").map((p) => p.value),
  };
}

/**
 * The action to ask "why not?" about when this place cannot be pointed at: the verbs on offer, in the order of
 * the list, with this place put where it would go. Null if no verb takes such a place now.
 */
export function refused(
  choices: readonly Choice[],
  draft: readonly Pick[],
  pick: Pick,
  verbs: Verbs,
  modes: readonly Modes[] = [],
  wishes: Wishes = {},
): string | null {
  const left = prefer(matching(choices, draft), modes, wishes);
  const model = left.find(({ picks }) => picks[draft.length]?.kind === pick.kind);
  if (!model) return null;
  let seen = 0;
  const words = [model.verb];
  for (const arg of verbs.get(model.verb)?.args ?? []) {
    if (placeKind(arg.kind)) {
      const value =
        seen < draft.length
          ? draft[seen]!.value
          : seen === draft.length
            ? pick.value
            : (model.picks[seen]?.value ?? "");
      words.push(value);
      seen++;
    } else {
      words.push(plainest(left, model.verb, arg.name));
    }
  }
  return words.every(Boolean) ? words.join(" ") : null;
}

/** The commonest value of an extra argument among the choices on offer. */
function plainest(choices: readonly Choice[], verb: string, name: string): string {
  const counts = new Map<string, number>();
  for (const choice of choices) {
    if (choice.verb !== verb) continue;
    const value = choice.extras.find((extra) => extra.name === name)?.value;
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  let best = "";
  let most = 0;
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count];
  return best;
}

/**
 * Whether the only choice may be made for the player. One that only ends something is left to him while he
 * could still take back what he did before.
 */
export function isForced(choices: readonly Choice[], canUndo: boolean): boolean {
  const only = choices[0];
  if (!only || choices.length !== 1) return false;
  return !canUndo || only.picks.length > 0;
}
