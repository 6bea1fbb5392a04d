/** Where the counters of a hex lie: blocks side by side in rows, flat counters in a pile. */

import type { CounterItem } from "../../api/types";
import type { Rect } from "../map/geometry";

export interface Placed {
  item: CounterItem;
  /** Stays the same while the counter does, so that the browser can tell it has moved. */
  key: string;
  x: number;
  y: number;
  /** The side of the square. */
  size: number;
  /** Another counter lies on it. */
  under?: boolean;
}

export interface Stack {
  hex: string;
  items: Placed[];
  /** The room that they take. */
  box: Rect;
  /** How many counters lie in a pile, by side; blocks are not counted, one sees them. */
  piles: { side: string; count: number; x: number; y: number }[];
}

export const DEPTH = 0.15;

/** Up to so many blocks: columns, and the side of a block in hundredths of a hex. */
const LAYOUTS: readonly (readonly [most: number, columns: number, size: number])[] = [
  [1, 1, 40],
  [2, 2, 36],
  [4, 2, 32.5],
  [6, 3, 27],
  [9, 3, 25],
];
/** More than that stand close together: the depth of a block is hidden by the next one, its number and symbol are not. */
const CROWD = 9;
const ACROSS = 98;
const MIXED_SIZE = 27;
const GAP = 1.2;
const ROOM = 92;
const PILE_STEP = 3.2 * (62 / 46);

/** Counters by hex; those in boxes are left out, and what somebody has in hand. */
export function byHex(counters: readonly CounterItem[]): Map<string, CounterItem[]> {
  const found = new Map<string, CounterItem[]>();
  for (const item of counters) {
    if (!item.hex || item.holder) continue;
    const list = found.get(item.hex);
    if (list) list.push(item);
    else found.set(item.hex, [item]);
  }
  return found;
}

/** Sides apart, the first side last; hidden ones behind, so that their order tells nothing. */
export function ordered(items: readonly CounterItem[], sides: readonly string[]): CounterItem[] {
  const rank = (item: CounterItem): number => {
    const side = sides.indexOf(item.side);
    return (side < 0 ? -sides.length : -side) * 4 + (item.flat ? 0 : item.hidden ? 2 : 1);
  };
  return items
    .map((item, i) => ({ item, i }))
    .sort((a, b) => rank(a.item) - rank(b.item) || a.i - b.i)
    .map(({ item }) => item);
}

/** Rows of nearly one length, the longer ones below; three make two and one. */
export function rows<T>(list: readonly T[], columns: number): T[][] {
  if (list.length === 3 && columns === 2) return [list.slice(0, 2), list.slice(2)];
  const count = Math.ceil(list.length / columns);
  const found: T[][] = [];
  let at = 0;
  for (let k = 0; k < count; k++) {
    const length = Math.floor(list.length / count) + (k >= count - (list.length % count) ? 1 : 0);
    found.push(list.slice(at, at + length));
    at += length;
  }
  return found;
}

function groups(items: readonly CounterItem[]): CounterItem[][] {
  const bySide = new Map<string, CounterItem[]>();
  for (const item of items) {
    const list = bySide.get(item.side);
    if (list) list.push(item);
    else bySide.set(item.side, [item]);
  }
  return [...bySide.values()];
}

function keyed(items: readonly CounterItem[], hex: string): Map<CounterItem, string> {
  const keys = new Map<CounterItem, string>();
  const seen = new Map<string, number>();
  for (const item of items) {
    if (item.unit) {
      keys.set(item, item.unit);
    } else {
      const name = `${item.side}@${hex}`;
      const n = seen.get(name) ?? 0;
      seen.set(name, n + 1);
      keys.set(item, `${name}#${n}`);
    }
  }
  return keys;
}

