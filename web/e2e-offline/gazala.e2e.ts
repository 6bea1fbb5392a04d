/**
 * The page that is its own server: loaded once from a host of static files, which is then shut down. Gazala is played to its
 * end against the computer with the table's own buttons, and the page is loaded again on the way.
 */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromium as installed } from "../scripts/browser.mjs";

const FOLDER = resolve(process.env["SANDTABLE_OFFLINE"] ?? join(import.meta.dirname, "../../dist/offline"));
const SHOTS = process.env["SANDTABLE_SHOTS"];
const KINDS: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};
/** Under a folder, as a host of many pages would have it. */
const HOME = "/some/folder/";
const MINUTE = 60_000;

let host: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let asked = 0;
const complaints: string[] = [];

beforeAll(async () => {
  if (!existsSync(join(FOLDER, "index.html"))) throw new Error(`${FOLDER} is not built: make offline`);
  host = createServer((request, answer) => {
    asked += 1;
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const file = join(FOLDER, path.startsWith(HOME) ? path.slice(HOME.length) || "index.html" : "nowhere");
    if (!file.startsWith(FOLDER) || !existsSync(file) || !statSync(file).isFile()) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": KINDS[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
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
  host?.closeAllConnections();
  await new Promise((done) => host?.close(done));
});

async function shot(name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Waits until the application is there; says why where it is not. */
async function setUp(): Promise<void> {
  const notice = page.locator("#setting-up");
  for (const end = Date.now() + 8 * MINUTE; Date.now() < end;) {
    const text = (await notice.count()) ? ((await notice.textContent()) ?? "") : null;
    if (text === null) return;
    if (!text.startsWith("Setting up")) throw new Error(text);
    await page.waitForTimeout(200);
  }
  throw new Error("the table was not set up in time");
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
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}${HOME}`);
  await setUp();
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: "Gazala", exact: true }) });
  await row.waitFor({ timeout: 3 * MINUTE });
  await shot("lobby");
  expect(await page.getByText("Friend by link").count()).toBe(0);
  // All that the page is made of is kept when its service worker is active.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  host.closeAllConnections();
  await new Promise((done) => host.close(done));
  await context.setOffline(true);
  const before = asked;

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
      await setUp();
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
  expect(asked).toBe(before);
  expect(complaints).toEqual([]);
  console.log(`${done} decisions; the end: ${await page.locator("h1").first().innerText()}`);
});
