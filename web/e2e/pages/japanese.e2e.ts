/** No English is left in the Japanese page: every screen is walked through, and its Latin words are listed; axe-core looks too. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContestDetail, GameRecord, GameSummary } from "../../src/lib/api/types";
import { seated } from "../support/hands";
import { become, japanese, look } from "../support/japanese";
import { lettered } from "../support/latin";
import { chance, move, table } from "../support/play";
import { launch, type Visitor } from "../support/stage";

const GAMES = ["rommel", "caucasus", "na41", "kasserine", "asl"];

/** The end of a look back, as the server sends it. */
function lookedBack(game: string, sides: readonly string[]): string {
  const point = (n: number, at: number): object => ({
    n,
    chance: at,
    low: at - 0.1,
    high: at + 0.1,
    luck: 0.1,
    label: "",
    lost: [n, 0],
  });
  const analysis = {
    game,
    sides,
    ended: true,
    winner: sides[0],
    luck: 0.2,
    better: 0.9,
    rolls: 12,
    weighed: 9,
    lost: "",
    points: [point(1, 0.4), point(20, 0.7), point(40, 0.9)],
    turning: [{ start: 1, end: 20, before: 0.4, after: 0.7, luck: 0.1 }],
    choices: [{ n: 9, side: sides[1], cost: 0.2, margin: 0.1, label: "", played: [], preferred: [""], why: [""] }],
    fortunes: [{ n: 12, luck: 0.1, text: "" }],
  };
  return `${JSON.stringify({ analysis, problem: null, done: 3, todo: 3 })}\n`;
}

describe("in Japanese", () => {
  let browser: Browser;
  let games: GameSummary[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function enter(): Promise<Visitor> {
    const visitor = await japanese(browser);
    games = await visitor.ask<GameSummary[]>("GET", "/api/catalogue");
    return visitor;
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
    await page.locator(".find input[type=search]").fill("ロンメル");
    await look(visitor, "what is found by a word", all);
    await page.locator(".find input[type=search]").fill("");
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
      await visitor.page.locator("main .book input[type=search]").fill("移動");
      await visitor.page.locator(".hit mark").first().waitFor();
      await look(visitor, `what is found in the rules of ${id}`, all);
      await visitor.page.locator("main .book input[type=search]").fill("");
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
    const signs = page.locator("section.drawer .sign button[aria-pressed]");
    for (let tab = 0; tab < 4; tab += 1) {
      await page.locator("section.drawer [role=tab]").nth(tab).click();
      if (tab === 2) for (const button of await signs.all()) await button.click();
      await look(visitor, `legend ${tab}`, all, printed);
    }
    await page.keyboard.press("Escape");
    await look(visitor, "all that can be laid over the map", all, printed);
    await page.keyboard.press("k");
    await page.locator("section.drawer [role=tab]").nth(2).click();
    for (const button of await signs.all())
      if ((await button.getAttribute("aria-pressed")) === "true") await button.click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("a");
    await page.locator("section.card").waitFor();
    await look(visitor, "card", all, printed);
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await look(visitor, "ruler", all, printed);
    const bar = page.locator("section.panel.bar");
    await bar.locator("[role=radio]").nth(1).click();
    await look(visitor, "arrow", all, printed);
    await bar.locator("[role=radio]").nth(2).click();
    await page.locator(".map").focus();
    await page.keyboard.press("Enter");
    await bar.locator("input").waitFor();
    await look(visitor, "a note that is written", all, printed);
    await bar.locator("input").fill("ここを守る");
    await page.keyboard.press("Enter");
    await bar.locator(".share button:enabled").first().click();
    await bar.locator(".share button").nth(2).waitFor();
    await look(visitor, "a drawing that is shown", all, printed);
    await bar.locator("[role=radio]").nth(3).click();
    await look(visitor, "rubber", all, printed);
    await bar.locator("button").last().click();
    await page.keyboard.press("p");
    await page.keyboard.press("Escape");
    if (await page.locator("[data-hint]:enabled").count()) {
      await page.locator("[data-hint]").click();
      await page.locator(".advice, .ask [role=alert]").first().waitFor({ timeout: 120_000 });
      for (const list of await page.locator(".advice details summary").all()) await list.click();
      await look(visitor, "hint", all, printed);
      await page.locator(".advice .btn").last().click();
    }
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
    await page.getByRole("button", { name: "ダイスを検算する" }).click();
    await page.locator("[data-verdict]").waitFor();
    await look(visitor, "end", all, printed);
    await visitor.open(`#/analysis/${id}`);
    await page.locator("h1, h2").first().waitFor();
    await page.waitForTimeout(1500); // it goes on for long: what it says meanwhile is looked at
    await look(visitor, "analysis", all, printed);
    // What it comes to is told of a game that was looked back at elsewhere.
    await page.route(/\/analysis/, (route) => route.fulfill({ body: lookedBack(game, info.sides) }));
    await page.reload();
    await page.locator("#chance").waitFor();
    await look(visitor, "a look back", all, printed);
    await visitor.open(`#/end/${id}`);
    await page.locator("#turned").waitFor({ timeout: 120_000 });
    await look(visitor, "turning points", all, printed);
    expect(all).toEqual({});
    await visitor.leave();
  });
});
