import type { TableState } from "../../src/lib/api/types";
/** Two people and somebody who watches: from the invitation to the replay. */
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { act, getOn, idle, mine, seated, whoActs } from "../support/hands";
import { chance, record } from "../support/play";
import { address, arrivals, faults, launch, Visitor, type Payload } from "../support/stage";

describe("a game between friends", () => {
  let browser: Browser;
  let host: Visitor;
  let guest: Visitor;
  let id = "";
  let save = "";
  const choose = getOn(chance(5));

  beforeAll(async () => {
    browser = await launch();
    host = await Visitor.enter(browser);
    guest = await Visitor.enter(browser);
  });
  afterAll(() => browser.close());

  const length = async (): Promise<number> => (await record(id)).length;

  it("is made, and a friend joins by the link in a second browser", async () => {
    await host.open();
    await host.page.locator('[data-mode="friend"]').click();
    await host.page.getByRole("group", { name: "Your side in Gazala" }).getByRole("button", { name: "Axis" }).click();
    await host.page.locator('[data-scenario="gazala"]').click();
    await expect.poll(() => host.page.locator("[data-invite]").inputValue()).toContain("#/join/");
    const link = await host.page.locator("[data-invite]").inputValue();
    await host.page.getByRole("link", { name: "To the table" }).click();
    id = await host.gameId();
    await seated(host.page);

    await guest.page.goto(link);
    await guest.page.getByRole("button", { name: "Take the Commonwealth seat" }).click();
    expect(await guest.gameId()).toBe(id);
    await seated(guest.page);
    const { status, seats } = await record(id);
    expect(status).toBe("running");
    expect(seats.every((seat) => seat.holder)).toBe(true);
  });

  it("is played from both seats, live", { timeout: 240_000 }, async () => {
    const acted = new Set<Visitor>();
    for (let i = 0; i < 14 || acted.size < 2; i += 1) {
      const visitor = await whoActs([host, guest]);
      if (!visitor || i > 60) break;
      acted.add(visitor);
      await act(visitor.page, choose);
    }
    expect(acted.size).toBe(2);
  });

  it("gives decisions back", { timeout: 240_000 }, async () => {
    for (let i = 0; i < 40; i += 1) {
      const visitor = await whoActs([host, guest]);
      if (!visitor) throw new Error("the game is over");
      const can = await visitor.page.evaluate(() =>
        [...document.querySelectorAll<HTMLButtonElement>("section.foot button:enabled")].some(({ textContent }) =>
          /^\s*Undo/.test(textContent ?? ""),
        ),
      );
      if (can) {
        const before = await length();
        await visitor.page.keyboard.press("u");
        // What was undone stays in the log as such: the log grows.
        await expect.poll(length).toBeGreaterThan(before);
        await idle(visitor.page);
        for (const { page } of [host, guest]) {
          await page.getByRole("tab", { name: "Log" }).click();
          await expect.poll(() => page.locator(".log").textContent()).toContain("taken back");
        }
        return;
      }
      await act(visitor.page, choose);
    }
    throw new Error("nothing could be undone in forty decisions");
  });

  it("gives back what cannot be taken back alone, if the other side agrees", { timeout: 240_000 }, async () => {
    for (let i = 0; i < 60; i += 1) {
      const visitor = await whoActs([host, guest]);
      if (!visitor) throw new Error("the game is over");
      const other = visitor === host ? guest : host;
      const ask = other.page.getByRole("button", { name: "Ask for undo" });
      // The one who has just ended his part is sorry; the other one has to agree.
      if (await ask.count()) {
        const before = await length();
        await ask.click();
        await other.page.getByText("You have asked to take back the last decision.").first().waitFor();
        await visitor.page.getByText(/asks to take back the last decision/).waitFor();
        await visitor.page.getByRole("button", { name: "Refuse" }).click();
        await visitor.page.getByText(/asks to take back the last decision/).waitFor({ state: "detached" });
        expect(await length()).toBe(before);
        await ask.click();
        await visitor.page.getByRole("button", { name: "Agree" }).click();
        await expect.poll(length).toBeGreaterThan(before);
        await expect.poll(() => mine(other.page)).toBe(true);
        await expect.poll(() => mine(visitor.page)).toBe(false);
        return;
      }
      await act(visitor.page, choose);
    }
    throw new Error("nobody could ask");
  });

  it("has table talk for both, and notes for one", async () => {
    for (const visitor of [host, guest]) await visitor.page.getByRole("tab", { name: "Chat" }).click();
    await host.page.getByLabel("Say something to the table").fill("The road to Tobruk is open");
    await host.page.keyboard.press("Enter");
    await expect.poll(() => guest.page.getByRole("log").textContent()).toContain("The road to Tobruk is open");
    await guest.page.getByLabel("Say something to the table").fill("<b>We</b> shall see");
    await guest.page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => host.page.getByRole("log").textContent()).toContain("<b>We</b> shall see");

    await host.page.getByRole("button", { name: "Private notes" }).click();
    await host.page.getByLabel("Private notes").fill("Bir Hacheim first");
    await expect.poll(() => host.page.getByText("Kept", { exact: true }).count()).toBe(1);
    await host.page.reload();
    await seated(host.page);
    await host.page.getByRole("tab", { name: "Chat" }).click();
    await host.page.getByRole("button", { name: "Private notes" }).click();
    await expect.poll(() => host.page.getByLabel("Private notes").inputValue()).toBe("Bir Hacheim first");
  });

  it("can be watched, without anybody's secrets", async () => {
    const watcher = await Visitor.enter(browser);
    await watcher.open(`#/game/${id}`);
    await seated(watcher.page);
    await expect
      .poll(() => watcher.page.locator("section.decision .caps").first().textContent())
      .toBe("You are watching");
    expect(await watcher.page.locator("summary").count()).toBe(0);
    const table = await watcher.ask<{ actions: unknown[]; scene: { counters: { hidden?: boolean; hex?: string }[] } }>(
      "GET",
      `/api/games/${id}/table`,
    );
    expect(table.actions).toEqual([]);
    expect(table.scene.counters.filter((counter) => counter.hex && counter.hidden).length).toBeGreaterThan(20);
    watcher.calm();
    await watcher.leave();
  });

  it("goes on after a lost connection", { timeout: 240_000 }, async () => {
    for (let i = 0; (await whoActs([host, guest])) !== host; i += 1) {
      if (i > 60) throw new Error("the host never gets to decide");
      await act(guest.page, choose);
    }
    guest.cut = true;
    await guest.context.setOffline(true);
    const heard = arrivals();
    const since = (): Payload[] => guest.payloads.filter((payload) => payload.order > heard);
    for (let i = 0; i < 3 && (await mine(host.page)); i += 1) await act(host.page, choose);
    // Cut off, the other browser hears nothing of it.
    expect(since().filter(({ body }) => body.includes('"length"'))).toEqual([]);
    await guest.context.setOffline(false);
    await expect.poll(() => guest.page.getByText("Connection lost").count(), { timeout: 30_000 }).toBe(0);
    guest.cut = false;
    // In the guest's own count, which holds what it does in secret too.
    const { length: now } = await guest.ask<TableState>("GET", `/api/games/${id}/table?seat=commonwealth`);
    const told = (): boolean => since().some(({ body }) => body.includes(`"length":${now}`));
    await expect.poll(told, { timeout: 20_000 }).toBe(true);
    await whoActs([host, guest]);
  });

  it("has no serious fault for axe-core at the table", async () => {
    expect(await faults(host.page)).toEqual([]);
  });

  it("ends by resignation, and the dice can be checked", async () => {
    const page = guest.page;
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Resign for good" }).click();
    await expect.poll(async () => (await record(id)).status).toBe("finished");
    await expect.poll(() => host.page.getByText("Axis wins").count()).toBeGreaterThan(0);
    await host.page.getByRole("button", { name: "Check the dice" }).click();
    await host.page.getByRole("dialog").getByRole("button", { name: "Check the dice" }).click();
    await host.page.locator('[data-verdict="fair"]').waitFor();
  });

  it("is saved from the menu", async () => {
    const waiting = host.page.waitForEvent("download");
    await host.page.getByRole("button", { name: "Save file" }).click();
    const file = await (await waiting).path();
    save = file;
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ game: "rommel", scenario: "gazala" });
    await host.page.keyboard.press("Escape");
  });

  it("can be gone through again, step by step, with a link to any moment", async () => {
    const page = host.page;
    const slider = page.getByRole("slider", { name: "Step of the game" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => slider.getAttribute("aria-valuenow")).toBe("0");
    await expect.poll(() => page.getByText("Looking back").count()).toBe(1);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.url()).toMatch(/\/at\/\d+/);
    const url = page.url();
    const other = await Visitor.enter(browser);
    await other.page.goto(url.replace(/\?seat=.*/, ""));
    await seated(other.page);
    await expect.poll(() => other.page.getByText("Looking back").count()).toBe(1);
    other.calm();
    await other.leave();
    await page.getByRole("button", { name: /Back to the present/ }).click();
    await expect.poll(() => page.getByText("Looking back").count()).toBe(0);
  });

  it("comes back from its save as a game of its own", async () => {
    await host.open("#/games");
    await host.page
      .locator('input[type="file"]')
      .setInputFiles({ name: "game.jsonl", mimeType: "application/jsonl", buffer: readFileSync(save) });
    await host.page.waitForURL((url) => url.href.startsWith(`${address}/#/game/`) && !url.href.includes(id));
    const again = await host.gameId();
    await seated(host.page);
    const [first, second] = [
      await record(id),
      await host.ask<Awaited<ReturnType<typeof record>>>("GET", `/api/games/${again}`),
    ];
    expect(second).toMatchObject({ status: "finished", scenario: first.scenario, outcome: first.outcome });
    expect(await mine(host.page)).toBe(false);
  });

  it("has gone without a complaint of either browser", () => {
    host.calm();
    guest.calm();
  });
});
