/** One game at this browser: what the server says of it, what was sent, what is looked back at. */

import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import { api, newKey, Problem } from "../api/client";
import { live, type Connection } from "../api/live";
import type * as T from "../api/types";
import { presentationOf, rolesOf, type Presentation } from "../games/presentation";
import { refusalText, t } from "../i18n/index.svelte";
import type { Said } from "../i18n/said";
import { speak } from "../i18n/speak.svelte";
import { requests } from "../lobby/requests";
import { forget } from "../stats/history";
import { recall } from "../store";
import { Animation } from "./map/animation.svelte";
import { readChoices, verbsByWord, type Verbs } from "./decision/choices";
import { Grid } from "./map/geometry";
import { HEADINGS, joined } from "./story/log";
import { Talk } from "./frame/talk.svelte";
import { tools, type Tool } from "./layers/overlays";
import { Thread } from "./layers/thread.svelte";

const RETRIES = [400, 1200, 3000];
/** Milliseconds after which a pointer rests. */
const REST = 60;
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Something to say at the foot of the map for a while. */
export interface Notice {
  text: string;
  rule: string;
  bad: boolean;
}

export class TableStore {
  readonly id: string;
  readonly animation = new Animation();
  record: T.GameRecord | null = $state.raw(null);
  detail: T.GameDetail | null = $state.raw(null);
  presentation: Presentation = $state.raw({});
  map = $state.raw("");
  table: T.TableState | null = $state.raw(null);
  events: T.EventItem[] = $state.raw([]);
  readonly talk: Talk;
  readonly thread = new Thread(this);
  /** What the listed actions cost, by their texts. */
  private costs: ReadonlyMap<string, T.Hint> = $state.raw(new Map());
  /** What was asked about single actions of this decision, by their texts. */
  private readonly abouts = new SvelteMap<string, T.About>();
  private asking = new Map<string, Promise<T.About>>();
  private aboutTimer = 0;
  private costsTimer = 0;
  /** What this browser's live connection is called. */
  private readonly name = newKey();
  overlays: T.Overlay[] = $state.raw([]);
  moment: T.Moment | null = $state.raw(null);
  connection: Connection = $state("connecting");
  seat: string | null = $state(null);
  /** The side whose eyes only the table is for, until somebody says that he is that side. */
  curtain: string | null = $state(null);
  busy = $state(false);
  notice: Notice | null = $state.raw(null);
  failure: string | null = $state(null);
  /** Ends automatic choices until the player has chosen something himself. */
  private hold = false;
  private noticeTimer = 0;
  private overlaysFor = -1;
  private close: (() => void) | null = null;
  private reloading: Promise<void> | null = null;
  private more = false;
  /** What was heard while a move was under way. */
  private missed: T.Lived[] = [];
  private momentWish = 0;

  readonly grid: Grid | null = $derived(this.detail?.grid ? new Grid(this.detail.grid) : null);
  readonly verbs: Verbs = $derived(verbsByWord(this.detail?.verbs ?? []));
  readonly scene: T.Scene = $derived(this.moment?.scene ?? this.animation.scene ?? this.table?.scene ?? {});
  readonly prompt: T.PromptText | null = $derived(this.moment?.prompt ?? this.table?.prompt ?? null);
  readonly length: number = $derived(this.table?.length ?? 0);
  readonly past: boolean = $derived(this.moment !== null);
  /** The game has ended: everything is told, in the numbers of the log. */
  readonly over: boolean = $derived(this.table?.status === "finished" || this.table?.status === "abandoned");
  /** Whether this player has to decide now. */
  readonly mine: boolean = $derived(
    !this.past &&
      !!this.table &&
      this.table.actions.length > 0 &&
      this.table.to_act === this.seat &&
      this.seat !== null,
  );
  /** Whether a place lies on the map: games without hexes have nothing else. */
  private readonly onMap = (place: string): boolean => !this.grid || this.grid.hex(place) !== undefined;
  readonly choices = $derived(
    this.mine && !this.animation.running ? readChoices(this.table?.actions ?? [], this.verbs, this.onMap) : [],
  );
  /** What can be laid over the map. */
  readonly tools: Tool[] = $derived(tools(this.overlays, this.scene, this.seat, this.detail?.sides ?? []));
  /** A hex of this side's own: where a thread is tied if nothing is pointed at. */
  get ownHex(): string | null {
    const own = (this.scene.counters ?? []).filter(({ side, hex }) => side === this.seat && hex);
    return (own.find(({ marks }) => marks?.includes("acting")) ?? own[0])?.hex ?? null;
  }
  readonly headings: Record<string, number> = $derived(this.presentation.headings ?? HEADINGS);
  readonly mySeats: string[] = $derived((this.record?.seats ?? []).filter((s) => s.you).map((s) => s.side));

