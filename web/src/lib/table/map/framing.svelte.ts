/** What the camera does without being asked: where the map is first looked at from, and what is brought into sight. */

import { untrack } from "svelte";
import type { TableContext } from "../context";
import { bounds, grown, type Point, type Rect } from "./geometry";

/** Places that fit into one view. */
const FEW = 12;
/** Around what is brought into sight, in hexes. */
const PAD = 0.6;
/** From the top of the window to the tools, and the overview of the map with a card of a hex with a stack, in pixels. */
const TOOLS = 64;
const USUAL = 310;
/** What a phone's sheet is reckoned to leave of the map at the least. */
const STRIP = 150;

export class Framing {
  /** How high the strip at the foot of the map and the sheet of a phone are, in pixels. */
  foot = $state(0);
  sheet = $state(0);
  /** And the map's tools, and the corner with the overview and the card of a hex. */
  rail = $state(0);
  corner = $state(0);
  /** The overview alone. */
  overview = $state(0);
  /** And the dice that lie over the map. */
  tray = $state(0);
  private lifted = false;
  /** The hexes in which others show something on the map. */
  private readonly drawn: Point[] = $derived.by(() => {
    const { store, sketch } = this.context;
    const hexes = sketch.shown.flatMap(({ arrows, notes }) => [
      ...arrows.flatMap(({ from, to }) => [from, to]),
      ...notes.map(({ hex }) => hex),
    ]);
    return store.grid?.centres(hexes) ?? [];
  });
  /** Whether some of what others show lies out of sight. */
  readonly drawnAway: boolean = $derived.by(() =>
    this.drawn.some((point) => !this.context.camera.sees(point, this.below)),
  );

  constructor(private readonly context: TableContext) {}

  private get below(): number {
    return this.context.screen.phone ? 0 : this.foot;
  }

  /** The card of a hex stands beside the tools where it would cover them; not now here, now there, if it mostly would. */
  get beside(): boolean {
    return this.context.camera.height - Math.max(this.corner, USUAL) - 22 < TOOLS + this.rail;
  }

  /** How far up a card beside the tools goes, so that it stands above the strip at the foot and not upon it. */
  get lift(): number {
    return Math.max(0, this.foot - this.overview - 2);
  }

  /** Follows the table from now on. Called while a component is set up. */
  watch(): void {
    const { store, pointer, camera, screen, sketch } = this.context;
    $effect(() => {
      camera.insets = screen.phone
        ? {
            top: 60 + (store.animation.dice.length ? this.tray : 0),
            right: 0,
            // Under a sheet that takes nearly all, the camera still has a strip to bring things into.
            bottom: Math.min(this.sheet, Math.max(420, camera.height - 60 - STRIP)),
            left: 0,
          }
        : { top: 52, right: pointer.weighing ? 572 : 372, bottom: 20, left: 68 };
    });
    // The sheet of a phone is measured after the map is there: what matters is brought above it.
    $effect(() => {
      if (this.lifted || !screen.phone || camera.insets.bottom < 100) return;
      this.lifted = true;
      untrack(() => this.first());
    });
    // What the other side does is followed, where it is out of sight.
    $effect(() => {
      const { ghost, told } = store.animation;
      const [from, to] = [ghost?.points[0], ghost?.points.at(-1)];
      if (!told || !from || !to) return;
      untrack(() => {
        if (!camera.sees(from, this.below) || !camera.sees(to, this.below)) camera.reveal(to, this.below);
      });
    });
    // What somebody shows is brought into sight once, where none of it is; not away from what is being put together.
    $effect(() => {
      if (!this.drawn.length || !camera.width || (screen.phone && camera.insets.bottom < 100)) return;
      untrack(() => {
        if (!sketch.meet() || pointer.drafted.length || pointer.weighing) return;
        if (!this.drawn.some((point) => camera.sees(point, this.below))) this.toDrawn();
      });
    });
    // A fight that is weighed should be seen.
    $effect(() => {
      const { odds } = pointer.scales;
      const hex = pointer.weighing && odds?.ladder?.hex ? store.grid?.hex(odds.ladder.hex) : undefined;
      if (hex) untrack(() => camera.reveal(hex, this.below));
    });
    $effect(() => {
      const picked = [...pointer.subject, ...pointer.draft].flatMap(({ kind, value }) =>
        kind === "unit" ? [value] : [],
      );
      const units = picked.length ? picked : store.mine ? this.acting() : [];
      const hexes = units.length ? [...pointer.targets.hexes.keys()] : [];
      untrack(() => this.showReach(units, hexes));
    });
    $effect(() => {
      void store.choices;
      const asked = pointer.asked !== null;
      untrack(() => {
        if (store.mine && (asked || !(pointer.subject.length || pointer.draft.length))) this.showFew();
      });
    });
  }

  /** Brings what others show into sight. */
  toDrawn(): void {
    const box = bounds(this.drawn);
    if (box) this.gather(box);
  }

  whole(): void {
    const { store, camera } = this.context;
    const sheet = store.grid?.info;
    if (sheet) camera.show({ x: 0, y: 0, width: sheet.width, height: sheet.height }, 0.1, 1.2, false, this.below);
  }

