/** What is meant by what the player points at, and what is done about it. */

import { tick } from "svelte";
import type { Ladder, OddsTable } from "../api/types";
import { t } from "../i18n/index.svelte";
import { speak } from "../i18n/speak.svelte";
import { Asking } from "./decision/asking.svelte";
import { mainChoice, point, type Choice, type Modes, type Pick } from "./decision/choices";
import type { Point } from "./map/geometry";
import { companyOf, moveOf, sameWay } from "./pieces/company";
import { columnOf } from "./odds/ladder";
import { Pointing } from "./map/pointing.svelte";
import type { TableStore } from "./table.svelte";
import { Weighing } from "./odds/weighing.svelte";

/** Several actions that were one for the player. */
interface Deed {
  steps: number;
  /** What was on offer before it, and after it. */
  before: string;
  after: string;
  /** Who was taken up before it. */
  company: readonly string[];
}

/** More than can be taken back without asking. */
const MOST_DEEDS = 100;

const asPicks = (units: readonly string[]): Pick[] => units.map((value) => ({ kind: "unit", value }));

export class Interaction extends Pointing {
  readonly scales: Weighing;
  readonly why: Asking;
  /** Something is being sent: what comes back is looked at when all of it is done. */
  private sending = false;
  /** The units that were taken up together, the one that is asked first. */
  company: readonly string[] = $state.raw([]);
  /** Several actions are under way that are one for the player. */
  working = $state(false);
  /** What the player did at once in several actions. */
  private deeds: readonly Deed[] = [];

  /** Whether an action that leads to dice is being weighed. */
  readonly weighing: boolean = $derived.by(() => {
    const { odds } = this.scales;
    return !!this.armed && !!odds && (odds.results.length > 0 || !!odds.ladder);
  });

  constructor(store: TableStore) {
    super(store);
    this.scales = new Weighing(store);
    this.why = new Asking(store, this);
  }

  /** A new position: nothing is pointed at any more. */
  reset(): void {
    this.asked = null;
    this.drafted = [];
    this.picking = null;
    this.scales.anew();
    this.light(null);
    this.disarm();
    this.why.hush();
  }

  private disarm(): void {
    this.arm(null, null);
  }

  private arm(choice: Choice | null, odds: OddsTable | null): void {
    this.armed = choice;
    this.scales.show(odds);
  }

  private gathers(choice: Choice): boolean {
    return this.store.presentation.gathers?.includes(choice.verb) ?? false;
  }

  wish(modes: Modes, value: string): void {
    this.disarm();
    this.picking = null;
    this.wishes = { ...this.wishes, [modes.name]: value };
  }

  /** Asks for a verb that is set aside. */
  askFor(verb: string): void {
    this.disarm();
    this.picking = null;
    this.begin(verb);
  }

  /**
   * Points at a unit or a hex. `careful` asks for a second touch before a hex is taken; `alone` takes a unit without
   * those who lie with it.
   */
  async pointAt(pick: Pick, at: Point, careful = false, alone = true): Promise<void> {
    this.why.hush();
    if (!this.store.mine || this.store.busy || this.working) return;
    const meant = point(this.open, this.draft, pick, this.modes, this.wishes);
    switch (meant.result) {
      case "nothing":
        return this.why.ask(pick, at);
      case "more":
        this.disarm();
        this.picking = null;
        this.drafted = meant.draft;
        return;
      case "pick":
        this.disarm();
        this.picking = meant.choices;
        return;
      case "action":
        this.picking = null;
        if (this.armed?.item.text === meant.choice.item.text) return this.commit();
        if (this.isMove(meant.choice))
          return this.atOnce(() => this.takeUp(alone ? [pick.value] : this.companyOf(pick.value)));
        return this.take(meant.choice, careful && pick.kind === "hex");
    }
  }

  private isMove(choice: Choice): boolean {
    return choice.verb === this.store.presentation.together?.move && choice.picks.length === 1;
  }

  private companyOf(unit: string): string[] {
    const { scene, presentation } = this.store;
    return companyOf(scene.counters ?? [], this.open, unit, presentation.together);
  }

  /** Does several actions as one: nothing else is taken meanwhile. */
  private async atOnce<R>(deed: () => Promise<R>): Promise<R> {
    this.working = true;
    try {
      return await deed();
    } finally {
      this.working = false;
    }
  }

