/** No English is left where somebody Japanese opens the page without a server: while it is set up, its lobby, a table, a second tab. */
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latin } from "../e2e/support/latin";
import { chromium as installed } from "../scripts/browser.mjs";
import { hosted, MINUTE, setUp, type Host } from "./support/host";

const SHOTS = process.env["SANDTABLE_SHOTS"];
const SETTING_UP = "ブラウザの中に盤を用意しています";

let host: Host;
let browser: Browser;
let context: BrowserContext;
const all: Record<string, string[]> = {};

beforeAll(async () => {
  host = await hosted();
  browser = await chromium.launch(await installed());
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "ja", reducedMotion: "reduce" });
});

afterAll(async () => {
  await browser?.close();
  await host?.shut();
});

async function look(page: Page, screen: string): Promise<void> {
  let words: string[] = [];
  for (let i = 0; i < 30; i += 1) {
    await page.waitForTimeout(i ? 500 : 250);
    words = await latin(page, new Set(), []);
    if (!words.length) break;
  }
  if (words.length) all[screen] = words;
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `offline-ja-${screen.replace(/\W+/g, "-")}.png`) });
}

test("the page without a server is in Japanese from its first moment", async () => {
  const page = await context.newPage();
  await page.goto(host.address);
  // Its own words come a moment after it.
  await expect.poll(() => page.locator("#setting-up").textContent(), { timeout: MINUTE }).toContain(SETTING_UP);
  await look(page, "setting up");
  await setUp(page, SETTING_UP);
  await page
    .locator("[data-battle]")
    .first()
    .waitFor({ timeout: 3 * MINUTE });
  await look(page, "lobby");

  const second = await context.newPage();
  await second.goto(host.address);
  await expect.poll(() => second.locator("#setting-up").textContent(), { timeout: MINUTE }).toMatch(/タブ/);
  await look(second, "a second tab");
  await second.close();

  await page.locator('[data-battle="rommel"]').click();
  await page.locator("main.table").waitFor({ timeout: 3 * MINUTE });
  await page.locator("dialog .brief").waitFor({ timeout: 3 * MINUTE });
  await look(page, "briefing");
  await page.keyboard.press("Escape");
  await page.locator("section.decision[data-mine=true]").waitFor({ timeout: 3 * MINUTE });
  await look(page, "table");
  expect(all).toEqual({});
});
