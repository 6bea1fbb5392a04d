/** The lobby and the pages around it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe("the lobby", () => {
  it("shows games with map, words and scenarios, and offers a game to anybody", async () => {
    const host = await Visitor.enter(browser);
    await host.open();
    const { page } = host;
    const card = page.locator("article").first();
    await expect.poll(() => card.locator("h3").textContent()).toBe("Rommel in the Desert");
    await expect.poll(() => card.locator("svg image").count()).toBe(1);
    await expect.poll(async () => (await card.locator("p").textContent())?.length).toBeGreaterThan(80);
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(9);
    await expect.poll(() => rows.first().textContent()).toContain("Operation Crusader");

    await page.locator('[data-mode="open"]').click();
    await page.getByRole("button", { name: "3 days a turn" }).click();
    await page.locator('[data-scenario="gazala"]').click();
    const id = await host.gameId();

    const other = await Visitor.enter(browser);
    await other.open();
    const seat = other.page.locator("section", { hasText: "Open seats" }).last();
    await expect.poll(() => seat.textContent()).toContain("3 days a turn");
    await seat.getByRole("button", { name: /Join/ }).first().click();
    expect(await other.gameId()).toBe(id);
    host.calm();
    other.calm();
    await host.leave();
    await other.leave();
  });

  it("makes a game with seats, options, pace and watchers from the dialog", async () => {
    const host = await Visitor.enter(browser);
    await host.open();
    const { page } = host;
    await page.getByRole("button", { name: /Options for Gazala/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator('[data-side="axis"]').selectOption("me");
    await dialog.locator('[data-side="commonwealth"]').selectOption("me");
    await dialog.getByLabel(/Infantry tanks are slow/).check();
    await dialog.getByLabel("Who may watch").selectOption("players");
    await dialog.getByLabel(/^Name/).fill("Behind closed doors");
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create game" }).click();
    const record = await host.ask<Record<string, unknown>>("GET", `/api/games/${await host.gameId()}`);
    expect(record).toMatchObject({ name: "Behind closed doors", watch: "players", options: { infantry_tanks: true } });
    host.calm();
    await host.leave();
  });

  it("hands a seat over in mid-game, to the computer and back by a link", async () => {
    const host = await Visitor.enter(browser);
    await host.open();
    const { page } = host;
    await page.locator('[data-mode="hotseat"]').click();
    await page.locator('[data-scenario="gazala"]').click();
    const id = await host.gameId();
    await page.getByRole("button", { name: "Menu" }).click();
    const seat = async (): Promise<Record<string, unknown>> =>
      (await host.ask<{ seats: Record<string, unknown>[] }>("GET", `/api/games/${id}`)).seats.find(
        ({ side }) => side === "commonwealth",
      ) ?? {};
    const hand = page.locator('[data-hand="commonwealth"]');
    await hand.selectOption("planner");
    await page.getByRole("button", { name: "Hand over", exact: true }).click();
    await expect.poll(seat).toMatchObject({ computer: "planner" });
    await hand.selectOption("invite");
    await page.getByRole("button", { name: "Hand over", exact: true }).click();
    const shown = page.getByLabel("Invite link for the Commonwealth seat");
    await expect.poll(() => shown.inputValue()).toContain("#/join/");
    const link = await shown.inputValue();
    const friend = await Visitor.enter(browser);
    await friend.page.goto(link);
    await friend.page.getByRole("button", { name: "Take the Commonwealth seat" }).click();
    expect(await friend.gameId()).toBe(id);
    await expect.poll(seat).toMatchObject({ account: expect.any(String) as string });
    host.calm();
    friend.calm();
    await host.leave();
    await friend.leave();
  });

  it("keeps accounts: a guest becomes one, leaves and comes back", async () => {
    const visitor = await Visitor.enter(browser);
    await visitor.open();
    const { page } = visitor;
    const name = `Quartermaster ${Date.now() % 100000}`;
    async function form(): Promise<void> {
      await page.locator("[data-account]").click();
      await page.getByRole("button", { name: "Sign in or register" }).click();
    }
    await form();
    await page.getByRole("group", { name: "Account" }).getByText("New account").click();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect.poll(() => page.locator("[data-account]").textContent()).toContain(name);
    await page.locator("[data-account]").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(() => page.locator("[data-account]").textContent()).toContain("Guest");
    visitor.calm();

    visitor.cut = true; // a refused log-in is told in the console by the browser itself
    await form();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill("a wrong password");
    await page.getByRole("dialog").locator("form button").click();
    await expect.poll(() => page.getByRole("alert").count()).toBe(1);
    visitor.cut = false;
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("dialog").locator("form button").click();
    await expect.poll(() => page.locator("[data-account]").textContent()).toContain(name);
    visitor.calm();
    await visitor.leave();
  });
});

describe("the pages around it", () => {
  it("opens the rulebook at a rule, and searches it with /", async () => {
    const reader = await Visitor.enter(browser);
    await reader.open("#/rules/rommel/9.5b");
    const { page } = reader;
    await page.locator('[data-rule="9.5b"].target').waitFor();
    expect(await page.locator('[data-rule="9.5b"]').isVisible()).toBe(true);
    await page.keyboard.press("/");
    await page.keyboard.type("half hit elite");
    await expect.poll(() => page.locator(".hit").count()).toBeGreaterThan(0);
    await page.keyboard.press("Enter");
    await page.locator('[data-rule="9.52c"].target').waitFor();
    expect(page.url()).toContain("#/rules/rommel/9.52c");
    reader.calm();
    await reader.leave();
  });

  it("speaks Japanese, and remembers theme, palette and language", async () => {
    const visitor = await Visitor.enter(browser);
    await visitor.open("#/settings");
    const { page } = visitor;
    await page.getByRole("radio", { name: "Dark" }).check();
    await page.getByRole("radio", { name: /Colour-blind safe/ }).check();
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    await expect.poll(() => page.locator("html").getAttribute("data-palette")).toBe("cvd");
    await page.getByRole("radio", { name: "日本語" }).check();
    await expect.poll(() => page.locator("h1").textContent()).toBe("設定");
    await page.getByRole("link", { name: "プレイ" }).click();
    await expect.poll(() => page.locator("article h3").first().textContent()).toBe("砂漠のロンメル");
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("ja");

    // The rulebook too: at a rule, and found by a word in kana.
    await visitor.open("#/rules/kasserine/3.95a");
    await page.locator('[data-rule="3.95a"].target').waitFor();
    expect(await page.locator('[data-rule="3.95a"]').textContent()).toContain("自動的に回復する");
    expect(await page.locator("h3").first().textContent()).toContain("はじめに");
    await page.keyboard.press("/");
    await page.keyboard.insertText("オーバーラン");
    await expect.poll(() => page.locator(".hit mark").first().textContent()).toBe("オーバーラン");
    visitor.calm();
    await visitor.leave();
  });

  for (const [theme, palette] of [
    ["light", "standard"],
    ["dark", "standard"],
    ["light", "cvd"],
    ["dark", "cvd"],
  ] as const) {
    it(`has no serious fault for axe-core, ${theme} ${palette}`, async () => {
      const visitor = await Visitor.enter(browser, { theme, palette });
      // A whole rulebook takes long to look through: once is enough for its words, the colours are everywhere the same.
      const book = theme === "dark" && palette === "cvd" ? ["#/rules", "#/rules/rommel/4.1"] : [];
      for (const hash of ["", "#/games", "#/watch", "#/settings", ...book]) {
        await visitor.open(hash);
        await visitor.page.waitForLoadState("networkidle");
        expect(await faults(visitor.page), hash).toEqual([]);
      }
      visitor.calm();
      await visitor.leave();
    });
  }
});