  constructor(id: string) {
    this.id = id;
    this.talk = new Talk(id);
  }

  // Opening and closing

  async open(wishedSeat: string | null): Promise<void> {
    try {
      this.record = await api.game(this.id);
      this.chooseSeat(wishedSeat);
      const [detail, presentation, table, events] = await Promise.all([
        api.detail(this.record.game, this.record.scenario),
        presentationOf(this.record.game),
        api.table(this.id, this.seat),
        api.events(this.id, this.seat),
        api.map(this.record.game, this.record.scenario).then((map) => (this.map = map)),
      ]);
      this.detail = detail;
      this.presentation = { ...presentation, ...rolesOf(detail.verbs) };
      this.events = events;
      this.show(table);
      this.connect();
      this.decide();
      // Table talk is for those who sit at the table.
      if (this.mySeats.length) {
        void requests.chat(this.id).then(
          (lines) => this.talk.hear(lines),
          () => undefined,
        );
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.failure = error.message;
    }
  }

  shut(): void {
    this.close?.();
    this.close = null;
    this.animation.skip();
    clearTimeout(this.noticeTimer);
    clearTimeout(this.costsTimer);
  }

  private chooseSeat(wished: string | null): void {
    const mine = this.mySeats;
    if (wished && mine.includes(wished)) this.seat = wished;
    else if (mine.length > 1) this.seat = mine.find((side) => side === this.record?.to_act) ?? mine[0] ?? null;
    else this.seat = mine[0] ?? null;
  }

  private connect(): void {
    this.close?.();
    this.close = live({
      game: this.id,
      seat: this.seat,
      name: this.name,
      since: () => this.length,
      changed: (state) => {
        const back = state === "live" && this.connection === "lost";
        this.connection = state;
        if (back) void this.reload();
      },
      heard: (message) => this.heard(message),
    });
  }

  private heard(message: T.Lived): void {
    if (message.kind === "chat") {
      this.talk.hear(message.chat ?? []);
      return;
    }
    if (this.busy) this.missed.push(message);
    else if (this.isNews(message)) void this.catchUpWith(message);
  }

  /** Whether a message says more than the answers to one's own moves have said. */
  private isNews(message: T.Lived): boolean {
    const asked = JSON.stringify(message.undo_asked ?? null) !== JSON.stringify(this.table?.undo_asked ?? null);
    const { length = 0, kind, status } = message;
    return kind === "game" || asked || length > this.length || status !== this.table?.status;
  }

  /** Takes up what a message tells. The events are in it; the table is asked for. */
  private async catchUpWith(message: T.Lived): Promise<void> {
    const { record, table } = this;
    const simple = message.kind === "events" && record && table && message.status === table.status && !this.reloading;
    const events = (message.events ?? []) as T.EventItem[];
    if (!simple) return this.reload();
    const { seat } = this;
    try {
      const shown = await api.table(this.id, seat);
      if (seat !== this.seat || this.reloading) return;
      if (shown.length !== message.length) return await this.reload();
      const { to_act = null } = message;
      this.record = { ...record, to_act, your_turn: this.mySeats.includes(to_act ?? "") };
      await this.take(shown, events);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.reload();
    }
  }

  /** Asks for everything that may have changed. Wishes that come meanwhile are one more round. */
  reload(): Promise<void> {
    if (this.reloading) {
      this.more = true;
      return this.reloading;
    }
    const rounds = async (): Promise<void> => {
      do {
        this.more = false;
        await this.loadAgain();
      } while (this.more);
    };
    this.reloading = rounds().finally(() => (this.reloading = null));
    return this.reloading;
  }

  private async loadAgain(): Promise<void> {
    try {
      this.record = await api.game(this.id);
      // The seat may have been handed to somebody else, or have been taken.
      if (this.seat === null ? this.mySeats.length : !this.mySeats.includes(this.seat)) {
        this.chooseSeat(null);
        await this.lookAs(this.seat);
        return;
      }
      const since = this.length;
      const [table, events] = await Promise.all([api.table(this.id, this.seat), api.events(this.id, this.seat, since)]);
      await this.take(table, events);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.offline) this.tell(error.said, error.rule, true);
    }
  }

  /** Shows what has happened, then the table as it is now. */
  private async take(table: T.TableState, events: T.EventItem[]): Promise<void> {
    const before = this.table?.scene;
    const wasOver = this.over;
    if (table.length < this.length) return;
    const fresh = events.filter((event) => event.n > this.length);
    this.events = joined(this.events, events);
    this.show(table);
    if (before && this.grid && fresh.length && !this.past) await this.animation.play(fresh, before, this.grid);
    if (this.over && !wasOver) {
      // What was secret is told now, and the numbers of a seat's own count give way to those of the log.
      forget(this.id);
      await this.lookAs(this.seat);
      return;
    }
    this.decide();
  }

