/** What the map shows, made from the scene: stacks, what can be pointed at, what is selected. */

import type { CounterItem, MarkerItem } from "../api/types";
import type { TableContext } from "./context";
import type { Rect } from "./map/geometry";
import { blockStack, byHex, pileStack, type Stack } from "./pieces/stacks";

export class MapModel {
  private readonly context: TableContext;

  constructor(context: TableContext) {
    this.context = context;
  }

  readonly stacks: Stack[] = $derived.by(() => {
    const { store } = this.context;
    const { grid, detail } = store;
    if (!grid || !detail) return [];
    const { size } = store.presentation;
    const found: Stack[] = [];
    for (const [id, items] of byHex(store.scene.counters ?? [])) {
      const hex = grid.hex(id);
      if (!hex) continue;
      found.push(
        detail.look?.blocks ? blockStack(id, hex, items, detail.sides) : pileStack(id, hex, items, detail.sides, size),
      );
    }
    // From the top down, so that blocks in front cover those behind.
    return found.sort((a, b) => a.box.y + a.box.height - (b.box.y + b.box.height));
  });

  readonly rooms: ReadonlyMap<string, Rect> = $derived.by(
    () => new Map(this.stacks.map((stack) => [stack.hex, stack.box])),
  );

  readonly counters: ReadonlyMap<string, CounterItem[]> = $derived.by(() =>
    byHex(this.context.store.scene.counters ?? []),
  );

  readonly markers: ReadonlyMap<string, MarkerItem[]> = $derived.by(() => {
    const found = new Map<string, MarkerItem[]>();
    for (const marker of this.context.store.scene.markers ?? []) {
      const list = found.get(marker.hex);
      if (list) list.push(marker);
      else found.set(marker.hex, [marker]);
    }
    return found;
  });

  /** Units that the decision is about: drafted, or picked in the action before. */
  readonly selected: ReadonlySet<string> = $derived.by(() => {
    const { pointer, store } = this.context;
    if (store.past) return new Set();
    const units = [...pointer.draft, ...pointer.subject]
      .filter((pick) => pick.kind === "unit")
      .map((pick) => pick.value);
    // Whom the decision is about, if the game says so: also after the page was opened anew.
    const acting = (store.scene.counters ?? []).flatMap((item) =>
      item.unit && item.marks?.includes("acting") ? [item.unit] : [],
    );
    return new Set([...units, ...acting]);
  });

  readonly subjectHexes: string[] = $derived.by(() => {
    const { pointer, store } = this.context;
    return store.past
      ? []
      : [...pointer.draft, ...pointer.subject].filter((pick) => pick.kind === "hex").map((pick) => pick.value);
  });

  /** Hexes to tint: everything a selected unit can reach, or else those without a stack that glows. */
  readonly reach: ReadonlySet<string> = $derived.by(() => {
    const { pointer, store } = this.context;
    const all = new Set(pointer.targets.hexes.keys());
    if (this.selected.size) return all;
    const seat = store.seat;
    return new Set([...all].filter((id) => !(this.counters.get(id) ?? []).some((item) => item.side === seat)));
  });

  /** Hexes that can be pointed at and whose stacks glow instead. */
  readonly glowing: ReadonlySet<string> = $derived.by(() => {
    const all = this.context.pointer.targets.hexes.keys();
    return new Set([...all].filter((id) => !this.reach.has(id)));
  });
}
