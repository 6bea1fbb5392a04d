/** The thread of a line of sight: laid from one hex, led to wherever the pointer is. */

import { api } from "../../api/client";
import type { Sight } from "../../api/types";
import type { TableStore } from "../table.svelte";

const REST = 50;

export class Thread {
  /** Where it is tied; null while it is put away. */
  from: string | null = $state(null);
  sight: Sight | null = $state.raw(null);
  private timer = 0;
  private asking: AbortController | null = null;
  private wanted = "";

  constructor(private readonly store: TableStore) {}

  /** Ties it to a hex, or puts it away if it is tied there. */
  tie(hex: string | null): void {
    this.from = hex === this.from ? null : hex;
    this.sight = null;
    this.wanted = "";
  }

  /** Leads it to a hex. */
  lead(to: string | null): void {
    clearTimeout(this.timer);
    const { from } = this;
    if (!from || !to || to === from || to === this.wanted) return;
    this.wanted = to;
    this.timer = window.setTimeout(() => void this.ask(from, to), REST);
  }

  private async ask(from: string, to: string): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const found = await api.sight(this.store.id, this.store.seat, from, to, asking.signal);
      if (asking === this.asking && this.from === from) this.sight = found;
    } catch {
      // The line is asked for again at the next hex.
    }
  }
}
