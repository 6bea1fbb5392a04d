/** What the player points at, and what it means. Knows the list of actions and nothing of the rules. */

import { tick } from "svelte";
import { api } from "../api/client";
import type { Hint, Ladder, OddsTable, ReasonText } from "../api/types";
import { preferences } from "../settings/preferences.svelte";
import { proposed, turned, wishesOf, type Wish } from "./carry";
import {
  mainChoice,
  matching,
  modesOf,
  openChoices,
  placesOf,
  point,
  refused,
  targets,
  type Choice,
  type Modes,
  type Pick,
  type Targets,
  type Wishes,
} from "./choices";
import { step, type Point } from "./geometry";
import { columnOf } from "./ladder";
import type { TableStore } from "./table.svelte";

export interface Refusal extends ReasonText {
  pick: Pick;
  at: Point;
}

const WHY_AFTER = 420;

export class Interaction {
  private readonly store: TableStore;
  /** What has been pointed at so far towards an action that needs more. */
  draft: Pick[] = $state.raw([]);
  /** Ways of doing the same thing at one place, to choose from. */
  picking: Choice[] | null = $state.raw(null);
  /** The action that the main button would take now, waiting for it. */
  armed: Choice | null = $state.raw(null);
  odds: OddsTable | null = $state.raw(null);
  /** Shifts of the odds that are looked at the other way round, by their place in the list. */
  flipped: ReadonlySet<number> = $state.raw(new Set());
  refusal: Refusal | null = $state.raw(null);
  hoverHex: string | null = $state(null);
  hoverUnit: string | null = $state(null);
  /** The hex of the keyboard. */
  cursor: string | null = $state(null);
  /** Hexes and units lit up from the log or from a list. */
  lit: { hexes: string[]; units: string[]; path: string[] } = $state.raw({ hexes: [], units: [], path: [] });
  /** What the last action of this player was about, while its decision goes on. */
  subject: Pick[] = $state.raw([]);
  private plain = new Set<string>();
  /** What was tried out in a fight that is under way, for the questions that this side is still to be asked. */
  private carried: { seat: string | null; hex: string; wishes: Wish[] } = { seat: null, hex: "", wishes: [] };
  /** Something is being sent: what comes back is looked at when all of it is done. */
  private sending = false;
  private timer = 0;
  private asking: AbortController | null = null;

  /** What the player has said about the modes of this decision. */
  wishes: Wishes = $state.raw({});

  /** The verb that the player has asked for, of those that the game sets aside. */
  asked: string | null = $state(null);
  private readonly open: Choice[] = $derived.by(() =>
    openChoices(this.store.choices, this.store.presentation.aside ?? [], this.asked, this.store.presentation.onward),
  );
  readonly modes: Modes[] = $derived.by(() => modesOf(this.open, this.draft, this.store.presentation.orders));
  readonly targets: Targets = $derived.by(() => targets(this.open, this.draft, this.modes, this.wishes));
  readonly left: Choice[] = $derived.by(() => matching(this.open, this.draft));

  /** The hex that is aimed at, if it can be chosen: by what is armed, by the keys, by the pointer. */
  readonly aimed: string | null = $derived.by(() => {
    const aim = this.armed?.picks.findLast((pick) => pick.kind === "hex")?.value ?? this.cursor ?? this.hoverHex;
    return aim !== null && this.targets.hexes.has(aim) ? aim : null;
  });
  /** What the rules tell of going there. */
  readonly hint: Hint | null = $derived.by(
    () => this.armed?.item.hint ?? (this.aimed ? (this.targets.hexes.get(this.aimed)?.[0]?.item.hint ?? null) : null),
  );
  /** Whether an action that leads to dice is being weighed. */
  readonly weighing: boolean = $derived(
    !!this.armed && !!this.odds && (this.odds.results.length > 0 || !!this.odds.ladder),
  );

  constructor(store: TableStore) {
    this.store = store;
  }

  /** A new position: nothing is pointed at any more. */
  reset(): void {
    this.asked = null;
    this.draft = [];
    this.picking = null;
    this.plain.clear();
    this.light(null);
    this.disarm();
    this.hush();
  }

  private disarm(): void {
    this.arm(null, null);
  }

  private arm(choice: Choice | null, odds: OddsTable | null): void {
    this.armed = choice;
    this.weigh(odds);
  }

  /** Shows chances, with the switches as the player has turned them for this fight. */
  private weigh(odds: OddsTable | null): void {
    this.odds = odds;
    this.flipped = odds?.ladder ? turned(odds.ladder, this.wishesFor(odds.ladder)) : new Set();
  }

  private wishesFor(ladder: Ladder): Wish[] {
    const { seat, hex, wishes } = this.carried;
    return seat === this.store.seat && hex === (ladder.hex ?? "") ? wishes : [];
  }

  /** Keeps what the player has tried out. */
  private remember(): void {
    const ladder = this.odds?.ladder;
    if (ladder)
      this.carried = {
        seat: this.store.seat,
        hex: ladder.hex ?? "",
        wishes: wishesOf(ladder, this.flipped, this.wishesFor(ladder)),
      };
  }