  /** Lays a table out; what was known about the actions of the one before is of no use any more. */
  private show(table: T.TableState): void {
    this.table = table;
    this.costs = new Map();
    this.abouts.clear();
    this.asking = new Map();
  }

  // Hot seat: the chair follows the turn

  private decide(): void {
    const act = this.table?.to_act ?? null;
    if (act && act !== this.seat && this.mySeats.length > 1 && this.mySeats.includes(act) && !this.past) {
      if (this.presentation.open) void this.sit(act);
      else this.curtain = act;
      return;
    }
    // In a lesson nothing is done for the learner.
    if (this.mine && !this.hold && !this.record?.lesson && recall("autoForced", true)) this.force();
    this.needCosts();
  }

  /** Sits down on another of one's own chairs. */
  async sit(side: string): Promise<void> {
    this.curtain = null;
    if (side === this.seat) return;
    await this.lookAs(side);
  }

  /** Everything anew, through the eyes of a side (or of nobody). */
  private async lookAs(side: string | null): Promise<void> {
    this.seat = side;
    const [table, events] = await Promise.all([api.table(this.id, side), api.events(this.id, side)]);
    this.events = events;
    this.show(table);
    this.overlaysFor = -1;
    this.connect();
    this.decide();
  }

  // Moves

  private force(): void {
    const only = this.table?.actions[0];
    const forced = untrack(() => readChoices(this.table?.actions ?? [], this.verbs, this.onMap));
    if (!only || forced.length !== 1) return;
    const one = forced[0];
    if (!one || (this.table?.can_undo && one.picks.length === 0)) return;
    const label = this.detail ? speak.action(this.detail, only) : only.text;
    this.tell(t("{what}: the only choice", { what: label }), this.table?.prompt.rules[0] ?? "", false);
    void this.send(only, true);
  }

  /**
   * Takes an action; the same one is sent again if the answer was lost, and counts once. `held`: what follows is left
   * to the player even if there is but one way.
   */
  async send(item: T.ActionItem, automatic = false, held = false): Promise<boolean> {
    const { table, seat } = this;
    if (!table || !seat || this.busy || this.past) return false;
    if (!automatic) this.hold = held;
    return this.post((key) => api.move(this.id, seat, table, key, item.action, this.name));
  }

  async undo(): Promise<boolean> {
    const { seat } = this;
    if (!seat || this.busy || this.past || !this.table?.can_undo) return false;
    this.hold = true;
    let done = false;
    // What was chosen for the player goes too: back to his last own choice.
    do {
      const { table } = this;
      done = await this.post((key) => api.undo(this.id, seat, table, key, this.name));
    } while (done && this.mine && this.table.can_undo && this.table.actions.length === 1);
    return done;
  }

  /** Sends a decision. Busy ends before the answer is shown: showing it may send the next one, if that is forced. */
  private async post(request: (key: string) => Promise<T.Moved>): Promise<boolean> {
    this.busy = true;
    const key = newKey();
    let moved: T.Moved;
    try {
      moved = await this.patiently(() => request(key));
    } catch (error) {
      this.busy = false;
      await this.refused(error);
      this.catchUp();
      return false;
    }
    this.busy = false;
    await this.take(moved.table, moved.events);
    this.catchUp();
    return true;
  }

  private async refused(error: unknown): Promise<void> {
    if (!(error instanceof Problem)) throw error;
    if (error.stale) {
      this.tell(t("The game had gone on. Nothing was sent."), "", true);
      await this.reload();
    } else {
      this.tell(error.said, error.rule, true);
      if (error.status === 403) await this.reload();
    }
  }

  /** What was heard while a move was under way is asked for now, unless the next one is under way. */
  private catchUp(): void {
    if (this.busy) return;
    const news = this.missed.filter((message) => this.isNews(message));
    this.missed = [];
    const [only] = news;
    if (only && news.length === 1) void this.catchUpWith(only);
    else if (only) void this.reload();
  }

  private async patiently<R>(request: () => Promise<R>): Promise<R> {
    for (const pause of RETRIES) {
      try {
        return await request();
      } catch (error) {
        const again = error instanceof Problem && (error.offline || error.status === 502 || error.status === 503);
        if (!again) throw error;
        this.connection = "lost";
        await wait(pause);
      }
    }
    return request();
  }

  /** Whether nobody but the computer plays against whoever sits here: then it may be asked for a hint. */
  get alone(): boolean {
    return (this.record?.seats ?? []).every((seat) => seat.you || seat.computer);
  }

