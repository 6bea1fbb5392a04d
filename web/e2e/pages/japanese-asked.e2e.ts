/** No English is left in what a player is asked and shown before dice fall, in standing orders, and in asking for a move back. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { About, Advice, GameDetail, GameRecord, TableState } from "../../src/lib/api/types";
import { idle, seated } from "../support/hands";
import { become, japanese, look } from "../support/japanese";
import { chance, move, table } from "../support/play";
import { launch, type Visitor } from "../support/stage";

/** So many decisions are taken at the most, and so many fights on a table looked at. */
const MOST = 220;
const TABLES = 2;

/** What has to be met: fights on an odds table, and the verbs of standing orders. */
const GAMES = [
  { game: "caucasus", scenario: "first_battle", orders: [] },
  { game: "na41", scenario: "s4_first_battle", orders: [] },
  { game: "kasserine", scenario: "s4_first_battle", orders: ["orders"] },
];

describe("in Japanese", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  /** Sits down at the table as it is now. */
  async function sit(page: Page, id: string): Promise<void> {
    await page.evaluate((hash) => (location.hash = hash), `#/game/${id}`);
    await seated(page);
    const curtain = page.locator(".curtain button");
    await page.locator("section.decision[data-mine=true]").or(curtain).first().waitFor();
    if (await curtain.count()) await curtain.first().click();
    await page.locator("section.decision[data-mine=true][aria-busy=false]").waitFor();
    await idle(page);
  }

  /** Leaves the table, which need not follow what is done by script meanwhile. */
  async function leave(page: Page): Promise<void> {
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.locator("main.table").waitFor({ state: "detached" });
  }

  it.each(GAMES)("are fights and orders: $game", { timeout: 500_000 }, async ({ game, scenario, orders }) => {
    const visitor = await japanese(browser);
    const { page } = visitor;
    await become(visitor);
    await page.reload();
    const { sides, verbs } = await visitor.ask<GameDetail>("GET", `/api/catalogue/${game}`);
    const aside = new Set(verbs.filter(({ roles }) => roles?.includes("aside")).map(({ word }) => word));
    const seats = Object.fromEntries(sides.map((side) => [side, "me"]));
    const { id } = await visitor.ask<GameRecord>("POST", "/api/games", { game, scenario, seats });
    const all: Record<string, string[]> = {};
    const printed = new Set<string>();
    /** Verbs that were looked at; those whose chances were, and which of them on a table. */
    const met = new Set<string>();
    const weighed = new Set<string>();
    let onTable = 0;

    async function buttons(state: TableState): Promise<void> {
      const unseen = state.actions.map(({ action }) => action.do).filter((verb) => aside.has(verb) && !met.has(verb));
      if (!unseen.length) return;
      for (const verb of unseen) met.add(verb);
      await sit(page, id);
      const waiting = page.locator("section.decision .aside button");
      for (let i = 0; i < (await waiting.count()); i += 1) {
        await look(visitor, `${state.prompt.phase}: what can be done besides`, all, printed);
        await waiting.nth(i).click();
        await idle(page);
        await look(visitor, `${unseen.join(", ")} (${i})`, all, printed);
        await page.keyboard.press("Escape");
        await waiting.first().waitFor();
      }
      await leave(page);
    }

    async function fights(seat: string, state: TableState): Promise<void> {
      const first = new Map(state.actions.toReversed().map((one) => [one.action.do, one]));
      for (const [verb, { text }] of first) {
        if (met.has(verb)) continue;
        const asked = new URLSearchParams({ seat, action: text });
        const { odds } = await visitor.ask<About>("GET", `/api/games/${id}/about?${asked}`);
        if (!odds) continue;
        met.add(verb);
        await sit(page, id);
        await page.locator("details.sec summary").click();
        const at = state.actions.findIndex((one) => one.text === text);
        await page.locator("details.sec li button").nth(at).click();
        // What is done at once has shown its chances before, beside the question.
        const back = page.locator("section.decision .acts kbd", { hasText: "esc" });
        const shown = page.locator("section.decision .odds").or(back).first();
        await expect.poll(async () => (await shown.count()) || (await length()) !== state.length).toBeTruthy();
        if (!(await shown.count())) return await leave(page);
        weighed.add(verb);
        if (odds.ladder) onTable += 1;
        for (const more of await page.locator("section.decision .odds details:not([open]) summary").all())
          await more.click();
        await look(visitor, `${verb}: what it may lead to`, all, printed);
        for (const turned of (await page.locator("section.decision .odds [role=switch]").all()).slice(0, 3)) {
          await turned.click();
          await idle(page);
        }
        await look(visitor, `${verb}: what was tried out`, all, printed);
        await leave(page);
        if ((await length()) !== state.length) return;
      }
    }
    const length = async (): Promise<number> => (await visitor.ask<GameRecord>("GET", `/api/games/${id}`)).length;
    const wanting = (): boolean => onTable < TABLES || orders.some((verb) => !met.has(verb));

    for (let i = 0; i < MOST && wanting(); i += 1) {
      const { to_act: seat } = await visitor.ask<GameRecord>("GET", `/api/games/${id}`);
      if (!seat) break;
      let state = await table(visitor, id, seat);
      for (const { label } of state.scene.counters ?? []) if (label) printed.add(label);
      await buttons(state);
      await fights(seat, state);
      if ((await length()) !== state.length) continue;
      state = await table(visitor, id, seat);
      // As the computer would play it: by chance alone a battle hardly comes about.
      const advice = await visitor.ask<Advice>("GET", `/api/games/${id}/hint?seat=${seat}`);
      const action = state.actions.find(({ text }) => text === advice.text);
      expect(action, advice.text).toBeDefined();
      await move(visitor, id, seat, state, action!);
    }
    expect(weighed.size).toBeGreaterThan(0);
    expect(onTable).toBeGreaterThan(0);
    expect([...met]).toEqual(expect.arrayContaining(orders));
    expect(all).toEqual({});
    visitor.calm();
    await visitor.leave();
  });

  it("is asking for a move back, and being asked", { timeout: 240_000 }, async () => {
    const all: Record<string, string[]> = {};
    const printed = new Set<string>();
    const labels = (state: TableState): void => {
      for (const { label } of state.scene.counters ?? []) if (label) printed.add(label);
    };
    const [one, other] = [await japanese(browser), await japanese(browser)];
    for (const visitor of [one, other]) await become(visitor);
    const seats = { axis: "me", commonwealth: "open" };
    const wish = { game: "rommel", scenario: "gazala", seats };
    const { id } = await one.ask<GameRecord>("POST", "/api/games", wish);
    await other.ask("POST", `/api/games/${id}/join`, {});
    const random = chance(5);
    const sits = new Map<string, Visitor>([
      ["axis", one],
      ["commonwealth", other],
    ]);
    // Until one of them has done something that he cannot take back alone.
    for (let i = 0; ; i += 1) {
      if (i > 80) throw new Error("nobody could ask");
      const { to_act: seat } = await one.ask<GameRecord>("GET", `/api/games/${id}`);
      const by = sits.get(seat ?? "")!;
      const state = await table(by, id, seat!);
      labels(state);
      await move(by, id, seat!, state, state.actions[Math.floor(random() * state.actions.length)]!);
      const after = await one.ask<GameRecord>("GET", `/api/games/${id}`);
      if (after.to_act === seat || !after.to_act) continue;
      const sorry = await table(by, id, seat!);
      if (sorry.can_undo) continue;
      const asks = by;
      const asked = sits.get(after.to_act)!;
      for (const { page } of [asks, asked]) {
        await page.reload();
        await page.evaluate((hash) => (location.hash = hash), `#/game/${id}`);
        await seated(page);
      }
      for (const [side, visitor] of sits) labels(await table(visitor, id, side));
      const ask = asks.page.locator("section.foot button:enabled").first();
      await ask.waitFor();
      await look(asks, "a decision that may be asked back", all, printed);
      await ask.click();
      await asks.page.locator(".asked").waitFor();
      await look(asks, "somebody has asked for it", all, printed);
      await asked.page.locator(".asked .btn").nth(1).waitFor();
      await look(asked, "somebody is asked for it", all, printed);
      await asked.page.locator(".asked .btn").nth(1).click();
      await asks.page.locator(".asked").waitFor({ state: "detached" });
      await look(asks, "it was refused", all, printed);
      await asks.ask("POST", `/api/games/${id}/undo/ask`, { seat, decisions: 1 });
      await asked.page.locator(".asked .btn").first().click();
      await expect.poll(() => asks.page.locator("section.decision[data-mine=true]").count()).toBe(1);
      for (const visitor of [asks, asked]) await look(visitor, "it was given back", all, printed);
      break;
    }
    expect(all).toEqual({});
    for (const visitor of [one, other]) {
      visitor.calm();
      await visitor.leave();
    }
  });
});