  private gathers(choice: Choice): boolean {
    return this.store.presentation.gathers?.includes(choice.verb) ?? false;
  }

  wish(modes: Modes, value: string): void {
    this.disarm();
    this.picking = null;
    this.wishes = { ...this.wishes, [modes.name]: value };
  }

  /** Asks for a verb that is set aside; what all its choices begin with is taken as pointed at. */
  askFor(verb: string): void {
    this.disarm();
    this.picking = null;
    this.asked = verb;
    this.draft = [];
    for (;;) {
      const next = this.left[0]?.picks[this.draft.length];
      if (
        !next ||
        this.left.some(
          ({ picks }) => picks.length <= this.draft.length + 1 || picks[this.draft.length]?.value !== next.value,
        )
      )
        return;
      this.draft = [...this.draft, next];
    }
  }

  canPoint(pick: Pick): boolean {
    return (pick.kind === "unit" ? this.targets.units : this.targets.hexes).has(pick.value);
  }

  /** Points at a unit or a hex. `careful` asks for a second touch before a hex is taken. */
  async pointAt(pick: Pick, at: Point, careful = false): Promise<void> {
    this.hush();
    if (!this.store.mine || this.store.busy) return;
    const meant = point(this.open, this.draft, pick, this.modes, this.wishes);
    switch (meant.result) {
      case "nothing":
        return this.ask(pick, at);
      case "more":
        this.disarm();
        this.picking = null;
        this.draft = meant.draft;
        return;
      case "pick":
        this.disarm();
        this.picking = meant.choices;
        return;
      case "action":
        this.picking = null;
        if (this.armed?.item.text === meant.choice.item.text) return this.commit();
        return this.take(meant.choice, careful && pick.kind === "hex");
    }
  }

  /** Takes an action, or arms it first: if there is something to weigh, it is shown before. */
  async take(choice: Choice, careful = false): Promise<void> {
    const found = await this.oddsOf(choice);
    // Who gathers for a fight joins at once: the fight is weighed when they are all there.
    const odds = found?.ladder && this.gathers(choice) ? null : found;
    this.arm(choice, odds);
    if (!careful && !odds) await this.commit();
  }

  /** The chances of an action; verbs that have none are not asked about again in the same decision. */
  async oddsOf(choice: Choice): Promise<OddsTable | null> {
    const { seat, id } = this.store;
    if (!seat || this.plain.has(choice.verb)) return null;
    const odds = await this.store.quietly(() => api.odds(id, seat, choice.item.text));
    if (!odds) this.plain.add(choice.verb);
    return odds;
  }

  /** Arms an action from a list: shows what it would lead to, without taking it. */
  async preview(choice: Choice): Promise<void> {
    this.arm(choice, null);
    const odds = await this.oddsOf(choice);
    if (this.armed === choice) this.weigh(odds);
  }

  /** A question that was answered beforehand, when the fight was weighed: the answer is proposed. */
  async propose(): Promise<void> {
    await tick();
    const { store, carried } = this;
    if (
      this.sending ||
      !store.mine ||
      store.busy ||
      this.armed ||
      this.picking ||
      this.draft.length ||
      carried.seat !== store.seat
    )
      return;
    const choice = proposed(store.choices, carried.wishes);
    if (choice) await this.preview(choice);
  }

  /** Looks at the odds with a shift the other way round; if another action has it so, that one is weighed. */
  async flip(i: number): Promise<void> {
    const other = this.odds?.ladder?.shifts?.[i]?.action;
    const choice = other ? this.store.choices.find(({ item }) => item.text === other) : undefined;
    if (choice) {
      this.remember();
      this.arm(choice, await this.oddsOf(choice));
      return;
    }
    const flipped = new Set(this.flipped);
    if (!flipped.delete(i)) flipped.add(i);
    this.flipped = flipped;
  }

  /** Takes what is armed. Who was weighed for an attack takes part in it, unless `asking` who shall. */
  async commit(asking = false): Promise<void> {
    this.sending = true;
    try {
      await this.commitArmed(asking);
    } finally {
      this.sending = false;
    }
    await this.propose();
  }

  private async commitArmed(asking: boolean): Promise<void> {
    const { armed: choice, odds } = this;
    if (!choice) return;
    if (odds?.ladder) this.remember();
    else if (!this.gathers(choice)) this.carried = { seat: null, hex: "", wishes: [] };
    if (await this.store.send(choice.item)) {
      this.reset();
      // A unit was picked and now its hex is asked for: it stays the subject. A unit that was put somewhere is done.
      const put = choice.picks.some(({ kind }) => kind === "unit") && choice.picks.some(({ kind }) => kind === "hex");
      const gathered = this.gathers(choice) && !this.store.choices.some((one) => one.verb === choice.verb);
      const done = put || gathered || (this.store.presentation.ends?.includes(choice.verb) ?? false);
      const follows = !done && this.store.mine && this.targets.hexes.size + this.targets.units.size > 0;
      this.subject = follows ? choice.picks : [];
      if (odds?.ladder && !asking && this.store.presentation.musters?.includes(choice.verb))
        await this.muster(odds.ladder);
    } else this.disarm();
  }

