/** Hexes on the sheet: which one is under a point, its outline, its neighbours, the line around many. */

import type { GridInfo, HexInfo } from "../../api/types";

export interface Point {
  x: number;
  y: number;
}

const S = Math.sqrt(3) / 2;

/** Unit vectors of the directions, on a grid with pointy and with flat tops. */
const TOWARD: Record<string, [Point, Point]> = {
  E: [
    { x: 1, y: 0 },
    { x: 1, y: 0 },
  ],
  W: [
    { x: -1, y: 0 },
    { x: -1, y: 0 },
  ],
  N: [
    { x: 0, y: -1 },
    { x: 0, y: -1 },
  ],
  S: [
    { x: 0, y: 1 },
    { x: 0, y: 1 },
  ],
  NE: [
    { x: 0.5, y: -S },
    { x: S, y: -0.5 },
  ],
  NW: [
    { x: -0.5, y: -S },
    { x: -S, y: -0.5 },
  ],
  SE: [
    { x: 0.5, y: S },
    { x: S, y: 0.5 },
  ],
  SW: [
    { x: -0.5, y: S },
    { x: -S, y: 0.5 },
  ],
};

const cell = (x: number, y: number): string => `${Math.floor(x)},${Math.floor(y)}`;
const round = (n: number): number => Math.round(n * 10) / 10;

export class Grid {
  readonly info: GridInfo;
  readonly hexes: Map<string, HexInfo>;
  /** From one centre to the next, in the units of the sheet. */
  readonly pitch: number;
  private readonly bins = new Map<string, HexInfo[]>();

  constructor(info: GridInfo) {
    this.info = info;
    this.pitch = info.radius * Math.sqrt(3);
    this.hexes = new Map(info.hexes.map((hex) => [hex.id, hex]));
    for (const hex of info.hexes) {
      const key = cell(hex.x / this.pitch, hex.y / this.pitch);
      const bin = this.bins.get(key);
      if (bin) bin.push(hex);
      else this.bins.set(key, [hex]);
    }
  }

  get pointy(): boolean {
    return this.info.orientation === "pointy";
  }

  hex(id: string): HexInfo | undefined {
    return this.hexes.get(id);
  }

  /** The hex under a point of the sheet. */
  at(x: number, y: number): HexInfo | null {
    let best: HexInfo | null = null;
    let least = Infinity;
    const column = Math.floor(x / this.pitch);
    const row = Math.floor(y / this.pitch);
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) {
        for (const hex of this.bins.get(`${i},${j}`) ?? []) {
          const far = (hex.x - x) ** 2 + (hex.y - y) ** 2;
          if (far < least) [best, least] = [hex, far];
        }
      }
    }
    return best && this.inside(best, x, y) ? best : null;
  }

  private inside(hex: HexInfo, x: number, y: number): boolean {
    const [dx, dy] = [x - hex.x, y - hex.y];
    return this.info.directions.every((name) => {
      const way = this.toward(name);
      return dx * way.x + dy * way.y <= this.pitch / 2 + 0.5;
    });
  }

  toward(direction: string): Point {
    const ways = TOWARD[direction];
    return ways ? ways[this.pointy ? 0 : 1] : { x: 0, y: 0 };
  }

  /** From one hex to another, in hexes; NaN if one of them is not on the map. */
  distance(from: string, to: string): number {
    const [a, b] = [this.hexes.get(from), this.hexes.get(to)];
    if (!a || !b) return NaN;
    const [dx, dy] = [(b.x - a.x) / this.pitch, (b.y - a.y) / this.pitch];
    // Along the rows (or columns) of the grid, and across them.
    const [along, across] = this.pointy ? [dx, dy] : [dy, dx];
    const rows = Math.abs(across) / S;
    return Math.round(rows + Math.max(0, Math.abs(along) - rows / 2));
  }

  neighbour(id: string, direction: string): HexInfo | null {
    const hex = this.hexes.get(id);
    const way = this.toward(direction);
    if (!hex || (way.x === 0 && way.y === 0)) return null;
    const found = this.at(hex.x + way.x * this.pitch, hex.y + way.y * this.pitch);
    return found && found.id !== id ? found : null;
  }

  /** The middle of a hexside. */
  middle(id: string, direction: string): Point | null {
    const hex = this.hexes.get(id);
    if (!hex) return null;
    const way = this.toward(direction);
    return { x: hex.x + (way.x * this.pitch) / 2, y: hex.y + (way.y * this.pitch) / 2 };
  }

  /** The two ends of a hexside, clockwise as seen from the hex. */
  side(hex: HexInfo, direction: string): [Point, Point] {
    const { x: dx, y: dy } = this.toward(direction);
    const [mx, my] = [hex.x + (dx * this.pitch) / 2, hex.y + (dy * this.pitch) / 2];
    const half = this.info.radius / 2;
    return [
      { x: round(mx + dy * half), y: round(my - dx * half) },
      { x: round(mx - dy * half), y: round(my + dx * half) },
    ];
  }

  corners(hex: HexInfo, inset = 0): Point[] {
    const r = this.info.radius - inset;
    const first = this.pointy ? 30 : 0;
    return [0, 60, 120, 180, 240, 300].map((angle) => {
      const a = ((angle + first) * Math.PI) / 180;
      return { x: round(hex.x + r * Math.cos(a)), y: round(hex.y + r * Math.sin(a)) };
    });
  }

  shape(id: string, inset = 0): string {
    const hex = this.hexes.get(id);
    return hex ? closed(this.corners(hex, inset)) : "";
  }

  /** The shapes of many hexes as one path. */
  area(ids: Iterable<string>): string {
    let path = "";
    for (const id of ids) path += this.shape(id);
    return path;
  }

  /** The line around a set of hexes, without the sides between them. */
  outline(ids: ReadonlySet<string>): string {
    let path = "";
    for (const id of ids) {
      const hex = this.hexes.get(id);
      if (!hex) continue;
      for (const direction of this.info.directions) {
        const next = this.neighbour(id, direction);
        if (next && ids.has(next.id)) continue;
        const [a, b] = this.side(hex, direction);
        path += `M${a.x} ${a.y}L${b.x} ${b.y}`;
      }
    }
    return path;
  }

  centres(ids: readonly string[]): Point[] {
    return ids.flatMap((id) => {
      const hex = this.hexes.get(id);
      return hex ? [{ x: hex.x, y: hex.y }] : [];
    });
  }
}

