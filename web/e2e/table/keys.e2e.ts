/** A whole first battle without a mouse: from the lobby by hints to its end, won, and how it was decided. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { playByHints, tabTo } from "../support/keys";
import { faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** All five, for whoever has the time (SANDTABLE_BATTLES=all). */
const GAMES =
  process.env["SANDTABLE_BATTLES"] === "all" ? ["caucasus", "rommel", "na41", "kasserine", "asl"] : ["caucasus"];

it.each(GAMES)("is won by keys alone: %s", { timeout: 900_000 }, async (game) => {
  const player = await Visitor.enter(browser);
  await player.open();
  const { page } = player;
  await page.locator(`[data-battle="${game}"]`).waitFor();
  await tabTo(page, `[data-battle="${game}"]`);
  await page.keyboard.press("Enter");
  await page.locator("dialog .brief").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog .brief").count()).toBe(0);
  const followed = await playByHints(page, 400);
  await page.screenshot({ path: join(inject("shots"), `keys-${game}-over.png`) });
  await tabTo(page, '.end a[href^="#/end/"]');
  await page.keyboard.press("Enter");
  await page.locator("#reckoned").waitFor({ timeout: 120_000 });
  await page.screenshot({ path: join(inject("shots"), `keys-${game}-end.png`), fullPage: true });
  expect(await page.locator(".own").textContent()).toBe("You have won.");
  expect(followed).toBeGreaterThan(1);
  expect(await faults(page)).toEqual([]);
  player.calm();
  await player.leave();
});
