/** The curve of chances as paths of an SVG, and an analysis as it comes line by line. */

import type { Analysis, AnalysisLine } from "../api/types";
import { scale, type Frame, type Series } from "../stats/plot";
import type { Said } from "../i18n/said";

export const FRAME: Frame = { width: 760, height: 260, left: 44, right: 16, top: 14, bottom: 30 };

/** The frame as wide as there is room: words keep their size on a small screen. */
export const framed = (width: number): Frame => (width ? { ...FRAME, width } : FRAME);

export interface Spot {
  n: number;
  x: number;
  y: number;
  chance: number;
  label: Said;
  /** The chance turned up to here, or from here. */
  turning: boolean;
}

export interface Curve {
  line: string;
  band: string;
  /** The chance as it would have gone by decisions alone: what the dice gave is taken off. */
  even: string;
  spots: Spot[];
}

const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The first side's chance over the game: a line, the band of its interval, and spots to point at. */
export function curve(found: Pick<Analysis, "points" | "turning">, frame: Frame = FRAME): Curve {
  const { points } = found;
  const to = scale(frame, points[0]?.n ?? 0, points.at(-1)?.n ?? 1, 1);
  const turned = new Set(found.turning.flatMap(({ start, end }) => [start, end]));
  const path = (values: readonly number[]): string =>
    points.map(({ n }, i) => `${i ? "L" : "M"}${at(to.x(n), to.y(Math.min(1, Math.max(0, values[i] ?? 0))))}`).join("");
  const up = points.map(({ n, high }) => at(to.x(n), to.y(high)));
  const down = points.map(({ n, low }) => at(to.x(n), to.y(low))).reverse();
  return {
    line: path(points.map(({ chance }) => chance)),
    band: points.length ? `M${[...up, ...down].join("L")}Z` : "",
    even: path(points.map(({ chance, luck }) => chance - luck)),
    spots: points.map(({ n, chance, label }) => ({
      n,
      chance,
      label,
      x: to.x(n),
      y: to.y(chance),
      turning: turned.has(n),
    })),
  };
}

/** Labels below the curve that do not run into each other. */
export function captions(
  spots: readonly Spot[],
  said: (label: Said) => string,
  frame: Frame = FRAME,
): { x: number; text: string }[] {
  const out: { x: number; text: string }[] = [];
  let before = "";
  for (const { x, label } of spots) {
    const text = said(label);
    if (text && text !== before && x - (out.at(-1)?.x ?? -999) >= 92 && x < frame.width - 50) out.push({ x, text });
    before = text;
  }
  return out;
}

/** What each side lost, over time. */
export function losses(found: Pick<Analysis, "points" | "lost" | "sides">): Series | null {
  if (!found.lost || !found.points[0]?.lost.length) return null;
  const lines = found.sides.map((_, side) => found.points.map(({ n, lost }) => ({ n, value: lost[side] ?? null })));
  const max = Math.max(1, ...found.points.flatMap(({ lost }) => lost));
  return { id: "lost", title: found.lost, lines, max };
}

/** How the change from the first moment to the last divides into luck and decisions, for the first side. */
export function parts(found: Pick<Analysis, "points" | "luck">): {
  from: number;
  to: number;
  luck: number;
  rest: number;
} {
  const from = found.points[0]?.chance ?? 0.5;
  const to = found.points.at(-1)?.chance ?? 0.5;
  return { from, to, luck: found.luck, rest: to - from - found.luck };
}

/** Reads an answer that comes line by line; `told` hears every line. */
export async function readLines(body: ReadableStream<Uint8Array>, told: (line: AnalysisLine) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) if (line.trim()) told(JSON.parse(line) as AnalysisLine);
    if (done) return;
  }
}

/** A chance in words. */
export const percent = (value: number): string => `${Math.round(100 * value)} %`;

/** A change of it in points, with its sign. */
export function signed(value: number): string {
  const n = Math.round(100 * value);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}
