/** Lines over time: the numbers of scenes made into paths of an SVG. */

import type { Said } from "../i18n/said";

/** A line of the strength chart at one moment: one number for each side, null where it is not known. */
export interface Stat {
  id: string;
  title: Said;
  values: (number | null)[];
}

/** The statistics at one moment of the game. */
export interface Sample {
  n: number;
  label: string;
  stats: Stat[];
}

export interface Point {
  n: number;
  value: number | null;
}

export interface Series {
  id: string;
  title: Said;
  /** One line for each side, in the order of the game's sides. */
  lines: Point[][];
  max: number;
}

/** The samples turned: for each statistic one line a side. */
export function series(samples: readonly Sample[], sides: number): Series[] {
  const found = new Map<string, Series>();
  for (const sample of samples) {
    for (const stat of sample.stats) {
      let one = found.get(stat.id);
      if (!one) {
        one = { id: stat.id, title: stat.title, lines: Array.from({ length: sides }, () => []), max: 0 };
        found.set(stat.id, one);
      }
      for (const [side, line] of one.lines.entries()) {
        const value = stat.values[side] ?? null;
        line.push({ n: sample.n, value });
        if (value !== null && value > one.max) one.max = value;
      }
    }
  }
  return [...found.values()];
}

/** Steps of 1, 2 or 5 times a power of ten that divide 0 … max into about `wanted` parts. */
export function ticks(max: number, wanted = 4): number[] {
  if (max <= 0) return [0, 1];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough) ?? rough);
  const out: number[] = [];
  for (let value = 0; value < max + step; value += step) out.push(value);
  return out;
}

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Scale {
  x(n: number): number;
  y(value: number): number;
}

export function scale(frame: Frame, first: number, last: number, max: number): Scale {
  const width = frame.width - frame.left - frame.right;
  const height = frame.height - frame.top - frame.bottom;
  const span = Math.max(1, last - first);
  return {
    x: (n) => frame.left + ((n - first) / span) * width,
    y: (value) => frame.top + height - (max > 0 ? value / max : 0) * height,
  };
}

/** A path of straight steps; unknown values leave a gap. */
export function path(points: readonly Point[], to: Scale): string {
  let out = "";
  let pen = false;
  let before = 0;
  for (const { n, value } of points) {
    if (value === null) {
      pen = false;
      continue;
    }
    const x = to.x(n).toFixed(1);
    const y = to.y(value).toFixed(1);
    if (!pen) out += `M${x} ${y}`;
    else out += value === before ? `H${x}` : `H${x}V${y}`;
    pen = true;
    before = value;
  }
  return out;
}

/** At most `wanted` log numbers spread over 0 … length, both ends among them. */
export function moments(length: number, wanted = 40): number[] {
  if (length <= 0) return [0];
  const count = Math.min(length, Math.max(1, wanted - 1));
  return [...new Set(Array.from({ length: count + 1 }, (_, i) => Math.round((i * length) / count)))];
}

/** The name of a part of a game in so many signs at most: without "of 6" and the like, and not cut within a word. */
export function shortened(label: string, most = 9): string {
  const name = label.split(/（| of |, |、/)[0] ?? "";
  if (name.length <= most) return name;
  const end = name.lastIndexOf(" ", most);
  return name.slice(0, end > 0 ? end : most);
}
