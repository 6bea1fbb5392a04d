/** Where the map is looked at from: d3-zoom on an element, and wishes to go somewhere. */

import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";
import type { Point, Rect } from "./geometry";

/** The part of the window that no panel covers, in pixels from its edges. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const REST = 260;
const STEP = 1.35;
/** How much of the table may be seen beyond the edge of the map, in pixels, when the map is brought somewhere. */
const BEYOND = 28;

export class Camera {
  x = $state(0);
  y = $state(0);
  k = $state(1);
  /** The zoom when the map last stood still: names and costs are set for it. */
  calmK = $state(1);
  moving = $state(false);
  width = $state(0);
  height = $state(0);
  insets: Insets = $state.raw({ top: 0, right: 0, bottom: 0, left: 0 });
  private size = { width: 0, height: 0 };
  private behaviour: ZoomBehavior<HTMLElement, unknown> | null = null;
  private element: HTMLElement | null = null;
  private rest = 0;
  private frame = 0;
  /** The zoom that the player had chosen, while the map was moved farther away for him. */
  private lent: number | null = null;

  /** Takes over an element; gives a function that lets it go. */
  attach(element: HTMLElement, sheet: { width: number; height: number }): () => void {
    this.element = element;
    this.size = { width: sheet.width, height: sheet.height };
    const measure = (): void => {
      this.width = element.clientWidth;
      this.height = element.clientHeight;
      const { width, height, insets } = this;
      const fit = Math.min(
        (width - insets.left - insets.right) / sheet.width,
        (height - insets.top - insets.bottom) / sheet.height,
      );
      behaviour.scaleExtent([Math.max(0.08, Math.min(0.5, fit * 0.9)), 3]);
      const margin = 300 / Math.max(0.3, fit);
      behaviour.translateExtent([
        [-margin, -margin],
        [sheet.width + margin, sheet.height + margin],
      ]);
    };
    const behaviour = zoom<HTMLElement, unknown>()
      .filter(
        (event: Event) =>
          (event instanceof MouseEvent ? event.button === 0 && !event.ctrlKey : true) || event.type === "wheel",
      )
      .clickDistance(5)
      .tapDistance(9)
      .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => {
        this.x = event.transform.x;
        this.y = event.transform.y;
        this.k = event.transform.k;
        // A zoom of the player's own is the one to keep.
        if (event.sourceEvent) this.lent = null;
        this.stir();
      });
    this.behaviour = behaviour;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // No double click: LOOK says that nothing needs it.
    select(element).call(behaviour).on("dblclick.zoom", null);
    return () => {
      observer.disconnect();
      select(element).on(".zoom", null);
      clearTimeout(this.rest);
      cancelAnimationFrame(this.frame);
    };
  }

  private stir(): void {
    this.moving = true;
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => {
      this.moving = false;
      this.calmK = this.k;
    }, REST);
  }

  private set(x: number, y: number, k: number): void {
    if (!this.element || !this.behaviour) return;
    select(this.element).call(this.behaviour.transform, zoomIdentity.translate(x, y).scale(k));
  }

  /** The free part of the window: its middle and its size. */
  get free(): Rect {
    const { insets, width, height } = this;
    return {
      x: insets.left,
      y: insets.top,
      width: Math.max(80, width - insets.left - insets.right),
      height: Math.max(80, height - insets.top - insets.bottom),
    };
  }

  /** The nearest point to look at from which the free window shows map, and hardly anything beyond it. */
  private kept(middle: Point, k: number, foot = 0): Point {
    const { width, height } = this.free;
    const hold = (at: number, room: number, sheet: number): number => {
      const half = room / 2 / k - BEYOND / k;
      return 2 * half >= sheet ? sheet / 2 : Math.max(half, Math.min(sheet - half, at));
    };
    const low = foot / 2 / k;
    return {
      x: hold(middle.x, width, this.size.width),
      y: hold(middle.y - low, height - foot, this.size.height) + low,
    };
  }

  zoomBy(factor: number): void {
    this.lent = null;
    const free = this.free;
    this.fly(this.sheet({ x: free.x + free.width / 2, y: free.y + free.height / 2 }), this.k * factor);
  }

  in = (): void => this.zoomBy(STEP);
  out = (): void => this.zoomBy(1 / STEP);

  /** A point of the window as a point of the sheet. */
  sheet(point: Point): Point {
    return { x: (point.x - this.x) / this.k, y: (point.y - this.y) / this.k };
  }

  screen(point: Point): Point {
    return { x: point.x * this.k + this.x, y: point.y * this.k + this.y };
  }

  /** Shows a part of the sheet as large as the free window allows, between two zooms. */
  show(rect: Rect, least = 0.3, most = 1.3, now = false, foot = 0): void {
    this.lent = null;
    const free = this.free;
    const k = Math.max(
      least,
      Math.min(most, free.width / Math.max(1, rect.width), (free.height - foot) / Math.max(1, rect.height)),
    );
    const middle = this.kept({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 + foot / 2 / k }, k, foot);
    if (now) {
      this.set(free.x + free.width / 2 - middle.x * k, free.y + free.height / 2 - middle.y * k, k);
      this.calmK = k;
    } else this.fly(middle, k, foot);
  }

  /** Whether a point lies in the free part of the window, less `foot` pixels at its bottom. */
  sees(point: Point, foot = 0): boolean {
    const free = this.free;
    const at = this.screen(point);
    return at.x > free.x && at.x < free.x + free.width && at.y > free.y && at.y < free.y + free.height - foot;
  }

  /** Brings a point into the free window, less `foot` pixels at its bottom, if it is not well inside. */
  reveal(point: Point, foot = 0): void {
    const { free } = this;
    const height = Math.max(80, free.height - foot);
    const at = this.screen(point);
    const edge = Math.min(90, free.width / 5, height / 5);
    const inside =
      at.x > free.x + edge &&
      at.x < free.x + free.width - edge &&
      at.y > free.y + edge &&
      at.y < free.y + height - edge;
    if (!inside) this.fly({ x: point.x, y: point.y + (free.height - height) / 2 / this.k }, this.k, foot);
  }

  /** Brings a part of the sheet wholly into the free window, less `foot` pixels at its bottom; farther away if need be. */
  gather(rect: Rect, foot = 0): void {
    const free = this.free;
    const height = Math.max(80, free.height - foot);
    const from = this.screen(rect);
    const inside =
      from.x >= free.x &&
      from.x + rect.width * this.k <= free.x + free.width &&
      from.y >= free.y &&
      from.y + rect.height * this.k <= free.y + height;
    if (inside) return;
    const k = Math.min(this.k, Math.max(0.4, Math.min(free.width / rect.width, height / rect.height)));
    if (k < this.k) this.lent ??= this.k;
    this.fly({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 + (free.height - height) / 2 / k }, k, foot);
  }

  /** Goes back to the player's own zoom, if it was changed for him: over `at`, or over what is looked at. Whether it was. */
  giveBack(at?: Point, foot = 0): boolean {
    if (this.lent === null) return false;
    const [k, { free }] = [this.lent, this];
    this.lent = null;
    const middle = at ? { x: at.x, y: at.y + foot / 2 / k } : undefined;
    this.fly(middle ?? this.sheet({ x: free.x + free.width / 2, y: free.y + free.height / 2 }), k, foot);
    return true;
  }

  /** Goes there in a moment; at once for those who want no motion. */
  fly(middle: Point, k: number, foot = 0): void {
    const free = this.free;
    const goal = { x: free.x + free.width / 2, y: free.y + free.height / 2 };
    const from = { ...this.sheet(goal), k: this.k };
    cancelAnimationFrame(this.frame);
    const limits = this.behaviour?.scaleExtent() ?? [0.1, 3];
    const end = Math.max(limits[0], Math.min(limits[1], k));
    const to = { ...this.kept(middle, end, foot), k: end };
    const long = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 220;
    const begun = performance.now();
    const tick = (time: number): void => {
      const part = long ? Math.min(1, (time - begun) / long) : 1;
      const ease = 1 - (1 - part) ** 3;
      const now = from.k * Math.pow(to.k / from.k, ease);
      const x = from.x + (to.x - from.x) * ease;
      const y = from.y + (to.y - from.y) * ease;
      this.set(goal.x - x * now, goal.y - y * now, now);
      if (part < 1) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }
}