function around(items: readonly Placed[], margin: number, depth: number): Rect {
  const left = Math.min(...items.map((p) => p.x - p.size / 2)) - margin;
  const top = Math.min(...items.map((p) => p.y - p.size / 2 - p.size * depth)) - margin;
  const right = Math.max(...items.map((p) => p.x + p.size / 2 + p.size * depth)) + margin;
  const bottom = Math.max(...items.map((p) => p.y + p.size / 2)) + margin;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Blocks stand side by side, in rows that keep the sides apart. */
export function blockStack(
  hex: string,
  at: { x: number; y: number },
  given: readonly CounterItem[],
  sides: readonly string[],
): Stack {
  const items = ordered(given, sides);
  const keys = keyed(items, hex);
  const many = items.length;
  const [, wide, big] = LAYOUTS.find(([most]) => many <= most) ?? [0, many > 16 ? 5 : 4, 0];
  let [columns, size] = [wide, big];
  const sideGroups = groups(items);
  if (sideGroups.length > 1 && many <= 4) [columns, size] = [many > 3 ? 3 : 2, MIXED_SIZE];
  const lines = sideGroups.flatMap((group) => rows(group, columns));
  const crowded = many > CROWD;
  size = crowded
    ? Math.min(23, ACROSS / columns - GAP, ROOM / lines.length - GAP)
    : Math.min(size, (ROOM / lines.length - GAP) / (1 + DEPTH));
  const pitch = size * (crowded ? 1 : 1 + DEPTH) + GAP;
  let y = at.y - 3 - ((lines.length - 1) * pitch) / 2 + (size * DEPTH) / 2;
  const placed: Placed[] = [];
  for (const line of lines) {
    let x = at.x - ((line.length - 1) * pitch) / 2 - (size * DEPTH) / 2;
    for (const item of line) {
      placed.push({ item, key: keys.get(item) ?? "", x, y, size });
      x += pitch;
    }
    y += pitch;
  }
  return { hex, items: placed, box: around(placed, 2, DEPTH), piles: [] };
}

const COUNT_RADIUS = 10;

/** The room of a pile with the numbers above it: names keep clear of both. */
function withCounts(box: Rect, piles: Stack["piles"]): Rect {
  const right = Math.max(box.x + box.width, ...piles.map((pile) => pile.x + COUNT_RADIUS));
  const top = Math.min(box.y, ...piles.map((pile) => pile.y - COUNT_RADIUS));
  return { x: box.x, y: top, width: right - box.x, height: box.y + box.height - top };
}

/** Flat counters step up and to the right; a number above the pile says how many there are. */
export function pileStack(
  hex: string,
  at: { x: number; y: number },
  given: readonly CounterItem[],
  sides: readonly string[],
  sizeOf?: (item: CounterItem) => number,
): Stack {
  const items = ordered(given, sides);
  const keys = keyed(items, hex);
  const both = groups(items);
  const shrunk = both.length > 1 ? 44 / 62 : 1;
  const sizes = new Map(items.map((item) => [item, (sizeOf?.(item) ?? 62) * shrunk]));
  const size = Math.max(...sizes.values());
  const placed: Placed[] = [];
  const piles: Stack["piles"] = [];
  both.forEach((pile, number) => {
    const shift = both.length > 1 ? (number ? 22 : -22) : 0;
    const step = Math.min(PILE_STEP, 14 / Math.max(1, pile.length - 1));
    // The first lies on top: it is drawn last.
    [...pile].reverse().forEach((item, i) => {
      const back = pile.length - 1 - i;
      placed.push({
        item,
        key: keys.get(item) ?? "",
        x: at.x + shift + back * step,
        y: at.y - back * step,
        size: sizes.get(item) ?? size,
        under: back > 0,
      });
    });
    if (pile.length > 1) {
      const top = (pile.length - 1) * step;
      piles.push({
        side: pile[0]?.side ?? "",
        count: pile.length,
        x: at.x + shift + size / 2 + top + 2,
        y: at.y - size / 2 - top - 2,
      });
    }
  });
  return { hex, items: placed, box: withCounts(around(placed, 1, 0), piles), piles };
}

/** Whether something of a stack is in sight: where the map has flown on, it leaves no fan at the edge. */
export function inSight({ box }: Stack, window: Rect): boolean {
  const across = box.x + box.width > window.x && box.x < window.x + window.width;
  return across && box.y + box.height > window.y && box.y < window.y + window.height;
}

/** A stack fanned out so that every counter can be seen and touched. */
export function fan(stack: Stack, size: number, limit: Rect): Placed[] {
  const many = stack.items.length;
  const gap = size * 0.24;
  /** As many as lie side by side on the screen with the edge around them: a narrow one has more rows. */
  const fit = Math.max(1, Math.floor((limit.width - size * 1.3) / (size + gap)));
  const most = Math.min(5, fit);
  const columns = many <= Math.min(4, fit) ? many : Math.ceil(many / Math.ceil(many / most));
  const lines = rows(stack.items, columns);
  const height = lines.length * size + (lines.length - 1) * gap;
  const middle = { x: stack.box.x + stack.box.width / 2, y: stack.box.y + stack.box.height / 2 };
  const width = columns * size + (columns - 1) * gap;
  const clamp = (v: number, low: number, high: number): number =>
    low > high ? (low + high) / 2 : Math.max(low, Math.min(high, v));
  const cx = clamp(middle.x, limit.x + width / 2, limit.x + limit.width - width / 2);
  const cy = clamp(middle.y, limit.y + height / 2, limit.y + limit.height - height / 2);
  return lines.flatMap((line, row) => {
    const y = cy - height / 2 + size / 2 + row * (size + gap);
    const left = cx - (line.length * size + (line.length - 1) * gap) / 2 + size / 2;
    return line.map((placed, column) => ({ ...placed, under: false, x: left + column * (size + gap), y, size }));
  });
}
