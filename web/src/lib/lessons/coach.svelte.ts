/** The coach at the table: what is said now, and where on the page it is done. The server knows how far the lesson is. */

import type { LessonState } from "../api/types";
import type { Choice, Modes } from "../table/decision/choices";
import { held } from "../table/decision/choices";
import type { Interaction } from "../table/interaction.svelte";
import type { TableStore } from "../table/table.svelte";
import { lessons } from "./requests";

export class Coach {
  /** What the coach says; null at a table without a lesson. */
  said: LessonState | null = $state.raw(null);
  /** Whether the hex that is to be looked at was looked at. */
  looked = $state(false);
  /** Counted up when the learner asks to be shown. */
  shown = $state(0);
  private readonly store: TableStore;
  private readonly pointer: Interaction;
  private wish = 0;

  constructor(store: TableStore, pointer: Interaction) {
    this.store = store;
    this.pointer = pointer;
  }

  /** The actions that the step asks for, among those on offer. */
  readonly wanted: Choice[] = $derived.by(() => {
    const { said, store } = this;
    const texts = new Set(said?.length === store.length ? said.wanted : []); // said of another table, it is out of date
    return texts.size && store.mine ? store.choices.filter(({ item }) => texts.has(item.text)) : [];
  });
  /** What of it is to be pointed at next: only what can be, as things stand. */
  private readonly next = $derived.by(() => {
    const { draft, targets } = this.pointer;
    const wanted = new Set(this.wanted);
    const units: string[] = [];
    const hexes: string[] = [];
    for (const { picks } of wanted) {
      const pick = picks[draft.length];
      if (!pick) continue;
      const open = (pick.kind === "unit" ? targets.units : targets.hexes).get(pick.value);
      if (!open?.some((choice) => wanted.has(choice))) continue;
      (pick.kind === "unit" ? units : hexes).push(pick.value);
    }
    return { units: new Set(units), hexes: new Set(hexes) };
  });
  /** The hexes where something is to be done, or to be looked at. */
  readonly here: string[] = $derived.by(() => {
    const { said, next } = this;
    if (!said?.now) return [];
    if (said.look) return this.looked ? [] : [said.look];
    const under = (this.store.scene.counters ?? []).flatMap(({ unit, hex }) =>
      unit && hex && next.units.has(unit) ? [hex] : [],
    );
    return this.pointer.armed ? [] : [...new Set([...next.hexes, ...under])];
  });
  /** The hexes that the step speaks of. */
  readonly about: string[] = $derived.by(() => {
    const { said } = this;
    const units = new Set(said?.units);
    const under = (this.store.scene.counters ?? []).flatMap(({ unit, hex }) =>
      unit && hex && units.has(unit) ? [hex] : [],
    );
    return [...new Set([...(said?.now ? said.hexes : []), ...under])];
  });

  /** Whether what is asked for is a button of the panel, even if a hex is pointed at beside it. */
  readonly inPanel: boolean = $derived.by(() => this.pointer.offer.rows.some((choice) => this.wants(choice)));

  /** Whether something else was begun, and has to be left first. */
  readonly wantsBack: boolean = $derived.by(() => {
    const { armed, draft, picking } = this.pointer;
    if (!this.wanted.length) return false;
    if (armed) return !this.wants(armed);
    if (picking) return !picking.some((choice) => this.wants(choice));
    return draft.length > 0 && !this.pointer.left.some((choice) => this.wants(choice));
  });

  /** Whether this is what the step asks for. */
  wants(choice: Choice): boolean {
    return this.wanted.some(({ item }) => item.text === choice.item.text);
  }

  wantsUnit(unit: string): boolean {
    return this.next.units.has(unit);
  }

  wantsVerb(verb: string): boolean {
    return this.wanted.length > 0 && this.wanted.every((choice) => choice.verb === verb);
  }

  /** The way of doing it that has to be chosen before the place can be. */
  wantsMode(modes: Modes, value: string): boolean {
    const fits = (choice: Choice, one: string): boolean =>
      (modes.name ? choice.extras.find(({ name }) => name === modes.name)?.value : choice.verb) === one;
    const now = held(modes, this.pointer.wishes);
    return now !== value && this.wanted.some((one) => fits(one, value)) && !this.wanted.some((one) => fits(one, now));
  }

  /** Whether pressing this hex is the look that is asked for, and nothing else. */
  looksAt(hex: string | null): boolean {
    if (!this.said?.now || !hex || this.said.look !== hex || this.looked) return false;
    this.looked = true;
    return true;
  }

  /** Asks what is to be said about the table as it is now. */
  async ask(): Promise<void> {
    if (!this.store.record?.lesson) return;
    await this.hear(lessons.state(this.store.id));
  }

  /** The step was read, or looked at. */
  async read(): Promise<void> {
    const { said } = this;
    if (said) await this.hear(lessons.read(this.store.id, said.step));
  }

  /** The table where a step begins again. */
  again(step: number): Promise<string | null> {
    return this.store.quietly(() => lessons.again(this.store.id, step)).then((record) => record?.id ?? null);
  }

  private async hear(answer: Promise<LessonState>): Promise<void> {
    const wish = ++this.wish;
    const said = await this.store.quietly(() => answer);
    if (!said || wish !== this.wish) return;
    if (said.step !== this.said?.step) this.looked = false;
    this.said = said;
  }
}
