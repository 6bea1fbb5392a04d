/** The legends of games, each fetched once; the glossary and the term that is looked up now. */

import { api } from "../api/client";
import { gameText, words } from "../i18n/index.svelte";
import { Finder, type Legend, type TermText } from "./legend";

class Legends {
  private found: Readonly<Record<string, Legend>> = $state.raw({});
  private readonly asked = new Set<string>();

  /** The legend of a game; nothing while it is on its way. */
  of(game: string): Legend | null {
    if (game && !this.asked.has(game)) {
      this.asked.add(game);
      api.legend(game).then(
        (legend) => (this.found = { ...this.found, [game]: legend }),
        () => this.asked.delete(game), // texts stay without underlines; asked again the next time
      );
    }
    return this.found[game] ?? null;
  }
}

export const legends = new Legends();

class Glossary {
  /** The term that is looked up, and where its word stands on the screen. */
  opened: { game: string; term: TermText; x: number; y: number } | null = $state.raw(null);
  private kept: { legend: Legend; language: string; words: object; finder: Finder } | null = null;

  /** What finds the terms of a game in its texts; nothing while its legend is on its way. */
  finder(game: string): Finder | null {
    const legend = legends.of(game);
    if (!legend) return null;
    const catalogue = words.catalogue(game);
    const { kept } = this;
    if (kept?.legend === legend && kept.language === words.language && kept.words === catalogue) return kept.finder;
    const finder = new Finder(legend.terms, (word) => gameText(game, word), words.language);
    this.kept = { legend, language: words.language, words: catalogue, finder };
    return finder;
  }

  /** Shows a term beside its word, or puts it away again. */
  show(game: string, term: TermText, word: Element): void {
    const box = word.getBoundingClientRect();
    this.opened = this.opened?.term === term ? null : { game, term, x: box.left, y: box.bottom };
  }

  close(): void {
    this.opened = null;
  }
}

export const glossary = new Glossary();
