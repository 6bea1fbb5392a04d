/** The diagrams of the worked examples, and all that is needed to draw them; fetched once a game, when one is seen. */

import { api } from "../api/client";
import type { ExampleText, GameDetail } from "../api/types";
import { presentationOf, type Presentation } from "../games/presentation";
import type { Point } from "../table/map/geometry";
import { rows, type Stack } from "../table/pieces/stacks";

export interface Diagrams {
  detail: GameDetail;
  presentation: Presentation;
  examples: ReadonlyMap<string, ExampleText>;
}

const drawers = new Map<string, Promise<Diagrams>>();

async function fetched(game: string): Promise<Diagrams> {
  const [detail, presentation, list] = await Promise.all([
    api.detail(game, ""),
    presentationOf(game),
    api.examples(game),
  ]);
  return { detail, presentation, examples: new Map(list.map((one) => [one.id, one])) };
}

export function diagramsOf(game: string): Promise<Diagrams> {
  let found = drawers.get(game);
  if (!found) {
    found = fetched(game);
    drawers.set(game, found);
    found.catch(() => drawers.delete(game));
  }
  return found;
}

/** The id of the worked example that a row of a table or an item of a list begins with. */
export function exampleIn(words: string): string {
  return /^\[?(EX-[\w.-]+|X-[\w.-]+|X\d+|E\d+(?:\.\d+)*[a-z]?)\]?(?=\s|$)/.exec(words)?.[1] ?? "";
}

/** A line through points, ended so far before the last one. */
export function shortened(points: readonly Point[], by: number): Point[] {
  const last = points.at(-1);
  const before = points.at(-2);
  if (!last || !before) return [...points];
  const long = Math.hypot(last.x - before.x, last.y - before.y) || 1;
  const part = Math.max(0.2, 1 - by / long);
  const end = { x: before.x + (last.x - before.x) * part, y: before.y + (last.y - before.y) * part };
  return [...points.slice(0, -1), end];
}

export const line = (points: readonly Point[]): string =>
  points.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** The head of an arrow at the end of a line. */
export function head(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return "";
  const long = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [ux, uy] = [(tip.x - before.x) / long, (tip.y - before.y) / long];
  const at = (along: number, aside: number): string =>
    `${(tip.x + ux * along - uy * aside).toFixed(1)} ${(tip.y + uy * along + ux * aside).toFixed(1)}`;
  return `M${at(10, 0)}L${at(-10, 10)}L${at(-10, -10)}Z`;
}

/** Up to so many counters lie side by side: columns, and the largest that they may be in hundredths of a hex. */
const SPREAD: readonly (readonly [most: number, columns: number, size: number])[] = [
  [1, 1, 62],
  [2, 2, 46],
  [4, 2, 42],
  [6, 3, 31],
];

/** A pile with its counters side by side, so that each can be read without a pointer; a high one stays a pile. */
export function apart(stack: Stack, at: Point): Stack {
  const many = stack.items.length;
  const found = SPREAD.find(([most]) => many <= most);
  if (!found || many < 2) return stack;
  const [, columns, most] = found;
  const size = Math.min(most, ...stack.items.map((one) => one.size));
  const pitch = size + 2;
  // What lay on top comes first.
  const lines = rows([...stack.items].reverse(), columns);
  const items = lines.flatMap((line, row) =>
    line.map((one, column) => ({
      ...one,
      under: false,
      size,
      x: at.x + (column - (line.length - 1) / 2) * pitch,
      y: at.y + (row - (lines.length - 1) / 2) * pitch,
    })),
  );
  return { ...stack, items, piles: [] };
}

/** Where a note goes: beyond the head of an arrow, or, where counters stand there, above its shaft. */
export function beside(before: Point, end: Point, taken: boolean): Point {
  const long = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [ux, uy] = [(end.x - before.x) / long, (end.y - before.y) / long];
  if (!taken) return { x: end.x + ux * 26, y: end.y + uy * 26 };
  const up = ux >= 0 ? 1 : -1;
  return { x: (before.x + end.x) / 2 + uy * up * 44, y: (before.y + end.y) / 2 - ux * up * 44 };
}
