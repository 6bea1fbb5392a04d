/** What one game may add to the way the table shows it. Nothing in it is a rule: without it all still works. */

import type { CounterItem, HexInfo, MarkerItem, UnitInfo, VerbInfo } from "../api/types";
import type { Spot } from "../legend/spots";
import type { Choice, Orders } from "../table/decision/choices";

export interface CardFace {
  title: string;
  note: string;
  /** A drawing in a 50 × 54 box: paths that are stroked. */
  art: string;
  /** Worth less: drawn faint. */
  faint?: boolean;
}

/** One row of a list of alternatives. */
export interface RowFace {
  title: string;
  text: string;
  rule: string;
  /** Small cards before the words: so many filled, of so many. */
  pips: number;
  of: number;
}

/** What a game's own drawing of a counter may ask. */
export interface PieceHow {
  /** The row of the counter sheets that a counter shows, by its id; empty if there is none. */
  row: (id: string) => Readonly<Record<string, string>>;
  /** What it has in hand. */
  held: readonly CounterItem[];
  /** So small that only what matters most can be read. */
  small: boolean;
  /** Whether something in hand can be chosen or is: "can", "sel" or "". */
  tone: (item: CounterItem) => string;
  /** A word of the game in the language of the interface. */
  say: (word: string) => string;
}

/** How the units of a hex go together; what the rules know of it are moves of single units, or units that join. */
export interface Together {
  /** The verb that begins a unit's move. */
  move: string;
  /** The verb that adds another unit to it; without one each goes the same way after the first. */
  add?: string;
  /** Kinds of units that go by themselves: headquarters, trucks. */
  apart: readonly string[];
}

export interface Presentation {
  /** A stack is taken whole by a click on the map, where that is usual. */
  together?: Together;
  /** A counter of the game's own kind as SVG around its middle; `size` is its side in hundredths of a hex. */
  piece?: (item: CounterItem, how: PieceHow) => string;
  size?: (item: CounterItem) => number;
  /** Where a part of such a counter stands on it, and where its number goes beside it, in a box from −24 to 24. */
  spot?: (part: string, item: CounterItem) => Spot | null;
  /** How far so many things in hand hang below a counter, in hundredths of a hex. */
  hangs?: (held: number) => number;
  /** A marker as SVG around the centre of its hex; null leaves it to the table. `under`: beneath the counters. */
  marker?: (marker: MarkerItem, under: boolean, beside?: readonly MarkerItem[]) => string | null;
  /** The map is made of joined boards: hexes are numbered on them, and nothing lies beyond. */
  boards?: boolean;
  /** The token of a hex's ground on the overview of the map; none for the plain ground of a board. */
  tint?: (hex: HexInfo) => string | null;
  /** Lines of sight matter: a thread can be laid over the map. */
  sights?: boolean;
  /** How many faces its dice have, if not six. */
  die?: number;
  /** Nothing lies hidden: two people at one browser need no curtain between them. */
  open?: boolean;
  /** What the map's own words for terrain, hexsides and ways are called on the hex card. */
  facts?: Record<string, string>;
  /** Kinds of troops of this game, in terms of the common ones. */
  symbols?: Record<string, string>;
  /** Card kinds of hands and of `card` arguments. */
  cards?: Record<string, CardFace>;
  /** How an alternative of a list with a number beside it is shown. */
  row?: (verb: string, value: string) => RowFace | null;
  /** How a way of doing something is called: `name` is "" for verbs, else the name of the argument. */
  mode?: (name: string, value: string) => { title: string; text?: string } | null;
  /** The order of the ways of doing something, by the name of the argument ("" for verbs). */
  orders?: Orders;
  /** Verbs that wait behind a button until they are asked for, in the order of the buttons. */
  aside?: readonly string[];
  /** Verbs whose choices are written out, although they can be pointed at. */
  listed?: readonly string[];
  /** Verbs that gather units, of which one may want all. */
  gathers?: readonly string[];
  /** Verbs that begin a fight, weighed with certain units, and lead to the question who takes part. */
  musters?: readonly string[];
  /** Verbs that end a part of the turn: what the main button does while nothing else is chosen. */
  onward?: readonly string[];
  /** Verbs whose chances are shown as soon as they can be done, while they are still being put together. */
  weighs?: readonly string[];
  /** Verbs that are done with what they name: the next decision is not about it. */
  ends?: readonly string[];
  /** How the points of an outcome are told, as {n}: whose they are, where only one side has any. */
  scored?: string;
  /** What the number beside such a list counts. */
  counts?: (verb: string) => string;
  /** The cards of a hand that a choice would play, by kind. */
  lifts?: (choice: Choice) => Record<string, number>;
  /** Strengths on the other edges of a block: the next lower one first. */
  edges?: (item: CounterItem, unit: UnitInfo | undefined) => string[];
  /** Kinds of events that head a part of the log: 1 the largest. */
  headings?: Record<string, number>;
  /** Decisions in which the hand should be seen, by phase. */
  handPhases?: readonly string[];
  /** Colours of formations, for the band of a counter. */
  bands?: Record<string, string>;
}

const modules = import.meta.glob<{ default: Presentation }>("./*/table.ts");

const ROLES = ["aside", "listed", "gathers", "musters", "onward", "weighs", "ends"] as const;

/** What the verbs of a game say of themselves: which wait behind a button, which are written out, which end something. */
export function rolesOf(verbs: readonly VerbInfo[]): Pick<Presentation, (typeof ROLES)[number]> {
  const playing = (role: string): string[] =>
    verbs.filter(({ roles }) => roles?.includes(role)).map(({ word }) => word);
  return Object.fromEntries(ROLES.map((role) => [role, playing(role)]));
}

/** The presentation of a game; an empty one if it brings none. */
export async function presentationOf(game: string): Promise<Presentation> {
  const load = modules[`./${game}/table.ts`];
  return load ? (await load()).default : {};
}
