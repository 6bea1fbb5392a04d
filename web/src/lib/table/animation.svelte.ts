/** What is shown between two positions: counters on the way, dice falling. Any key or tap skips it. */

import type { CounterItem, EventItem, Scene } from "../api/types";
import { recall } from "../store";
import type { Grid, Point } from "./geometry";
import { areDice, pathOf } from "./log";

export interface Ghost {
  item: CounterItem;
  points: Point[];
  /** Milliseconds for the whole way. */
  time: number;
}

export interface Throw {
  n: number;
  faces: number[];
  lines: EventItem[];
}

const A_HEX = 140;
const LONGEST = 3200;
const DICE = 600;

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches || !recall("animate", true);

export class Animation {
  /** The position being left, while counters are still on their way. */
  scene: Scene | null = $state.raw(null);
  ghost: Ghost | null = $state.raw(null);
  dice: Throw[] = $state.raw([]);
  /** Whether the dice are still rolling. */
  rolling = $state(false);
  running = $state(false);
  private stop: (() => void) | null = null;

  /** Shows events one after the other, beginning from a position. */
  async play(events: readonly EventItem[], before: Scene, grid: Grid): Promise<void> {
    const moves = events.flatMap((event) => {
      const path = pathOf(event);
      return path && path.every((id) => grid.hex(id)) ? [{ event, path }] : [];
    });
    const rolls = throwsOf(events);
    if (rolls.length) this.dice = rolls;
    if (still() || document.hidden) return;
    this.running = true;
    let skipped = false;
    const stopped = new Promise<void>((done) => {
      this.stop = () => {
        skipped = true;
        done();
      };
    });
    const pause = (ms: number): Promise<void> =>
      Promise.race([stopped, new Promise<void>((done) => setTimeout(done, ms))]);
    try {
      const hexes = moves.reduce((sum, move) => sum + move.path.length - 1, 0);
      const pace = Math.min(A_HEX, LONGEST / Math.max(1, hexes));
      let scene: Scene = before;
      for (const { event, path } of moves) {
        if (skipped) break;
        const taken = lift(scene, event, path[0] ?? "");
        if (!taken) continue;
        scene = taken.scene;
        this.scene = scene;
        const time = pace * (path.length - 1);
        this.ghost = { item: taken.item, points: grid.centres(path), time };
        await pause(time);
        scene = { ...scene, counters: [...(scene.counters ?? []), { ...taken.item, hex: path.at(-1) ?? "" }] };
      }
      this.ghost = null;
      if (rolls.length && !skipped) {
        this.rolling = true;
        await pause(DICE);
      }
    } finally {
      this.rolling = false;
      this.ghost = null;
      this.scene = null;
      this.running = false;
      this.stop = null;
    }
  }

  skip(): boolean {
    if (!this.stop) return false;
    this.stop();
    return true;
  }

  clearDice(): void {
    this.dice = [];
  }
}

/** The dice of a run of events, with the lines that say what came of them. */
export function throwsOf(events: readonly EventItem[]): Throw[] {
  const byStep = new Map<number, Throw>();
  for (const event of events) {
    if (!event.faces?.length || !areDice(event)) continue;
    const one = byStep.get(event.n) ?? { n: event.n, faces: event.faces, lines: [] };
    one.lines.push(event);
    byStep.set(event.n, one);
  }
  return [...byStep.values()];
}

/** Takes the counter that an event moves off a scene. */
export function lift(scene: Scene, event: EventItem, from: string): { item: CounterItem; scene: Scene } | null {
  const counters = scene.counters ?? [];
  const known = event.unit ? counters.find((item) => item.unit === event.unit && item.hex === from) : undefined;
  const item =
    known ?? counters.find((one) => one.hex === from && one.hidden && (!event.side || one.side === event.side));
  if (!item) return null;
  return { item, scene: { ...scene, counters: counters.filter((one) => one !== item) } };
}
