/** What an action would lead to: its chances, and what the player tries out with the switches of a fight. */

import type { Ladder, OddsTable } from "../../api/types";
import { proposed, turned, wishesOf, type Wish } from "../pieces/carry";
import type { Choice } from "../decision/choices";
import type { TableStore } from "../table.svelte";

const NOTHING = { seat: null, hex: "", wishes: [] };

export class Weighing {
  odds: OddsTable | null = $state.raw(null);
  /** Shifts of the odds that are looked at the other way round, by their place in the list. */
  flipped: ReadonlySet<number> = $state.raw(new Set());
  /** Verbs that have no chances, in this decision. */
  private plain = new Set<string>();
  /** What was tried out in a fight that is under way, for the questions that this side is still to be asked. */
  private carried: { seat: string | null; hex: string; wishes: Wish[] } = NOTHING;

  constructor(private readonly store: TableStore) {}

  /** Shows chances, with the switches as the player has turned them for this fight. */
  show(odds: OddsTable | null): void {
    this.odds = odds;
    this.flipped = odds?.ladder ? turned(odds.ladder, this.wishesFor(odds.ladder)) : new Set();
  }

  /** The chances of an action; verbs that have none are not asked about again in the same decision. */
  async of(choice: Choice): Promise<OddsTable | null> {
    if (!this.store.seat || this.plain.has(choice.verb)) return null;
    const odds = (await this.store.quietly(() => this.store.about(choice.item)))?.odds ?? null;
    if (!odds) this.plain.add(choice.verb);
    return odds;
  }

  /** A new decision: verbs that had no chances may have them now. */
  anew(): void {
    this.plain.clear();
  }

  private wishesFor(ladder: Ladder): Wish[] {
    const { seat, hex, wishes } = this.carried;
    return seat === this.store.seat && hex === (ladder.hex ?? "") ? wishes : [];
  }

  /** Keeps what the player has tried out. */
  remember(): void {
    const ladder = this.odds?.ladder;
    if (!ladder) return;
    const wishes = wishesOf(ladder, this.flipped, this.wishesFor(ladder));
    this.carried = { seat: this.store.seat, hex: ladder.hex ?? "", wishes };
  }

  forget(): void {
    this.carried = NOTHING;
  }

  /** The answer to this question that was given beforehand, when the fight was weighed. */
  proposed(): Choice | null {
    const { store, carried } = this;
    return carried.seat === store.seat ? proposed(store.choices, carried.wishes) : null;
  }

  /** Turns a switch that no action of its own decides. */
  turn(i: number): void {
    const flipped = new Set(this.flipped);
    if (!flipped.delete(i)) flipped.add(i);
    this.flipped = flipped;
  }
}
