/**
 * What a player draws on the map for himself: a ruler, arrows and notes, kept in this browser, game by game; and what
 * others at the table show him of theirs.
 */

import type { ChatLine, Drawing } from "../../api/types";
import { recall, remember } from "../../store";
import type { Talk } from "../frame/talk.svelte";

export type Pen = "ruler" | "arrow" | "note" | "rub";

export interface Arrow {
  from: string;
  to: string;
}

export interface Note {
  hex: string;
  text: string;
}

interface Kept {
  arrows: Arrow[];
  notes: Note[];
}

/** What somebody else shows: the last that he drew, until it is wiped off. */
export interface Shown extends Kept {
  id: number;
  by: string;
  guest: boolean;
  sides: readonly string[];
}

/** The last drawing of each, by account. */
export function lastDrawings(lines: readonly ChatLine[]): ChatLine[] {
  const last = new Map<string, ChatLine>();
  for (const line of lines) if (line.drawing) last.set(line.account, line);
  return [...last.values()].filter(({ drawing }) => drawing?.arrows?.length || drawing?.notes?.length);
}

/** A note is a line, not a letter. */
export const LONGEST_NOTE = 80;
const MOST_ARROWS = 40;
const MOST_NOTES = 20;

export class Sketch {
  pen: Pen | null = $state(null);
  /** Where a line begins. */
  from: string | null = $state(null);
  /** Where the ruler ends. */
  to: string | null = $state(null);
  /** The hex whose note is being written. */
  writing: string | null = $state(null);
  arrows: readonly Arrow[] = $state.raw([]);
  notes: readonly Note[] = $state.raw([]);

  /** Up to this line of the talk, what the others show was wiped off this map. */
  private wiped = $state(0);
  private readonly drawn: ChatLine[] = $derived.by(() => lastDrawings(this.talk.lines));
  /** What the others show. */
  readonly shown: Shown[] = $derived.by(() =>
    this.drawn
      .filter(({ you, id }) => !you && id > this.wiped)
      .map(({ id, by, guest, sides, drawing }) => ({
        id,
        by,
        guest,
        sides,
        arrows: (drawing?.arrows ?? []).map(({ start, end }) => ({ from: start, to: end })),
        notes: drawing?.notes ?? [],
      })),
  );
  /** Whether the others see something of mine. */
  readonly showing: boolean = $derived.by(() => this.drawn.some(({ you }) => you));

  constructor(
    private readonly game: string,
    private readonly talk: Talk,
  ) {
    this.wiped = recall(this.wipedKey, 0);
    const { arrows, notes } = recall<Partial<Kept>>(this.key, {});
    this.arrows = arrows ?? [];
    this.notes = notes ?? [];
  }

  private get key(): string {
    return `sketch.${this.game}`;
  }

  private get wipedKey(): string {
    return `sketch.wiped.${this.game}`;
  }

  private get metKey(): string {
    return `sketch.met.${this.game}`;
  }

  /** All of it, as it is shown to the table. */
  get drawing(): Drawing {
    return {
      arrows: this.arrows.slice(-MOST_ARROWS).map(({ from, to }) => ({ start: from, end: to })),
      notes: this.notes.slice(-MOST_NOTES).map(({ hex, text }) => ({ hex, text })),
    };
  }

  /** Takes what the others show off this map; what they show later is seen again. */
  wipe(): void {
    this.wiped = Math.max(this.wiped, ...this.shown.map(({ id }) => id));
    remember(this.wipedKey, this.wiped);
  }

  /** Whether others show something that nobody has met in this browser yet; from now on it is met. */
  meet(): boolean {
    const last = Math.max(0, ...this.shown.map(({ id }) => id));
    if (last <= recall(this.metKey, 0)) return false;
    remember(this.metKey, last);
    return true;
  }

  private keep(): void {
    remember(this.key, { arrows: this.arrows, notes: this.notes });
  }

  /** Takes up a pen, or puts all of them away. */
  take(pen: Pen | null): void {
    this.pen = pen;
    this.from = null;
    this.to = null;
    this.writing = null;
  }

  /** One step back; false if there is none. */
  back(): boolean {
    if (this.writing !== null) this.writing = null;
    else if (this.from !== null) [this.from, this.to] = [null, null];
    else if (this.pen !== null) this.take(null);
    else return false;
    return true;
  }

  noteAt(hex: string): string {
    return this.notes.find((one) => one.hex === hex)?.text ?? "";
  }

  /** A hex was pressed with the pen in hand. */
  press(hex: string): void {
    switch (this.pen) {
      case "ruler":
        if (this.from === null || this.to !== null) [this.from, this.to] = [hex, null];
        else this.to = hex;
        return;
      case "arrow":
        if (this.from === null) this.from = hex;
        else this.draw(this.from, hex);
        return;
      case "note":
        this.writing = hex;
        return;
      case "rub":
        this.arrows = this.arrows.filter(({ from, to }) => from !== hex && to !== hex);
        this.notes = this.notes.filter((one) => one.hex !== hex);
        this.keep();
        return;
      case null:
        return;
    }
  }

  /** The same arrow drawn again is taken away; one that leads nowhere is none. */
  private draw(from: string, to: string): void {
    this.from = null;
    if (from === to) return;
    const others = this.arrows.filter((one) => one.from !== from || one.to !== to);
    this.arrows = others.length < this.arrows.length ? others : [...others, { from, to }];
    this.keep();
  }

  /** Writes the note; without words there is none. */
  write(text: string): void {
    const hex = this.writing;
    this.writing = null;
    if (hex === null) return;
    const words = text.trim().slice(0, LONGEST_NOTE);
    this.notes = [...this.notes.filter((one) => one.hex !== hex), ...(words ? [{ hex, text: words }] : [])];
    this.keep();
  }

  clear(): void {
    this.take(this.pen);
    this.arrows = [];
    this.notes = [];
    this.keep();
  }
}
