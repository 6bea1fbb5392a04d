/** Accounts with each other: a rated game, both profiles, friends by link, and a league of three to its table. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContestDetail } from "../../src/lib/api/types";
import { seated } from "../support/hands";
import { address, faults, launch, Visitor } from "../support/stage";

describe("people", () => {
  let browser: Browser;
  const names = ["Ann", "Bob", "Cleo"].map((name) => `${name} ${Date.now() % 1_000_000}`);
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await launch();
    for (const [n, name] of names.entries()) {
      const visitor = await Visitor.enter(browser, n === 1 ? { width: 390, height: 844 } : {});
      await visitor.open();
      await visitor.ask("POST", "/api/account/register", { name, password: "a long password" });
      await visitor.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
      await visitor.page.reload();
      visitors.push(visitor);
    }
  });
  afterAll(() => browser.close());

  it("offer a rated game, play it, and have ratings", async () => {
    const [ann, bob] = visitors as [Visitor, Visitor, Visitor];
    await ann.page.locator('[data-mode="open"]').click();
    await ann.page.getByRole("checkbox", { name: "Rated" }).check();
    await ann.page.locator('[data-scenario="gazala"]').click();
    const id = await ann.gameId();
    await bob.page.reload();
    const seat = bob.page.locator(`[data-open="${id}"]`);
    await expect.poll(() => seat.textContent()).toMatch(/3 days a turn, rated/);
    await bob.page.getByText("Filter", { exact: true }).click();
    await bob.page.locator('[data-sieve="pace"]').selectOption("1");
    await expect.poll(() => seat.count()).toBe(0);
    await bob.page.locator('[data-sieve="pace"]').selectOption("3");
    await seat.getByRole("button", { name: /Join/ }).click();
    expect(await bob.gameId()).toBe(id);
    await seated(bob.page);
    await bob.ask("POST", `/api/games/${id}/resign`, {});

    for (const [visitor, rating] of [
      [ann, "1662 ±290"],
      [bob, "1338 ±290"],
    ] as const) {
      await visitor.open(`#/person/${encodeURIComponent(names[visitors.indexOf(visitor)] ?? "")}`);
      await expect.poll(() => visitor.page.locator("[data-rating]").first().textContent()).toBe(rating);
      await expect.poll(() => visitor.page.locator("#results ~ table tbody tr").count()).toBe(1);
      expect(await faults(visitor.page)).toEqual([]);
    }
  });

  it("become friends by a link, and one challenges the other", async () => {
    const [ann, bob] = visitors as [Visitor, Visitor, Visitor];
    await ann.open("#/friends");
    const field = ann.page.locator("[data-link]");
    await expect.poll(() => field.inputValue()).toContain("#/friend/");
    await bob.page.goto(await field.inputValue());
    await bob.page.locator("[data-ask]").click();
    await bob.page.getByText("You have asked; the other one has to agree.").waitFor();
    expect(await faults(bob.page)).toEqual([]);
    await ann.open();
    await ann.page.locator(`[data-asks="${names[1]}"]`).getByRole("button", { name: /Agree/ }).click();
    await ann.page
      .locator(`[data-friend="${names[1]}"]`)
      .getByRole("button", { name: /Challenge/ })
      .click();
    await ann.page.getByRole("dialog").locator("[data-rated]").check();
    expect(await faults(ann.page)).toEqual([]);
    await ann.page.getByRole("dialog").getByRole("button", { name: "Create game" }).click();
    const id = await ann.gameId();
    await bob.open();
    const mine = bob.page.locator(`[data-open="${id}"]`);
    await expect.poll(() => mine.textContent()).toContain("For you");
    await expect.poll(() => mine.textContent()).toContain("1662 ±290");
    await mine.getByRole("button", { name: /Decline/ }).click();
    await expect.poll(() => mine.count()).toBe(0);
  });

  it("play a league of three to its table", async () => {
    const [ann, bob, cleo] = visitors as [Visitor, Visitor, Visitor];
    await ann.open("#/club");
    await ann.page.getByRole("button", { name: "New league or tournament" }).click();
    await ann.page.getByRole("dialog").getByLabel("Name").fill("Three in the desert");
    expect(await faults(ann.page)).toEqual([]);
    await ann.page.getByRole("dialog").getByRole("button", { name: "Make it" }).click();
    await ann.page.waitForURL(/#\/club\/\w+/);
    const link = await ann.page.locator("[data-link]").inputValue();
    expect(link).toContain(address);
    for (const visitor of [ann, bob, cleo]) {
      await visitor.page.goto(link);
      await visitor.page.getByRole("button", { name: "Take part" }).click();
      await expect.poll(() => visitor.page.getByRole("button", { name: "Leave" }).count()).toBe(1);
    }
    await ann.page.reload();
    await ann.page.getByRole("button", { name: "Start" }).click();
    await ann.page.locator('[data-status="running"]').waitFor();
    const path = `/api/contests/${/club\/(\w+)/.exec(link)?.[1]}`;
    for (let round = 0; round < 3; round += 1) {
      // The game of the next meeting is made a moment after the last result.
      const open = async (): Promise<ContestDetail["meetings"][number] | undefined> =>
        (await ann.ask<ContestDetail>("GET", path)).meetings.find((one) => one.game_id && !one.result);
      await expect.poll(open).toBeTruthy();
      const now = (await open())!;
      // Ann wins all of hers, and Bob against Cleo.
      const loser = Math.max(names.indexOf(now.first), names.indexOf(now.second ?? ""));
      if (round === 2) {
        // What did not take place is settled by whoever runs it.
        await ann.page.reload();
        const wins = names.indexOf(now.first) < loser ? "first" : "second";
        await ann.page.locator(`[data-settle="${now.n}"]`).selectOption(wins);
      } else {
        await visitors[loser]!.ask("POST", `/api/games/${now.game_id}/resign`, {});
        const going = async (): Promise<number> => (await ann.ask<ContestDetail>("GET", path)).contest.round;
        await expect.poll(going).toBe(round + 2);
      }
    }
    await ann.page.locator('[data-status="finished"]').waitFor();
    await expect.poll(() => ann.page.getByText(`Won by ${names[0]}`).count()).toBe(1);
    const lines = await ann.page.locator("tbody tr").allTextContents();
    expect(lines.map((line) => names.findIndex((name) => line.includes(name)))).toEqual([0, 1, 2]);
    expect(await faults(ann.page)).toEqual([]);
    await bob.page.reload();
    await bob.page.locator("tbody tr").first().waitFor();
    const wide = await bob.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(wide).toBe(true);
    expect(await faults(bob.page)).toEqual([]);
  });

  it("play a knock-out of three, and give a game up at the table", async () => {
    const [ann, bob, cleo] = visitors as [Visitor, Visitor, Visitor];
    await ann.open("#/club");
    await ann.page.getByRole("button", { name: "New league or tournament" }).click();
    await ann.page.getByRole("dialog").getByLabel("Name").fill("One stays");
    await ann.page.locator("[data-form]").selectOption("knockout");
    await ann.page.getByRole("dialog").getByRole("button", { name: "Make it" }).click();
    await ann.page.waitForURL(/#\/club\/\w+/);
    const link = await ann.page.locator("[data-link]").inputValue();
    for (const visitor of [ann, bob, cleo]) {
      await visitor.page.goto(link);
      await visitor.page.getByRole("button", { name: "Take part" }).click();
      await expect.poll(() => visitor.page.getByRole("button", { name: "Leave" }).count()).toBe(1);
    }
    await ann.page.reload();
    await ann.page.getByRole("button", { name: "Start" }).click();
    await ann.page.locator('[data-status="running"]').waitFor();
    const path = `/api/contests/${/club\/(\w+)/.exec(link)?.[1]}`;
    // Each pair plays twice, with sides swapped.
    for (let played = 1; played <= 4; played += 1) {
      // The game of the next meeting is made a moment after the last result.
      const open = async (): Promise<ContestDetail["meetings"][number] | undefined> =>
        (await ann.ask<ContestDetail>("GET", path)).meetings.find((one) => one.game_id && !one.result);
      await expect.poll(open).toBeTruthy();
      const now = (await open())!;
      const loser = visitors[Math.max(names.indexOf(now.first), names.indexOf(now.second ?? ""))]!;
      await loser.open(`#/game/${now.game_id}`);
      await seated(loser.page);
      await loser.page.getByRole("button", { name: "Menu" }).click();
      await loser.page.getByRole("button", { name: "Resign", exact: true }).click();
      await loser.page.getByRole("button", { name: "Resign for good" }).click();
      const done = async (): Promise<number> =>
        (await ann.ask<ContestDetail>("GET", path)).meetings.filter((one) => one.game_id && one.result).length;
      await expect.poll(done).toBe(played);
    }
    await expect.poll(async () => (await ann.ask<ContestDetail>("GET", path)).contest.status).toBe("finished");
    await ann.page.goto(link);
    await ann.page.reload();
    await ann.page.locator('[data-status="finished"]').waitFor();
    await expect.poll(() => ann.page.getByText(`Won by ${names[0]}`).count()).toBe(1);
    expect(await faults(ann.page)).toEqual([]);
  });

  it("have gone without a complaint of any browser", () => {
    for (const visitor of visitors) visitor.calm();
  });
});
