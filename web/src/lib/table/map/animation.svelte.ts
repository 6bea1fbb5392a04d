/** What is shown between two positions: counters on the way, dice falling. Any key or tap skips it. */

import type { CounterItem, EventItem, Scene } from "../../api/types";
import type { Pace } from "../../settings/preferences.svelte";
import { recall } from "../../store";
import type { Grid, Point } from "./geometry";
import { areDice, pathOf } from "../story/log";

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
/** A whole turn is shown event by event; a counter that goes one hex is still seen. */
const A_MOVE = 420;
const BETWEEN = 140;
const A_LINE = 900;
const DICE = 600;
/** What takes longer than this in all goes faster, so that nobody waits for a minute. */
const LONGEST = 30_000;

/** How long things take, by the pace that is wished. */
const PACES: Record<Pace, number> = { slow: 1.8, normal: 1, fast: 0.45 };

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches || !recall("animate", true);

export class Animation {
  /** The position being left, while counters are still on their way. */
  scene: Scene | null = $state.raw(null);
  ghost: Ghost | null = $state.raw(null);
  dice: Throw[] = $state.raw([]);
  /** Whether the dice are still rolling. */
  rolling = $state(false);
  running = $state(false);
  /** A turn of the other side is being told: the line of what is shown. */
  told = $state(false);
  line: EventItem | null = $state.raw(null);
  private stop: (() => void) | null = null;

  /** Shows events one after the other, beginning from a position. */
  async play(events: readonly EventItem[], before: Scene, grid: Grid): Promise<void> {
    const steps = stepsOf(events, (id) => grid.hex(id) !== undefined);
    const rolls = throwsOf(events);
    if (rolls.length) this.dice = rolls;
    if (still() || document.hidden || !steps.length) return;
    // One move of one's own is over at once; a turn of the other side is told line by line.
    this.told = steps.length > 2;
    if (this.told) this.dice = [];
    // A stretch of the game that is told begins where it began, even if dice come first.
    if (this.told) this.scene = before;
    this.running = true;
    let skipped = false;
    const stopped = new Promise<void>((done) => {
      this.stop = () => {
        skipped = true;
        done();
      };
    });
    const long = steps.reduce((sum, step) => sum + this.timeOf(step), 0);
    const pace = Math.min(1, LONGEST / Math.max(1, long)) * PACES[recall<Pace>("pace", "normal")];
    const pause = (ms: number): Promise<void> =>
      Promise.race([stopped, new Promise<void>((done) => setTimeout(done, ms * pace))]);
    try {
      let scene: Scene = before;
      for (const step of steps) {
        if (skipped) break;
        this.line = this.told ? step.event : null;
        if (step.path) {
          const taken = lift(scene, step.event, step.path[0] ?? "");
          if (!taken) continue;
          scene = taken.scene;
          this.scene = scene;
          this.ghost = { item: taken.item, points: grid.centres(step.path), time: this.timeOf(step) * pace };
          await pause(this.timeOf(step) + (this.told ? BETWEEN : 0));
          scene = { ...scene, counters: [...(scene.counters ?? []), { ...taken.item, hex: step.path.at(-1) ?? "" }] };
          this.scene = scene;
          this.ghost = null;
        } else if (step.roll) {
          this.dice = [...this.dice.filter(({ n }) => n !== step.roll?.n), step.roll];
          this.rolling = true;
          await pause(DICE);
          this.rolling = false;
          if (this.told) await pause(A_LINE);
        } else await pause(A_LINE);
      }
    } finally {
      this.dice = rolls.length ? rolls : this.dice;
      this.line = null;
      this.rolling = false;
      this.ghost = null;
      this.scene = null;
      this.running = false;
      this.stop = null;
    }
  }

  private timeOf(step: Step): number {
    if (!step.path) return DICE + (this.told ? A_LINE : 0);
    const way = A_HEX * (step.path.length - 1);
    return this.told ? Math.max(A_MOVE, way) : way;
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

/** One thing to be shown: a counter on its way, or dice. */
export interface Step {
  event: EventItem;
  path: string[] | null;
  roll: Throw | null;
}

/** What of a run of events can be shown, in its order. */
export function stepsOf(events: readonly EventItem[], onMap: (hex: string) => boolean): Step[] {
  const rolls = new Map(throwsOf(events).map((roll) => [roll.lines[0], roll]));
  return events.flatMap((event): Step[] => {
    const path = pathOf(event);
    if (path && path.length > 1 && path.every(onMap)) return [{ event, path, roll: null }];
    const roll = rolls.get(event);
    return roll ? [{ event, path: null, roll }] : [];
  });
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
