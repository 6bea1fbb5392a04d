/** What the player points at, with the pointer or with the keys. Knows the list of actions and nothing of the rules. */

import type { Hint } from "../../api/types";
import {
  matching,
  modesOf,
  onlyUnit,
  openChoices,
  placesOf,
  targets,
  type Choice,
  type Modes,
  type Pick,
  type Targets,
  type Wishes,
} from "../decision/choices";
import { step } from "./geometry";
import { offerOf, type Offer } from "../decision/offer";
import type { TableStore } from "../table.svelte";
import { english } from "../../i18n/said";

export class Pointing {
  protected readonly store: TableStore;
  /** What the player has pointed at so far towards an action that needs more. */
  drafted: Pick[] = $state.raw([]);
  /** Ways of doing the same thing at one place, to choose from. */
  picking: Choice[] | null = $state.raw(null);
  /** The action that the main button would take now, waiting for it. */
  armed: Choice | null = $state.raw(null);
  hoverHex: string | null = $state(null);
  hoverUnit: string | null = $state(null);
  /** The hex of the keyboard. */
  cursor: string | null = $state(null);
  /** Hexes and units lit up from the log or from a list. */
  lit: { hexes: string[]; units: string[]; path: string[] } = $state.raw({ hexes: [], units: [], path: [] });
  /** What the last action of this player was about, while its decision goes on. */
  subject: Pick[] = $state.raw([]);
  /** The hex of the last action. */
  placed: string | null = null;
  /** What the player has said about the modes of this decision. */
  wishes: Wishes = $state.raw({});
  /** The verb that the player has asked for, of those that the game sets aside. */
  asked: string | null = $state(null);

  readonly open: Choice[] = $derived.by(() =>
    openChoices(this.store.choices, this.store.presentation.aside ?? [], this.asked, this.store.presentation.onward),
  );
  /** The same, or the only unit that can be pointed at. */
  readonly draft: Pick[] = $derived.by(() => (this.drafted.length ? this.drafted : onlyUnit(this.open)));
  readonly modes: Modes[] = $derived.by(() => modesOf(this.open, this.draft, this.store.presentation.orders));
  readonly targets: Targets = $derived.by(() => targets(this.open, this.draft, this.modes, this.wishes));
  readonly left: Choice[] = $derived.by(() => matching(this.open, this.draft));

  /** The hex that is aimed at, if it can be chosen: by what is armed, by the keys, by the pointer. */
  readonly aimed: string | null = $derived.by(() => {
    const aim = this.armed?.picks.findLast((pick) => pick.kind === "hex")?.value ?? this.cursor ?? this.hoverHex;
    return aim !== null && this.targets.hexes.has(aim) ? aim : null;
  });
  /** The action under the pointer. */
  readonly under: Choice | null = $derived.by(
    () => this.armed ?? (this.aimed ? (this.targets.hexes.get(this.aimed)?.[0] ?? null) : null),
  );
  /** What the rules tell of going there. */
  readonly hint: Hint | null = $derived.by(() => (this.under ? this.store.hintOf(this.under.item) : null));

  /** What the panel offers in words. */
  readonly offer: Offer = $derived.by(() => {
    const { choices, prompt, presentation } = this.store;
    const { listed, onward } = presentation;
    const { left, drafted: draft, targets } = this;
    return offerOf({
      all: choices,
      left,
      ready: targets.ready,
      draft,
      title: english(prompt?.title ?? ""),
      listed,
      onward,
    });
  });
  /** Whether Enter takes what the main button says; while the keys have gone to a hex, it is for that hex. */
  readonly enterIsMain: boolean = $derived(!!this.armed || !this.cursor);

  constructor(store: TableStore) {
    this.store = store;
  }

  canPoint(pick: Pick): boolean {
    return (pick.kind === "unit" ? this.targets.units : this.targets.hexes).has(pick.value);
  }

  /** Begins with a verb that is set aside; what all its choices begin with is taken as pointed at. */
  protected begin(verb: string): void {
    this.asked = verb;
    this.drafted = [];
    for (;;) {
      const next = this.left[0]?.picks[this.draft.length];
      if (
        !next ||
        this.left.some(
          ({ picks }) => picks.length <= this.draft.length + 1 || picks[this.draft.length]?.value !== next.value,
        )
      )
        return;
      this.drafted = [...this.draft, next];
    }
  }

  /** Everything that can be pointed at now, as hexes in reading order. */
  private stops(): { hex: string; pick: Pick }[] {
    const where = new Map<string, string>();
    for (const item of this.store.scene.counters ?? []) if (item.unit && item.hex) where.set(item.unit, item.hex);
    const units = [...this.targets.units.keys()].flatMap((value) => {
      const hex = where.get(value);
      return hex ? [{ hex, pick: { kind: "unit" as const, value } }] : [];
    });
    if (units.length) return units;
    return [...this.targets.hexes.keys()].map((value) => ({ hex: value, pick: { kind: "hex" as const, value } }));
  }

  /** Goes to the next thing that can be chosen; returns its hex. */
  next(way: 1 | -1 = 1): string | null {
    const stops = this.stops();
    if (!stops.length) return null;
    const now = stops.findIndex((stop) =>
      stop.pick.kind === "unit" ? stop.pick.value === this.hoverUnit : stop.hex === this.cursor,
    );
    const stop = stops[(now + way + stops.length) % stops.length] ?? stops[0]!;
    this.cursor = stop.hex;
    this.hoverUnit = stop.pick.kind === "unit" ? stop.pick.value : null;
    return stop.hex;
  }

  /** Walks a hex by an arrow key; begins in the middle of what is seen of the map. */
  walk(key: string, middle: { x: number; y: number }): string | null {
    const { grid } = this.store;
    if (!grid) return null;
    const from = this.cursor ?? this.hoverHex;
    const hexes = grid.info.hexes;
    const next = from
      ? step(grid, from, key)
      : (grid.at(middle.x, middle.y) ?? hexes[Math.floor(hexes.length / 2)] ?? null);
    if (next) {
      this.cursor = next.id;
      this.hoverUnit = null;
    }
    return next?.id ?? null;
  }

  light(choice: Choice | null): void {
    if (!choice) {
      this.lit = { hexes: [], units: [], path: [] };
      return;
    }
    this.lit = { ...placesOf(choice), path: this.store.hintOf(choice.item)?.path ?? [] };
  }
}