  /** Begins the move of these units: the first is asked where it goes, the others join it or go after it. */
  private async takeUp(units: readonly string[]): Promise<void> {
    const { store } = this;
    const { together } = store.presentation;
    const first = together && moveOf(this.open, units[0] ?? "", together.move);
    if (!first) return;
    const [before, length] = [this.offered, store.length];
    this.company = units.length > 1 ? units : [];
    await this.take(first);
    if (!this.company.length || store.length === length || !store.mine) return;
    const there = [units[0]!];
    let steps = 1;
    for (const unit of units.slice(1)) {
      const joins = together.add ? moveOf(store.choices, unit, together.add) : undefined;
      if (together.add && !(joins && (await store.send(joins.item)))) continue;
      steps += together.add ? 1 : 0;
      there.push(unit);
    }
    this.reset();
    this.company = there.length > 1 ? there : [];
    this.subject = asPicks(there);
    this.did(steps, before);
  }

  /** Leaves one of those behind who were taken up together. */
  async spare(unit: string): Promise<void> {
    const rest = this.company.filter((one) => one !== unit);
    if (this.working || this.store.busy) return;
    await this.atOnce(async () => {
      if (await this.takeBack()) await this.takeUp(rest);
    });
  }

  /** The others go the way that the first of them has gone; who cannot is told. */
  private async follow(gone: Choice, before: string): Promise<void> {
    const { store, company } = this;
    const { together } = store.presentation;
    this.company = [];
    const joined = together?.add !== undefined;
    if (!together || joined || !gone.picks.some(({ kind }) => kind === "hex")) {
      this.did(1, before, company);
      return;
    }
    const side = store.seat;
    const mine = (): boolean => store.mine && store.seat === side;
    const stay: string[] = [];
    let steps = 1;
    for (const unit of company.slice(1)) {
      const begins = mine() ? moveOf(store.choices, unit, together.move) : undefined;
      if (!begins || !(await store.send(begins.item, false, true))) {
        stay.push(unit);
        continue;
      }
      const goes = mine() ? sameWay(store.choices, gone) : undefined;
      if (goes && (await store.send(goes.item))) steps += 2;
      else if (await store.undo()) stay.push(unit);
    }
    this.reset();
    this.subject = [];
    this.did(steps, before, company);
    const names = stay.map((unit) => (store.detail ? speak.unit(store.detail, unit) : unit)).join(", ");
    if (stay.length && mine()) store.tell(t("Not with them: {units}", { units: names }));
  }

  /** What is on offer, of whom and where everybody is: to be known again. */
  private get offered(): string {
    const { table } = this.store;
    const places = table?.scene.counters?.map(({ unit, hex }) => [unit, hex]);
    return JSON.stringify([table?.prompt, table?.actions.map(({ text }) => text), places]);
  }

  /** So many actions were one for the player: he takes them back together. */
  private did(steps: number, before: string, company: readonly string[] = []): void {
    this.deeds = [...this.deeds, { steps, before, after: this.offered, company }].slice(-MOST_DEEDS);
  }

  /** Takes an action, or arms it first: if there is something to weigh, it is shown before. */
  async take(choice: Choice, careful = false): Promise<void> {
    const found = await this.scales.of(choice);
    // Who gathers for a fight joins at once: the fight is weighed when they are all there.
    const odds = found?.ladder && this.gathers(choice) ? null : found;
    this.arm(choice, odds);
    // What ends a part of the turn and was weighed on the table already is not weighed again; a fight is, in full.
    const { weighs, onward } = this.store.presentation;
    const weighed = !odds?.ladder && weighs?.includes(choice.verb) && onward?.includes(choice.verb);
    if (!careful && (!odds || weighed)) await this.commit();
  }

  /** Arms an action from a list: shows what it would lead to, without taking it. */
  async preview(choice: Choice): Promise<void> {
    this.arm(choice, null);
    const odds = await this.scales.of(choice);
    if (this.armed === choice) this.scales.show(odds);
  }

  /** A question that was answered beforehand, when the fight was weighed: the answer is proposed. */
  async propose(): Promise<void> {
    await tick();
    const { store } = this;
    if (this.sending || !store.mine || store.busy || this.armed || this.picking || this.drafted.length) return;
    const choice = this.scales.proposed();
    if (choice) await this.preview(choice);
  }