function closed(points: readonly Point[]): string {
  return `M${points.map((p) => `${p.x} ${p.y}`).join("L")}Z`;
}

/** A smooth line through all the points (Catmull-Rom as Bézier curves). */
export function curve(points: readonly Point[]): string {
  const first = points[0];
  if (!first) return "";
  let path = `M${round(first.x)} ${round(first.y)}`;
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[i]!;
    const b = points[i + 1]!;
    const before = points[i - 1] ?? a;
    const after = points[i + 2] ?? b;
    const c = { x: a.x + (b.x - before.x) / 6, y: a.y + (b.y - before.y) / 6 };
    const d = { x: b.x - (after.x - a.x) / 6, y: b.y - (after.y - a.y) / 6 };
    path += `C${[c.x, c.y, d.x, d.y, b.x, b.y].map(round).join(" ")}`;
  }
  return path;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest box around points, or null if there are none. */
export function bounds(points: readonly Point[]): Rect | null {
  if (!points.length) return null;
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** A rectangle with this much around it. */
export const grown = (rect: Rect, by: number): Rect => ({
  x: rect.x - by,
  y: rect.y - by,
  width: rect.width + 2 * by,
  height: rect.height + 2 * by,
});

/** Which hex an arrow key leads to: the neighbour that lies most in that way. */
export function step(grid: Grid, id: string, key: string): HexInfo | null {
  const ways: Record<string, Point> = {
    ArrowRight: { x: 1, y: 0 },
    ArrowLeft: { x: -1, y: 0 },
    ArrowUp: { x: 0, y: -1 },
    ArrowDown: { x: 0, y: 1 },
  };
  const way = ways[key];
  if (!way) return null;
  let best: HexInfo | null = null;
  let most = 0.4;
  for (const direction of grid.info.directions) {
    const toward = grid.toward(direction);
    // Of two neighbours that lie equally well, rows alternate so that up and down stay in a column.
    const row = Math.round((grid.hex(id)?.y ?? 0) / (grid.pitch * S));
    const lean = toward.x * (row % 2 ? 0.01 : -0.01);
    const along = toward.x * way.x + toward.y * way.y + lean;
    const next = along > most ? grid.neighbour(id, direction) : null;
    if (next) [best, most] = [next, along];
  }
  return best;
}
