/** The catalogue and the lists of games, kept fresh while a page shows them. */

import { api, Problem } from "../api/client";
import type { GameRecord, GameSummary } from "../api/types";
import { requests, type ListName, type Sieve } from "./requests";

const EVERY = 15_000;

class Lists {
  catalogue: readonly GameSummary[] = $state.raw([]);
  mine: readonly GameRecord[] = $state.raw([]);
  open: readonly GameRecord[] = $state.raw([]);
  watch: readonly GameRecord[] = $state.raw([]);
  finished: readonly GameRecord[] = $state.raw([]);
  ready = $state(false);
  fault = $state("");

  /** The games that wait for this person first, then the others, the latest first. */
  get ordered(): GameRecord[] {
    return this.mine.toSorted(
      (a, b) => Number(b.your_turn) - Number(a.your_turn) || b.updated.localeCompare(a.updated),
    );
  }

  get turns(): number {
    return this.mine.filter((game) => game.your_turn).length;
  }

  private loading: Promise<void> | null = null;

  /** Asks for everything; who comes while it is being asked for gets the same answer. */
  load(): Promise<void> {
    this.loading ??= this.loadAll().finally(() => (this.loading = null));
    return this.loading;
  }

  private async loadAll(): Promise<void> {
    try {
      if (!this.catalogue.length) this.catalogue = await api.catalogue();
      await Promise.all(
        ["mine", "open", "watch", "finished"].map((name) => this.refresh(name as Exclude<ListName, "turn">)),
      );
      this.fault = "";
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fault = error.message;
    } finally {
      this.ready = true;
    }
  }

  /** Which of the open seats are wanted. */
  sieve: Sieve = $state.raw({});

  async sift(sieve: Sieve): Promise<void> {
    this.sieve = sieve;
    await this.load();
    await this.refresh("open"); // what was on its way may have been asked for before
  }

  async refresh(name: Exclude<ListName, "turn">): Promise<void> {
    this[name] = await requests.list(name, name === "open" ? this.sieve : {});
  }

  /** Looks again and again until the returned function is called; not while nobody looks at the page. */
  keep(): () => void {
    void this.load();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.load();
    }, EVERY);
    return () => clearInterval(timer);
  }

  find(game: string): GameSummary | undefined {
    return this.catalogue.find((one) => one.id === game);
  }
}

export const lists = new Lists();