  /** Where to begin: at what can be done now, or else where the sides stand closest. */
  first(): void {
    const { store, pointer, camera, screen } = this.context;
    const { grid } = store;
    if (!grid) return;
    const counters = (store.scene.counters ?? []).filter((item) => item.hex);
    const acting = counters.filter((item) => item.marks?.includes("acting"));
    const { units, hexes } = pointer.targets;
    const chosen = acting.length
      ? acting
      : counters.filter((item) => (item.unit && units.has(item.unit)) || hexes.has(item.hex ?? ""));
    const points = grid.centres((chosen.length ? chosen : counters).map((item) => item.hex ?? ""));
    const box = bounds(points) ?? { x: 0, y: 0, width: grid.info.width, height: grid.info.height };
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const near = acting.length ? middle : (this.contact() ?? middle);
    const all = grown(box, grid.pitch);
    const least = screen.phone ? 0.8 : 0.95;
    const { free } = camera;
    const fits = Math.min(free.width / all.width, free.height / all.height) >= least;
    const shown = fits ? all : { x: near.x - 1, y: near.y - 1, width: 2, height: 2 };
    camera.show(shown, least, fits ? 1.26 : least + 0.15, true);
  }

  /** Whom the decision is about, if the game says so. */
  private acting(): string[] {
    const counters = this.context.store.scene.counters ?? [];
    return counters.flatMap((item) => (item.unit && item.marks?.includes("acting") ? [item.unit] : []));
  }

  /** Where the unit that was picked can go should be seen; all of it if the unit comes from beside the map. */
  private showReach(units: readonly string[], hexes: readonly string[]): void {
    const { store, camera } = this.context;
    const { grid } = store;
    const points = grid?.centres(hexes) ?? [];
    const box = bounds(points);
    if (!grid || !box) return;
    const moving = (store.scene.counters ?? []).filter((item) => units.includes(item.unit ?? ""));
    if (moving.some((item) => !item.hex)) return this.gather(box);
    const [own] = grid.centres(moving.flatMap((item) => (item.hex ? [item.hex] : [])));
    if (own && !camera.sees(own, this.below)) this.gather(bounds([own]) ?? box);
    else if (!points.some((point) => camera.sees(point, this.below)))
      this.gather(bounds(own ? [own, ...points] : points) ?? box);
  }

  /** A decision about a few places of which none is in sight: they are brought into it, and the fight that goes on there. */
  private showFew(): void {
    const { store, pointer, camera, coach } = this.context;
    const { grid } = store;
    // A lesson shows where it wants one to look.
    if (!grid || coach.here.length) return;
    // What one is asked about comes first: who is fired at may be far from who can fire.
    const [aim] = grid.centres(
      (store.scene.markers ?? []).flatMap(({ kind, hex }) => (kind === "target" ? [hex] : [])),
    );
    if (aim) {
      if (!camera.sees(aim, this.below)) this.gather(bounds([aim]) ?? { ...aim, width: 1, height: 1 });
      return;
    }
    const { units, hexes } = pointer.targets;
    const standing = (store.scene.counters ?? []).flatMap((item) =>
      item.hex && item.unit && units.has(item.unit) ? [item.hex] : [],
    );
    const fights = (store.scene.markers ?? []).flatMap(({ kind, hex }) => (kind === "battle" ? [hex] : []));
    const seen = (points: readonly Point[]): boolean => points.some((point) => camera.sees(point, this.below));
    const places = [...new Set([...hexes.keys(), ...standing, ...fights])];
    const points = grid.centres(places);
    const box = bounds(points);
    if (box && !seen(points)) {
      // Of many places the nearest is enough: the camera does not rest where there is nothing to do.
      if (places.length <= FEW) this.gather(box);
      else this.come(points);
    } else camera.giveBack(grid.centres(pointer.placed ? [pointer.placed] : [])[0], this.below);
  }

  /** Goes to the nearest of these points. */
  private come(points: readonly Point[]): void {
    const { camera } = this.context;
    const { free } = camera;
    const middle = camera.sheet({ x: free.x + free.width / 2, y: free.y + free.height / 2 });
    const far = (point: Point): number => Math.hypot(point.x - middle.x, point.y - middle.y);
    const near = points.reduce((a, b) => (far(b) < far(a) ? b : a));
    if (!camera.giveBack(near, this.below)) camera.fly(near, camera.k, this.below);
  }

  private gather(rect: Rect): void {
    const { store, camera } = this.context;
    camera.gather(grown(rect, (store.grid?.pitch ?? 0) * PAD), this.below);
  }

  /** The middle of the hexes that stand nearest to the other side. */
  private contact(): Point | null {
    const { store } = this.context;
    const { grid } = store;
    if (!grid) return null;
    const mine: Point[] = [];
    const theirs: Point[] = [];
    for (const item of store.scene.counters ?? []) {
      const hex = item.hex ? grid.hex(item.hex) : undefined;
      if (hex) (item.side === (store.seat ?? store.detail?.sides[0]) ? mine : theirs).push(hex);
    }
    if (!mine.length || !theirs.length) return null;
    const near = mine
      .map((p) => ({ p, far: Math.min(...theirs.map((q) => Math.hypot(p.x - q.x, p.y - q.y))) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, Math.max(4, Math.ceil(mine.length / 3)));
    const xs = near.map(({ p }) => p.x).sort((a, b) => a - b);
    const ys = near.map(({ p }) => p.y).sort((a, b) => a - b);
    const half = Math.floor(near.length / 2);
    return { x: xs[half] ?? 0, y: ys[half] ?? 0 };
  }
}
