/** The briefing before the first move, and the page at the end of a game, by keyboard alone. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { address, faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it("is briefed, resigns, and reads how it was decided", { timeout: 240_000 }, async () => {
  const player = await Visitor.enter(browser);
  await player.open();
  const { page } = player;
  await player.ask("POST", "/api/account/guest", { name: "Ending" });
  const wish = { game: "kasserine", scenario: "s0_learning", seats: { axis: "me", allied: "me" } };
  const { id } = await player.ask<{ id: string }>("POST", "/api/games", wish);
  await page.goto(`${address}/#/game/${id}`);
  await page.locator("main.table").waitFor();

  // The briefing opens and shuts by its key.
  await page.keyboard.press("b");
  await page.locator("dialog .brief").waitFor();
  expect(await page.locator("dialog .brief .aim").count()).toBe(2);
  await expect.poll(() => page.locator("dialog .brief .asked > li").count()).toBeGreaterThan(3);
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog .brief").count()).toBe(0);

  await player.ask("POST", `/api/games/${id}/resign`, { seat: "axis" });
  const link = page.getByRole("link", { name: "How it was decided" });
  await link.waitFor();
  await link.focus();
  await page.keyboard.press("Enter");
  await page.locator("#reckoned").waitFor();
  expect(await page.locator("h1").textContent()).toBe("Allied wins");
  await expect.poll(() => page.locator("figure path.line").count()).toBeGreaterThanOrEqual(4);
  expect(await page.locator("li.decides").count()).toBe(0);
  expect(await faults(page)).toEqual([]);

  // The same again, with the other side.
  await page.getByRole("button", { name: "Rematch, sides swapped" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("main.table").waitFor();
  expect(await player.gameId()).not.toBe(id);
  player.calm();
  await player.leave();
});
