/** No English is left in the Japanese page: every screen is walked through, and its Latin words are listed; axe-core looks too. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContestDetail, ContestRecord, GameRecord, GameSummary } from "../../src/lib/api/types";
import { seated } from "../support/hands";
import { latin, lettered } from "../support/latin";
import { chance, move, table } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";

const GAMES = ["rommel", "caucasus", "na41", "kasserine", "asl"];

describe("in Japanese", () => {
  let browser: Browser;
  let games: GameSummary[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function enter(width = 1440): Promise<Visitor> {
    const visitor = await Visitor.enter(browser, { language: "ja", width, height: width < 500 ? 844 : 900 });
    await visitor.context.addInitScript(() => localStorage.setItem("sandtable.language", '"ja"'));
    await visitor.open();
    games = await visitor.ask<GameSummary[]>("GET", "/api/catalogue");
    return visitor;
  }

  async function become(visitor: Visitor): Promise<void> {
    await visitor.ask("POST", "/api/account/guest", { name: "Mara" });
    await visitor.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  }

  /** The names that people gave to themselves and to their games, the longest first. */
  async function given(visitor: Visitor): Promise<string[]> {
    const found = new Set<string>();
    for (const list of ["open", "watch"])
      for (const game of await visitor.ask<GameRecord[]>("GET", `/api/games?list=${list}`)) {
        if (game.name !== game.scenario_title) found.add(game.name);
        for (const seat of game.seats) if (seat.holder) found.add(seat.holder);
      }
    for (const contest of await visitor.ask<ContestRecord[]>("GET", "/api/contests"))
      found.add(contest.name).add(contest.organiser);
    return [...found].sort((a, b) => b.length - a.length);
  }

  /** Looks at a screen, at its words and at what keeps some from using it; texts of a game come a moment after it. */
  async function look(
    visitor: Visitor,
    screen: string,
    all: Record<string, string[]>,
    printed: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    let words: string[] = [];
    for (let i = 0; i < 20; i += 1) {
      await visitor.page.waitForTimeout(i ? 500 : 250);
      words = await latin(visitor.page, printed, await given(visitor));
      if (!words.length) break;
    }
    if (words.length) all[screen] = words;
    // A whole rulebook takes long to look through: it has a test of its own.
    if (screen.startsWith("rules of")) return;
    const barriers = await faults(visitor.page);
    if (barriers.length) all[`${screen}, to be used by everybody`] = barriers;
  }

  it("are the lobby and the pages around it", async () => {
    const visitor = await enter();
    const { page } = visitor;
    const all: Record<string, string[]> = {};
    await page.locator("article h3").first().waitFor();
    await look(visitor, "lobby of a stranger", all);
    await page.locator("[data-account]").click();
    await look(visitor, "menu of a stranger", all);
    await page.locator("button.item").first().click();
    await page.locator("dialog").waitFor();
    await look(visitor, "signing in", all);
    await page.locator("dialog label, dialog [role=radio]").nth(1).click();
    await look(visitor, "a new account", all);
    await page.keyboard.press("Escape");
    await become(visitor);
    await page.reload();
    await page.locator("article h3").first().waitFor();
    for (const { id } of games) {
      const card = page.locator("article", { has: page.locator(`[data-game="${id}"]`) });
      if (!(await card.getAttribute("class"))?.includes(" on")) await card.locator("h3").click();
      await page.locator("tbody tr").first().waitFor();
      await look(visitor, `lobby: ${id}`, all);
      await page.locator("tbody .more").first().click();
      await page.locator("dialog").waitFor();
      await look(visitor, `options: ${id}`, all);
      await page.keyboard.press("Escape");
    }
    const pages = [
      "#/games",
      "#/watch",
      "#/club",
      "#/club/none",
      "#/friends",
      "#/person/none",
      "#/rules",
      "#/settings",
    ];
    for (const hash of [...pages, "#/nowhere", "#/join/nobody"]) {
      await visitor.open(hash);
      await page.locator("h1").first().waitFor();
      await look(visitor, hash, all);
    }
    expect(all).toEqual({});
    await visitor.leave();
  });

  it("are the rulebooks", async () => {
    const visitor = await enter();
    const all: Record<string, string[]> = {};
    for (const { id } of games) {
      await visitor.open(`#/rules/${id}`);
      await visitor.page.locator("[data-rule]").first().waitFor();
      await look(visitor, `rules of ${id}`, all);
    }
    expect(all).toEqual({});
    await visitor.leave();
  });

  it("are the pages of people and of their club", { timeout: 240_000 }, async () => {
    const all: Record<string, string[]> = {};
    const [visitor, other] = [await enter(), await enter()];
    const number = Date.now() % 1_000_000;
    for (const [one, name] of [
      [visitor, `田中${number}`],
      [other, `鈴木${number}`],
    ] as const) {
      await one.ask("POST", "/api/account/register", { name, password: "a long password" });
      await one.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
      await one.page.reload();
    }
    const { page } = visitor;
    const info = games[0]!;
    const scenario = info.scenarios[0]!.id;
    const seats = { [info.sides[0]!]: "me", [info.sides[1]!]: "open" };
    for (let i = 0; i < 2; i += 1) {
      const wish = { game: info.id, scenario, seats, rated: true, pace: 3 };
      const { id } = await visitor.ask<GameRecord>("POST", "/api/games", wish);
      await other.ask("POST", `/api/games/${id}/join`, {});
      await other.ask("POST", `/api/games/${id}/resign`, {});
    }
    const { token } = await visitor.ask<{ token: string }>("POST", "/api/friends/link", {});
    await other.open(`#/friend/${token}`);
    await other.page.locator("[data-ask]").waitFor();
    await look(other, "a friend's link", all);
    await other.page.locator("[data-ask]").click();
    await look(other, "a friend who was asked", all);
    await visitor.open("#/settings");
    await page.locator("h1").first().waitFor();
    await page.locator("input[type=email]").fill("tanaka@example.org");
    await page
      .locator("form", { has: page.locator("input[type=email]") })
      .locator("button")
      .click();
    await page.locator("input[autocomplete=one-time-code]").waitFor();
    await look(visitor, "settings of an account, with an address to be confirmed", all);
    await visitor.open("#/friends");
    await page.locator("[data-asks]").waitFor();
    await look(visitor, "who asks to be a friend", all);
    await page.locator("[data-asks] .btn.p").click();
    await page.locator("[data-friend]").waitFor();
    await look(visitor, "friends", all);
    await visitor.open(`#/person/${encodeURIComponent(`鈴木${number}`)}`);
    await page.locator("[data-rating]").waitFor();
    await look(visitor, "a profile", all);
    await page.locator(".head .btn.p").click();
    await page.locator("dialog [data-rated]").check();
    await look(visitor, "a challenge", all);
    await page.keyboard.press("Escape");
    await visitor.open();
    await page.locator("[data-friend]").waitFor();
    await page.locator("details summary").first().click();
    await look(visitor, "friends and open seats in the lobby", all);
    await visitor.open("#/club");
    await page.locator(".head .btn.p").click();
    for (const form of ["single", "double", "knockout"]) {
      await page.locator("[data-form]").selectOption(form);
      await look(visitor, `a new contest: ${form}`, all);
    }
    await page.keyboard.press("Escape");
    for (const form of ["single", "knockout"]) {
      const wish = { name: `春の大会${number}`, game: info.id, scenario, form, pace: 7, rated: true };
      const { contest } = await visitor.ask<ContestDetail>("POST", "/api/contests", wish);
      for (const one of [visitor, other]) await one.ask("POST", `/api/contests/${contest.id}/enter`, {});
      await visitor.open(`#/club/${contest.id}`);
      await page.locator('[data-status="gathering"]').waitFor();
      await look(visitor, `${form} before its start`, all);
      await visitor.ask("POST", `/api/contests/${contest.id}/start`, {});
      await page.reload();
      await page.locator('[data-status="running"]').waitFor();
      await look(visitor, `${form} under way`, all);
      await other.ask("POST", `/api/contests/${contest.id}/leave`, {});
      await page.reload();
      await page.locator('[data-status="finished"]').waitFor();
      await look(visitor, `${form} that is over`, all);
    }
    expect(all).toEqual({});
    await visitor.leave();
    await other.leave();
  });

  it.each(GAMES)("is the table of %s, from the briefing to the end", { timeout: 400_000 }, async (game) => {
    const visitor = await enter();
    const { page } = visitor;
    await become(visitor);
    const all: Record<string, string[]> = {};
    const info = games.find(({ id }) => id === game)!;
    const seats = Object.fromEntries(info.sides.map((side) => [side, "me"]));
    const wish = { game, scenario: info.scenarios[0]!.id, seats };
    const { id } = await visitor.ask<{ id: string }>("POST", "/api/games", wish);
    // Some decisions, so that the log has something to tell.
    const random = chance(5);
    /** Designations as they are printed on counters stand below them too. */
    const printed = new Set<string>();
    for (let i = 0; i < 40; i += 1) {
      const { to_act: seat } = await visitor.ask<GameRecord>("GET", `/api/games/${id}`);
      if (!seat) break;
      const state = await table(visitor, id, seat);
      for (const { label } of state.scene.counters ?? []) if (label) printed.add(label);
      await move(visitor, id, seat, state, state.actions[Math.floor(random() * state.actions.length)]!);
    }
    await visitor.open(`#/game/${id}`);
    await page.reload();
    await seated(page);
    const curtain = page.locator(".curtain button");
    if (await curtain.count()) await curtain.first().click();
    await look(visitor, "table", all, printed);
    await page.keyboard.press("b");
    await page.locator("dialog .brief").waitFor();
    await look(visitor, "briefing", all, printed);
    expect(await lettered(page, "dialog .brief image")).toEqual([]);
    const called = await page.locator("dialog .brief svg text").allTextContents();
    expect(called.filter((name) => /[a-z]{2}/.test(name))).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.locator("section.keys").waitFor();
    await look(visitor, "keys", all, printed);
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    for (let tab = 0; tab < 4; tab += 1) {
      await page.locator("section.drawer [role=tab]").nth(tab).click();
      await look(visitor, `legend ${tab}`, all, printed);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("a");
    await page.locator("section.card").waitFor();
    await look(visitor, "card", all, printed);
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await look(visitor, "ruler", all, printed);
    await page.keyboard.press("r");
    const tabs = page.locator(".side-p .tabs [role=tab]");
    for (const [at, name] of [
      [1, "chat"],
      [3, "forces"],
      [2, "rules"],
      [0, "log"],
    ] as const) {
      await tabs.nth(at).click({ force: true });
      await look(visitor, name, all, printed);
      if (name === "rules") await page.keyboard.press("Escape");
    }
    await page.locator(".bar button").last().click();
    await look(visitor, "menu", all, printed);
    await page.keyboard.press("Escape");
    const loser = info.sides[0]!;
    await visitor.ask("POST", `/api/games/${id}/resign`, { seat: loser });
    await visitor.open(`#/end/${id}`);
    await page.locator("#reckoned").waitFor({ timeout: 120_000 });
    await look(visitor, "end", all, printed);
    await visitor.open(`#/analysis/${id}`);
    await page.locator("h1, h2").first().waitFor();
    await page.waitForTimeout(1500); // it goes on for long: what it says meanwhile is looked at
    await look(visitor, "analysis", all, printed);
    expect(all).toEqual({});
    await visitor.leave();
  });
});