  /** Looks at the odds with a shift the other way round; if another action has it so, that one is weighed. */
  async flip(i: number): Promise<void> {
    const other = this.scales.odds?.ladder?.shifts?.[i]?.action;
    const choice = other ? this.store.choices.find(({ item }) => item.text === other) : undefined;
    if (choice) {
      this.scales.remember();
      this.arm(choice, await this.scales.of(choice));
      return;
    }
    this.scales.turn(i);
  }

  /** Takes what is armed. Who was weighed for an attack takes part in it, unless `asking` who shall. */
  async commit(asking = false): Promise<void> {
    this.sending = true;
    const { armed, offered } = this;
    try {
      const done = await this.commitArmed(asking);
      if (done && armed && this.company.length && !this.isMove(armed))
        await this.atOnce(() => this.follow(armed, offered));
    } finally {
      this.sending = false;
    }
    await this.propose();
  }

  private async commitArmed(asking: boolean): Promise<boolean> {
    const { armed: choice } = this;
    const { odds } = this.scales;
    if (!choice) return false;
    if (odds?.ladder) this.scales.remember();
    else if (!this.gathers(choice)) this.scales.forget();
    this.placed = choice.picks.findLast(({ kind }) => kind === "hex")?.value ?? null;
    // Where a whole stack goes is never settled by the only way that one of them has.
    if (await this.store.send(choice.item, false, this.company.length > 1 && this.isMove(choice))) {
      this.reset();
      // A unit was picked and now its hex is asked for: it stays the subject. A unit that was put somewhere is done.
      const put = choice.picks.some(({ kind }) => kind === "unit") && choice.picks.some(({ kind }) => kind === "hex");
      const gathered = this.gathers(choice) && !this.store.choices.some((one) => one.verb === choice.verb);
      const done = put || gathered || (this.store.presentation.ends?.includes(choice.verb) ?? false);
      const follows = !done && this.store.mine && this.targets.hexes.size + this.targets.units.size > 0;
      this.subject = follows ? choice.picks : [];
      if (odds?.ladder && !asking && this.store.presentation.musters?.includes(choice.verb))
        await this.muster(odds.ladder);
      return true;
    }
    this.disarm();
    return false;
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
    const odds = these && (await this.scales.of(these));
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
    const asked = JSON.stringify(this.store.table?.prompt);
    for (let i = 0; i < most; i++) {
      const next = this.store.choices.find((choice) => choice.verb === verb);
      if (!next) break;
      // The last of them may lead to dice: that is weighed.
      this.scales.anew();
      const odds = await this.scales.of(next);
      if (odds && !odds.ladder) {
        this.arm(next, odds);
        this.subject = subject;
        return;
      }
      if (!(await this.store.send(next.item))) break;
      subject.push(...next.picks);
    }
    this.reset();
    // With the last of them the question may be answered: then nobody is being dealt with any longer.
    const over = JSON.stringify(this.store.table?.prompt) !== asked;
    this.subject = this.store.mine && !over ? subject : [];
  }

  /** One step back: what is armed, what is picked, what is drafted, and then the last action itself. */
  async back(): Promise<void> {
    this.why.hush();
    if (this.working) return;
    if (this.armed || this.picking) {
      this.disarm();
      this.picking = null;
    } else if (this.asked !== null && this.drafted.length < 2) {
      this.asked = null;
      this.drafted = [];
    } else if (this.drafted.length) {
      this.drafted = this.drafted.slice(0, -1);
    } else if (this.store.table?.can_undo) await this.undo();
  }

  /** Takes the last action back: what it was about is no longer the subject. */
  async undo(): Promise<void> {
    if (!this.working) await this.atOnce(() => this.takeBack());
  }

  /** Takes the last action back, or all that were one for the player. */
  private async takeBack(): Promise<boolean> {
    const { store } = this;
    const { offered } = this;
    const deed = this.deeds.findLast(({ after }) => after === offered);
    this.deeds = this.deeds.filter((one) => one !== deed);
    for (let i = 0; i < (deed?.steps ?? 1) && (i === 0 || this.offered !== deed?.before); i++)
      if (!(await store.undo())) return false;
    this.company = deed && this.offered === deed.before ? deed.company : [];
    this.scales.forget();
    this.reset();
    this.subject = asPicks(this.company);
    return true;
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
      await this.pointAt({ kind: "unit", value: first }, at, false, false);
      return true;
    }
    await this.pointAt({ kind: "hex", value: this.cursor }, at);
    return true;
  }
}