  /** Whether the last own decision can only be taken back if the others agree. */
  get mayAskUndo(): boolean {
    const { table } = this;
    return (
      !!this.seat &&
      !this.past &&
      !this.busy &&
      !this.curtain &&
      (table?.status === "running" || table?.status === "open") &&
      table.length > 0 &&
      !table.can_undo &&
      !table.undo_asked &&
      !table.outcome
    );
  }

  async askUndo(): Promise<void> {
    const { seat } = this;
    if (!seat || !this.mayAskUndo) return;
    this.hold = true;
    const asked = await this.quietly(() => api.askUndo(this.id, seat));
    if (!asked) return;
    const before = this.length;
    await this.reload();
    if (!this.table?.undo_asked && this.length !== before) this.tell(t("Taken back."), "", false);
  }

  async answerUndo(yes: boolean): Promise<void> {
    if (!this.seat) return;
    await this.quietly(() => api.answerUndo(this.id, this.seat!, yes));
    await this.reload();
  }

  /** Runs a request; a refusal is said, not thrown. */
  async quietly<R>(request: () => Promise<R>): Promise<R | null> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.tell(error.said, error.rule, true);
      return null;
    }
  }

  tell(said: Said, rule = "", bad = false): void {
    this.notice = { text: this.detail ? speak.say(this.detail, said) : refusalText(said), rule, bad };
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => (this.notice = null), bad ? 7000 : 4000);
  }

  // What there is to know about actions

  /** What the rules tell of an action: all that was asked about it, or what it costs. */
  hintOf(item: T.ActionItem): T.Hint | null {
    return this.abouts.get(item.text)?.hint ?? this.costs.get(item.text) ?? null;
  }

  /** The chances of an action, if they were asked for. */
  oddsOf(item: T.ActionItem): T.OddsTable | null {
    return this.abouts.get(item.text)?.odds ?? null;
  }

  /** Everything about one action, asked for once. */
  about(item: T.ActionItem): Promise<T.About> {
    const { seat, asking, abouts } = this;
    const known = asking.get(item.text);
    if (known) return known;
    if (!seat) return Promise.resolve({ reason: null, hint: null, odds: null });
    const asked = api.about(this.id, seat, item.text);
    asking.set(item.text, asked);
    asked.then(
      (found) => asking === this.asking && abouts.set(item.text, found),
      () => asking.delete(item.text),
    );
    return asked;
  }

  /** Asks about the action under the pointer, when the pointer has come to rest there. */
  tellAbout(item: T.ActionItem): void {
    clearTimeout(this.aboutTimer);
    if (this.asking.has(item.text) || !this.mine) return;
    this.aboutTimer = window.setTimeout(() => {
      if (this.mine && !this.busy) void this.about(item).catch(() => undefined);
    }, REST);
  }

  /** What the listed actions cost is asked for after the table, unless the next action is sent at once: a click on a
   * stack takes up one after another. */
  private needCosts(): void {
    clearTimeout(this.costsTimer);
    this.costsTimer = window.setTimeout(() => void this.askCosts());
  }

  /** What the listed actions cost, where they lie on the map. */
  private async askCosts(): Promise<void> {
    const { seat, asking } = this;
    if (!seat || !this.mine || this.busy || !this.choices.some(({ picks }) => picks.some(({ kind }) => kind === "hex")))
      return;
    try {
      const found = await api.costs(this.id, seat);
      if (asking === this.asking) this.costs = new Map(found.map(({ action, ...cost }) => [action, cost]));
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // the map does without
    }
  }

  // Looking

  /** What can be laid over the map, asked for once a position. */
  async needOverlays(): Promise<void> {
    if (this.overlaysFor === this.length) return;
    this.overlaysFor = this.length;
    const found = (await this.quietly(() => api.overlays(this.id, this.seat))) ?? [];
    // Somebody who watches has two of a kind, one for each side: each gets a name of its own.
    this.overlays = found.map((one, i) =>
      found.findIndex(({ id }) => id === one.id) < i ? { ...one, id: `${one.id}-${i}` } : one,
    );
  }

  /** Looks back at the table after `n` steps, in this seat's count or (from a shared link) the public one; null is the present. */
  async look(n: number | null, shared = false): Promise<void> {
    const wish = ++this.momentWish;
    if (n === null || n >= (shared ? (this.table?.public ?? 0) : this.length)) {
      this.moment = null;
      this.decide();
      return;
    }
    const moment = await this.quietly(() =>
      api.moment(this.id, this.seat, Math.max(0, n), undefined, shared ? "public" : "own"),
    );
    if (wish === this.momentWish && moment) this.moment = moment;
  }
}
