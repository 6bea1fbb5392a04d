/** Names on the map: each looks for a place beside its site, clear of counters and of other names. */

import type { PlaceInfo } from "../../api/types";
import type { Rect } from "../map/geometry";

export interface NameType {
  /** Pixels on the screen at the zoom where a hex is `AT_PITCH` wide. */
  size: number;
  weight: number;
  italic: boolean;
  ink: string;
  spacing: number;
}

export const AT_PITCH = 126;

/** How the kinds of names are set, most important first. */
export const TYPES: Record<string, NameType> = {
  capital: { size: 19, weight: 600, italic: false, ink: "name", spacing: 0 },
  city: { size: 18, weight: 600, italic: false, ink: "name", spacing: 0 },
  pass: { size: 13, weight: 600, italic: true, ink: "pass", spacing: 0 },
  town: { size: 13.5, weight: 600, italic: false, ink: "name", spacing: 0 },
  landmark: { size: 12.5, weight: 500, italic: true, ink: "name-2", spacing: 0 },
  road: { size: 12, weight: 500, italic: true, ink: "track", spacing: 0.07 },
  small: { size: 11.5, weight: 500, italic: true, ink: "name-2", spacing: 0 },
};
const ORDER = Object.keys(TYPES);

export interface Label {
  text: string;
  type: NameType;
  /** The middle of the text, and the size of its type, in units of the sheet. */
  x: number;
  y: number;
  size: number;
  badge: string;
  box: Rect;
}

/** About how wide a serif sets the text, in sizes of its type. */
export function textWidth(text: string, type: Pick<NameType, "weight" | "spacing">): number {
  let total = 0;
  for (const character of text) {
    if ("ijl.,;:'’|!()[] -/".includes(character)) total += 0.31;
    else if ("frtIJ".includes(character)) total += 0.4;
    else if ("mwMW".includes(character)) total += 0.86;
    else if (character.charCodeAt(0) > 0x2e80) total += 1;
    else if (character !== character.toLowerCase()) total += 0.66;
    else total += 0.53;
  }
  return total * (type.weight >= 600 ? 1.05 : 1) + type.spacing * text.length;
}

/** Type grows more slowly than the map, and never falls under 11 pixels. */
export function typePixels(type: NameType, zoom: number, pitch: number): number {
  const grown = type.size * Math.pow((zoom * pitch) / AT_PITCH, 0.4);
  return Math.max(Math.min(11, type.size), Math.min(grown, type.size * 1.35));
}

function overlap(a: Rect, b: Rect): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high + 40 : 0;
}

/** Boxes sorted into bins, so that only those nearby are looked at. */
class Boxes {
  private readonly bins = new Map<string, Rect[]>();

  private *keys(box: Rect): Generator<string> {
    for (let i = Math.floor(box.x / 100); i <= Math.floor((box.x + box.width) / 100); i++) {
      for (let j = Math.floor(box.y / 100); j <= Math.floor((box.y + box.height) / 100); j++) yield `${i},${j}`;
    }
  }

  add(box: Rect): void {
    for (const key of this.keys(box)) {
      const bin = this.bins.get(key);
      if (bin) bin.push(box);
      else this.bins.set(key, [box]);
    }
  }

  covered(box: Rect): number {
    const seen = new Set<Rect>();
    let total = 0;
    for (const key of this.keys(box)) {
      for (const other of this.bins.get(key) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        total += overlap(box, other);
      }
    }
    return total;
  }
}

interface Spot {
  x: number;
  y: number;
  dislike: number;
}

