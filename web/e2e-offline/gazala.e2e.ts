/**
 * The page that is its own server: loaded once from a host of static files, which is then shut down. Gazala is played to its
 * end against the computer with the table's own buttons, and the page is loaded again on the way.
 */
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromium as installed } from "../scripts/browser.mjs";
import { hosted, MINUTE, setUp, type Host } from "./support/host";

const SHOTS = process.env["SANDTABLE_SHOTS"];

let host: Host;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  host = await hosted();
  browser = await chromium.launch(await installed());
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en", reducedMotion: "reduce" });
  page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await host?.shut();
});

async function shot(name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** What ends a part of a turn: chosen more often than not, so that the game gets on. */
const ONWARDS =
  "^(Spend no more|Do not challenge|End|Battles declared|No more|Keep the rest|Assign no more|Accept|Let them go)";

/** One look at the table and at most one press: what was done, or what is waited for. */
function step(onwards: string, random: number): string {
  const over = [...document.querySelectorAll("h1, h2, h3, b, strong, .title")].some((one) =>
    /The game is over/.test(one.textContent ?? ""),
  );
  const decision = document.querySelector("section.decision");
  if (over || /The game is over/.test(decision?.textContent ?? "")) return "over";
  if (decision?.getAttribute("data-mine") !== "true" || decision.getAttribute("aria-busy") !== "false") return "wait";
  const back = [...document.querySelectorAll(".acts button")].some((one) => /^Back/.test(one.textContent ?? ""));
  const main = document.querySelector<HTMLButtonElement>(".acts .main:enabled");
  if (back && main) {
    main.click();
    return `then ${main.textContent}`;
  }
  const list = document.querySelector<HTMLDetailsElement>("details.sec");
  if (list && !list.open) {
    list.querySelector("summary")?.click();
    return "opens";
  }
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("details.sec li button:enabled")];
  const found = (words: RegExp): HTMLButtonElement | undefined =>
    buttons.find((one) => words.test(one.textContent ?? ""));
  const on = found(/^Basic$/) ?? found(/^Spend no more/) ?? (random < 0.6 ? found(new RegExp(onwards)) : undefined);
  const chosen = on ?? buttons[Math.floor(random * buttons.length)];
  chosen?.click();
  return chosen ? `does ${chosen.textContent}` : "wait";
}

test("Gazala is played to its end without a server", async () => {
  await page.goto(host.address);
  await setUp(page, "Setting up");
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: "Gazala", exact: true }) });
  await row.waitFor({ timeout: 3 * MINUTE });
  await shot("lobby");
  expect(await page.getByText("Friend by link").count()).toBe(0);
  // All that the page is made of is kept when its service worker is active.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  await host.shut();
  await context.setOffline(true);
  const before = host.asked;

  await row.getByRole("button", { name: "Axis" }).click();
  await row.getByRole("button", { name: "Play now" }).click();
  await page.locator("main.table").waitFor({ timeout: 3 * MINUTE });
  const table = page.url();

  let seed = 7;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  let done = 0;
  let reloaded = false;
  let said = "";
  for (const end = Date.now() + 20 * MINUTE; Date.now() < end && said !== "over";) {
    said = await page.evaluate(`(${step.toString()})(${JSON.stringify(ONWARDS)}, ${random()})`);
    if (said.startsWith("does")) done += 1;
    if (done === 5 && !reloaded) {
      reloaded = true;
      await page.waitForTimeout(1000);
      await page.reload();
      await setUp(page, "Setting up");
      await page.locator("main.table").waitFor({ timeout: 3 * MINUTE });
      expect(page.url()).toBe(table);
      await shot("again");
    }
    await page.waitForTimeout(said === "wait" ? 100 : 60);
  }
  expect(said).toBe("over");
  expect(reloaded).toBe(true);
  expect(done).toBeGreaterThan(20);
  await shot("over");
  // The whole game is played again for this, by another worker.
  await page.getByRole("link", { name: "How it was decided" }).click();
  await page.getByRole("heading", { name: "How it was reckoned" }).waitFor({ timeout: 5 * MINUTE });
  await shot("decided");
  expect(host.asked).toBe(before);
  expect(complaints).toEqual([]);
  console.log(`${done} decisions; the end: ${await page.locator("h1").first().innerText()}`);
});
