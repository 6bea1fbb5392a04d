/**
 * Frame times of the browser table while the map is dragged and zoomed, in a real Chromium.
 *
 *   node bench/frames.mjs ADDRESS [GAME SCENARIO]
 *
 * ADDRESS is that of a running `sandtable serve`. Without a game the one with the most hexes is taken.
 * Prints the median, the 95th percentile and the longest time between two frames, in milliseconds.
 */
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [address = "http://127.0.0.1:8000", wished, scenario] = process.argv.slice(2);
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
await context.addInitScript(() => localStorage.setItem("sandtable.account", "true"));
const page = await context.newPage();
await page.goto(address);

const ask = (method, path, body = null) =>
  page.evaluate(
    async ([how, where, what]) => {
      const init = { method: how, headers: { "x-sandtable": "1", "content-type": "application/json" } };
      if (what !== null) init.body = JSON.stringify(what);
      const answer = await fetch(where, init);
      if (!answer.ok) throw new Error(`${where}: ${answer.status}`);
      return answer.json();
    },
    [method, path, body],
  );

await ask("POST", "/api/account/guest", { name: "Bench" });
const games = await ask("GET", "/api/catalogue");
const details = await Promise.all(games.filter(({ id }) => !wished || id === wished).map(({ id }) => ask("GET", `/api/catalogue/${id}`)));
const largest = details.sort((a, b) => (b.grid?.hexes.length ?? 0) - (a.grid?.hexes.length ?? 0))[0];
const seats = Object.fromEntries(largest.sides.map((side) => [side, "me"]));
const { id } = await ask("POST", "/api/games", { game: largest.id, scenario: scenario ?? largest.scenarios[0].id, seats });
await page.goto(`${address}/#/game/${id}`);
await page.reload();
await page.locator(".map").waitFor({ timeout: 60_000 });
await page.waitForLoadState("networkidle");

/** Frame times while something is being done. */
async function measure(name, doing) {
  await page.evaluate(() => {
    const times = [];
    let last = performance.now();
    const tick = (now) => {
      times.push(now - last);
      last = now;
      window.__frames.on && requestAnimationFrame(tick);
    };
    window.__frames = { on: true, times };
    requestAnimationFrame(tick);
  });
  await doing();
  const times = await page.evaluate(() => {
    window.__frames.on = false;
    return window.__frames.times.slice(1);
  });
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1);
  console.log(`${name.padEnd(24)} ${String(times.length).padStart(4)} frames   median ${at(0.5)} ms   p95 ${at(0.95)} ms   longest ${at(1)} ms`);
}

await page.waitForTimeout(2500);
const counters = await page.locator("g.counters [data-hex] > *").count();
console.log(`${largest.title}: ${largest.grid.hexes.length} hexes, ${counters} counters drawn, ${await page.locator(".ground *").count()} shapes of the ground`);
const middle = { x: 560, y: 460 };
const drag = async () => {
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  for (let i = 0; i < 120; i += 1) {
    const turn = (i / 120) * 2 * Math.PI;
    await page.mouse.move(middle.x + 320 * Math.sin(turn), middle.y + 220 * Math.sin(2 * turn));
  }
  await page.mouse.up();
};
const wheel = async () => {
  await page.mouse.move(middle.x, middle.y);
  for (let i = 0; i < 40; i += 1) await page.mouse.wheel(0, i < 20 ? 60 : -60);
  await page.waitForTimeout(200);
};
await measure("standing still", () => page.waitForTimeout(1500));
await measure("dragging, near", drag);
await measure("zooming by the wheel", wheel);
await page.keyboard.press("0");
await page.waitForTimeout(800);
await measure("dragging, whole map", drag);
await browser.close();
