/**
 * What the browser has to do, in a real Chromium: the size of a first visit, and frame times while maps move.
 *
 *   node bench/frames.mjs [ADDRESS] [GAME SCENARIO]
 *
 * ADDRESS is that of a running `sandtable serve`; without one a server with a database of its own is started.
 * Without a game the two with the most hexes are taken. Prints what the first visits to the lobby and to a table
 * download, and the median, the 95th percentile and the longest time between two frames, in milliseconds; beside
 * them the time of the processor that Chromium took a frame, which other work on the machine does not swell.
 * web/scripts/browser.mjs says which Chromium that is.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium as installed } from "../web/scripts/browser.mjs";

const LIMIT = 500_000;
const root = resolve(import.meta.dirname, "..");
const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

/** Starts a server with a database of its own; gives its address and what ends it. */
async function serve() {
  const folder = mkdtempSync(join(tmpdir(), "sandtable-bench-"));
  const own = join(root, ".venv/bin/sandtable");
  const child = spawn(existsSync(own) ? own : "sandtable", ["serve", "--port", "0", "--database-url", `sqlite:///${folder}/bench.db`], {
    env: { ...process.env, SANDTABLE_LOG_LEVEL: "warning", SANDTABLE_LIMITS: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => {
    child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  const address = await new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const found = /http:\/\/[^\s/]+:\d+/.exec(said);
      if (found) done(found[0]);
    });
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
  });
  for (let i = 0; i < 300; i += 1) {
    if ((await fetch(`${address}/health`).catch(() => null))?.ok) return { address, end };
    await new Promise((wait) => setTimeout(wait, 100));
  }
  end();
  throw new Error("the server does not become healthy");
}

const [given, wished, scenario] = process.argv.slice(2);
const server = given ? { address: given, end: () => undefined } : await serve();
const { address } = server;
const browser = await chromium.launch(await installed());
let page;

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

/** A browser that has never been here, and a count of the bytes that it takes in. */
async function fresh() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => localStorage.setItem("sandtable.account", "true"));
  page = await context.newPage();
  const session = await context.newCDPSession(page);
  const taken = { client: 0, data: 0 };
  const requests = new Map();
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ requestId, request }) => requests.set(requestId, new URL(request.url).pathname));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    taken[requests.get(requestId)?.startsWith("/api/") ? "data" : "client"] += encodedDataLength;
  });
  return { context, taken };
}

/** The milliseconds of processor time that Chromium has used until now. */
function cpu() {
  const below = new Map();
  for (const line of execFileSync("ps", ["-A", "-o", "pid=,ppid="]).toString().trim().split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/);
    below.set(parent, [...(below.get(parent) ?? []), pid]);
  }
  let ticks = 0;
  const add = (pid) => {
    for (const child of below.get(pid) ?? []) {
      const file = `/proc/${child}/stat`;
      const stat = existsSync(file) ? readFileSync(file, "utf8") : "";
      if (!/^\d+ \((chrom|headless)/.test(stat)) continue;
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
      add(child);
    }
  };
  add(String(process.pid));
  return ticks * 10;
}

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
  const before = cpu();
  await doing();
  const used = cpu() - before;
  const times = await page.evaluate(() => {
    window.__frames.on = false;
    return window.__frames.times.slice(1);
  });
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1);
  console.log(`${name.padEnd(24)} ${String(times.length).padStart(4)} frames   median ${at(0.5)} ms   p95 ${at(0.95)} ms   longest ${at(1)} ms   processor ${(used / times.length).toFixed(0)} ms a frame`);
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;

/** Opens a new game; says what that took in, and how smoothly its map moves. */
async function table(game) {
  const { context, taken } = await fresh();
  await page.goto(address);
  await ask("POST", "/api/account/guest", { name: "Bench" });
  const seats = Object.fromEntries(game.sides.map((side) => [side, "me"]));
  const { id } = await ask("POST", "/api/games", { game: game.id, scenario: scenario ?? game.scenarios[0].id, seats });
  await page.goto("about:blank");
  Object.assign(taken, { client: 0, data: 0 });
  const session = await context.newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await page.goto(`${address}/#/game/${id}`);
  await page.locator(".map").waitFor({ timeout: 120_000 });
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(2500);
  const counters = await page.locator("g.counters [data-hex] > *").count();
  console.log(`\n${game.title}: ${game.grid.hexes.length} hexes, ${counters} counters drawn, ${await page.locator(".ground *").count()} shapes of the ground`);
  console.log(`first visit to the table: client ${kilobytes(taken.client)}, map and game ${kilobytes(taken.data)}`);
  await measure("standing still", () => page.waitForTimeout(1500));
  await measure("dragging, near", drag);
  await measure("zooming by the wheel", wheel);
  await page.keyboard.press("0");
  await page.waitForTimeout(800);
  await measure("dragging, whole map", drag);
  await context.close();
}

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

try {
  const { context, taken } = await fresh();
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  const over = taken.client > LIMIT ? `, over ${kilobytes(LIMIT)}` : "";
  console.log(`first visit to the lobby: client ${kilobytes(taken.client)}, catalogue and pictures ${kilobytes(taken.data)}${over}`);
  if (over) process.exitCode = 1;
  const games = await ask("GET", "/api/catalogue");
  const details = [];
  for (const { id } of games) if (!wished || id === wished) details.push(await ask("GET", `/api/catalogue/${id}`));
  await context.close();
  details.sort((a, b) => (b.grid?.hexes.length ?? 0) - (a.grid?.hexes.length ?? 0));
  for (const game of details.slice(0, 2)) await table(game);
} finally {
  await browser.close();
  server.end();
}
