/** What is said at the table, and how much of it nobody has looked at here. */

import type { ChatLine } from "../../api/types";
import { recall, remember } from "../../store";

export class Talk {
  lines: ChatLine[] = $state.raw([]);
  private read = $state(0);
  /** What others have said since the chat was last open. */
  readonly unread: number = $derived(
    this.lines.filter(({ id, you, system }) => !you && !system && id > this.read).length,
  );

  constructor(private readonly game: string) {
    this.read = recall(`chat.${game}`, 0);
  }

  hear(lines: readonly ChatLine[]): void {
    const all = new Map([...this.lines, ...lines].map((line) => [line.id, line]));
    this.lines = [...all.values()].sort((a, b) => a.id - b.id);
  }

  /** The chat lies open: everything is read. */
  look(): void {
    const last = this.lines.at(-1)?.id ?? 0;
    if (last <= this.read) return;
    this.read = last;
    remember(`chat.${this.game}`, last);
  }
}
