/** Why not? Asked when the pointer rests on something that cannot be chosen, or by a click on it. */

import { api } from "../../api/client";
import type { ReasonText } from "../../api/types";
import { preferences } from "../../settings/preferences.svelte";
import { refused, type Pick } from "./choices";
import type { Point } from "../map/geometry";
import type { Pointing } from "../map/pointing.svelte";
import type { TableStore } from "../table.svelte";

export interface Refusal extends ReasonText {
  pick: Pick;
  at: Point;
}

const WHY_AFTER = 420;

export class Asking {
  refusal: Refusal | null = $state.raw(null);
  private timer = 0;
  private asking: AbortController | null = null;

  constructor(
    private readonly store: TableStore,
    private readonly pointer: Pointing,
  ) {}

  /** The pointer rests on something: the reason why it cannot be chosen comes after a moment. */
  rest(pick: Pick | null, at: Point): void {
    if (pick && this.refusal?.pick.kind === pick.kind && this.refusal.pick.value === pick.value) return;
    this.hush();
    const { store, pointer } = this;
    if (!pick || !store.mine || store.busy || pointer.picking || pointer.armed) return;
    // Those who know the rules are told only when they ask, by a click.
    if (pointer.canPoint(pick) || preferences.help === "none") return;
    this.timer = window.setTimeout(() => void this.ask(pick, at), WHY_AFTER);
  }

  async ask(pick: Pick, at: Point): Promise<void> {
    const { seat, id, verbs } = this.store;
    const { open, draft, drafted, modes, wishes } = this.pointer;
    const action =
      refused(open, draft, pick, verbs, modes, wishes) ?? refused(open, drafted, pick, verbs, modes, wishes);
    if (!action || !seat) return;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const { reason } = await api.about(id, seat, action, asking.signal);
      if (reason && !asking.signal.aborted) this.refusal = { ...reason, pick, at };
    } catch {
      // Not worth a word: the player asked nothing.
    }
  }

  hush(): void {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = null;
    this.refusal = null;
  }
}