  /** Gathers those who were weighed for a fight; if it stands as it was weighed then, it goes on without a word. */
  private async muster(weighed: Ladder): Promise<void> {
    const side = this.store.seat;
    const own = new Set(weighed.forces?.find((force) => force.side === side)?.units);
    const gathered = (): Choice | undefined =>
      this.store.mine && this.store.seat === side
        ? this.store.choices.find((choice) => this.gathers(choice) && choice.picks.some(({ value }) => own.has(value)))
        : undefined;
    for (let next = gathered(); next; next = gathered()) {
      if (!(await this.store.send(next.item))) return;
      this.subject = [...this.subject, ...next.picks];
    }
    if (!this.store.mine || this.store.seat !== side) {
      this.subject = [];
      return;
    }
    const these = mainChoice(this.targets.ready);
    const odds = these && (await this.oddsOf(these));
    if (!odds?.ladder || odds.ladder.hex !== weighed.hex) {
      this.subject = []; // it is fought already
      return;
    }
    this.arm(these, odds);
    if (columnOf(odds.ladder) === columnOf(weighed)) await this.commitArmed(false);
  }

  /** Takes all choices of a verb one after another, as far as each leaves the others open. */
  async sweep(verb: string): Promise<void> {
    const most = this.store.choices.filter((choice) => choice.verb === verb).length;
    const subject = [...this.subject];
    for (let i = 0; i < most; i++) {
      const next = this.store.choices.find((choice) => choice.verb === verb);
      if (!next) break;
      // The last of them may lead to dice: that is weighed.
      this.plain.clear();
      const odds = await this.oddsOf(next);
      if (odds && !odds.ladder) {
        this.arm(next, odds);
        this.subject = subject;
        return;
      }
      if (!(await this.store.send(next.item))) break;
      subject.push(...next.picks);
    }
    this.reset();
    this.subject = this.store.mine ? subject : [];
  }

  /** One step back: what is armed, what is picked, what is drafted, and then the last action itself. */
  async back(): Promise<void> {
    this.hush();
    if (this.armed || this.picking) {
      this.disarm();
      this.picking = null;
    } else if (this.asked !== null && this.draft.length < 2) {
      this.asked = null;
      this.draft = [];
    } else if (this.draft.length) {
      this.draft = this.draft.slice(0, -1);
    } else if (this.store.table?.can_undo) await this.undo();
  }

  /** Takes the last action back: what it was about is no longer the subject. */
  async undo(): Promise<void> {
    if (!(await this.store.undo())) return;
    this.carried = { seat: null, hex: "", wishes: [] };
    this.reset();
    this.subject = [];
  }

  // Why not?

  /** The pointer rests on something: the reason why it cannot be chosen comes after a moment. */
  rest(pick: Pick | null, at: Point): void {
    if (pick && this.refusal?.pick.kind === pick.kind && this.refusal.pick.value === pick.value) return;
    this.hush();
    if (!pick || !this.store.mine || this.store.busy || this.picking || this.armed) return;
    // Those who know the rules are told only when they ask, by a click.
    if (this.canPoint(pick) || preferences.help === "none") return;
    this.timer = window.setTimeout(() => void this.ask(pick, at), WHY_AFTER);
  }

  async ask(pick: Pick, at: Point): Promise<void> {
    const { seat, id } = this.store;
    const action = refused(this.open, this.draft, pick, this.store.verbs, this.modes, this.wishes);
    if (!action || !seat) return;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const reason = await api.why(id, seat, action, asking.signal);
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

  // Keys

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

  walk(key: string): string | null {
    const { grid } = this.store;
    if (!grid) return null;
    const from = this.cursor ?? this.hoverHex;
    const next = from ? step(grid, from, key) : (grid.info.hexes[Math.floor(grid.info.hexes.length / 2)] ?? null);
    if (next) {
      this.cursor = next.id;
      this.hoverUnit = null;
    }
    return next?.id ?? null;
  }

  /** What Enter does at the cursor; false if there is nothing to do there. */
  async enter(at: Point): Promise<boolean> {
    if (this.armed) {
      await this.commit();
      return true;
    }
    if (!this.cursor) return false;
    const unit = this.hoverUnit ? { kind: "unit" as const, value: this.hoverUnit } : null;
    if (unit && this.canPoint(unit)) {
      await this.pointAt(unit, at);
      return true;
    }
    const units = (this.store.scene.counters ?? []).filter(
      (item) => item.hex === this.cursor && item.unit && this.targets.units.has(item.unit),
    );
    const first = units[0]?.unit;
    if (first && !this.targets.hexes.has(this.cursor)) {
      await this.pointAt({ kind: "unit", value: first }, at);
      return true;
    }
    await this.pointAt({ kind: "hex", value: this.cursor }, at);
    return true;
  }

  light(choice: Choice | null): void {
    if (!choice) {
      this.lit = { hexes: [], units: [], path: [] };
      return;
    }
    this.lit = { ...placesOf(choice), path: choice.item.hint?.path ?? [] };
  }
}