/** Places around a site, or around the counters that stand on it. */
function spots(place: { x: number; y: number }, taken: Rect | null, wide: number, high: number, clear: number): Spot[] {
  const found: Spot[] = [];
  const left = taken ? taken.x : place.x - clear;
  const top = taken ? taken.y : place.y - clear;
  const across = taken ? taken.width : 2 * clear;
  const down = taken ? taken.height : 2 * clear;
  const [x, y] = [left + across / 2, top + down / 2];
  for (const [gap, more] of [
    [1, 0],
    [6, 6],
    [13, 14],
  ] as const) {
    for (const [slide, extra] of [
      [0, 0],
      [-14, 3],
      [14, 3],
      [-28, 8],
      [28, 8],
    ] as const) {
      found.push({ x: x + slide, y: top + down + high / 2 + gap, dislike: more + extra });
      found.push({ x: x + slide, y: top - high / 2 - gap, dislike: more + extra + 3 });
    }
    for (const [slide, extra] of [
      [0, 0],
      [-14, 3],
      [14, 3],
    ] as const) {
      found.push({ x: left + across + wide / 2 + gap, y: y + slide, dislike: more + extra + 5 });
      found.push({ x: left - wide / 2 - gap, y: y + slide, dislike: more + extra + 6 });
    }
  }
  return found;
}

export interface Sheet {
  width: number;
  height: number;
  /** The room of the counters, by hex. */
  stacks: ReadonlyMap<string, Rect>;
  /** Screen pixels a unit, and units from hex to hex. */
  zoom: number;
  pitch: number;
  name: (place: PlaceInfo) => string;
}

const COUNTER_WEIGHT = 4;
const CLEAR: Record<string, number> = { base: 10, city: 8, oasis: 9.5, airfield: 9 };
const HIDE_ABOVE = 260;
/** From how many pixels a hex on names of a kind are shown, unless the place says otherwise; a badge is always named. */
const FROM: Record<string, number> = { town: 46, landmark: 58, road: 62, small: 66 };

function from(place: PlaceInfo): number {
  return Math.max(place.shown_from ?? 0, place.badge ? 0 : (FROM[place.type ?? "town"] ?? 0));
}

/** All names that are shown at this zoom, each in its best place. */
export function placeNames(places: readonly PlaceInfo[], sheet: Sheet): Label[] {
  const counters = new Boxes();
  for (const box of sheet.stacks.values()) counters.add(box);
  const names = new Boxes();
  const shown = places
    .filter(
      (p) => TYPES[p.type ?? "town"] && sheet.zoom * sheet.pitch >= from(p) && p.x !== undefined && p.y !== undefined,
    )
    .sort((a, b) => ORDER.indexOf(a.type ?? "town") - ORDER.indexOf(b.type ?? "town"));
  const labels: Label[] = [];
  for (const place of shown) {
    const type = TYPES[place.type ?? "town"]!;
    const text = sheet.name(place);
    const size = typePixels(type, sheet.zoom, sheet.pitch) / sheet.zoom;
    const badge = place.badge ?? "";
    const wide = size * (textWidth(text, type) + (badge ? 1.7 : 0)) + 3;
    const high = size * 1.1;
    const at = { x: place.x ?? 0, y: place.y ?? 0 };
    const taken = sheet.stacks.get(place.hex) ?? null;
    let best: { spot: Spot; cost: number; box: Rect } | null = null;
    for (const spot of spots(at, taken, wide, high, CLEAR[place.mark ?? ""] ?? 5.5)) {
      if (best && spot.dislike >= best.cost) continue;
      const box = { x: spot.x - wide / 2, y: spot.y - high / 2, width: wide, height: high };
      const off =
        Math.max(0, -box.x) +
        Math.max(0, -box.y) +
        Math.max(0, box.x + wide - sheet.width) +
        Math.max(0, box.y + high - sheet.height);
      const cost = spot.dislike + COUNTER_WEIGHT * counters.covered(box) + names.covered(box) + 60 * off;
      if (!best || cost < best.cost) best = { spot, cost, box };
    }
    if (!best) continue;
    const lesser = ORDER.indexOf(place.type ?? "town") >= ORDER.indexOf("landmark");
    if (lesser && best.cost > HIDE_ABOVE) continue;
    names.add(best.box);
    labels.push({ text, type, x: best.spot.x, y: best.spot.y, size, badge, box: best.box });
  }
  return labels;
}
