/** Drawings on a phone: the pens come from its menu, arrows are drawn by finger, and what somebody shows is brought into sight. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { seated } from "../support/hands";
import { spots, type Spot } from "../support/map";
import { faults, launch, Visitor } from "../support/stage";

const PHONE = { width: 390, height: 844 };

let browser: Browser;
let one: Visitor;
let other: Visitor;
let id = "";

async function sit(visitor: Visitor, name: string): Promise<void> {
  await visitor.open();
  await visitor.ask("POST", "/api/account/guest", { name });
  await visitor.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
}

const shot = (page: Page, name: string): Promise<unknown> =>
  page.screenshot({ path: join(inject("shots"), `drawn-${name}.png`) });

beforeAll(async () => {
  browser = await launch();
  [one, other] = [await Visitor.enter(browser, PHONE), await Visitor.enter(browser, PHONE)];
  await sit(one, "Ann");
  await sit(other, "Bob");
  const seats = { axis: "me", commonwealth: "open" };
  ({ id } = await one.ask<{ id: string }>("POST", "/api/games", { game: "rommel", scenario: "gazala", seats }));
  await other.ask("POST", `/api/games/${id}/join`, {});
  for (const { page } of [one, other]) {
    await page.goto(`${page.url().split("#")[0]}#/game/${id}`);
    await page.reload();
    await seated(page);
    await page.getByRole("region", { name: "Briefing" }).getByRole("button", { name: "Close" }).tap();
  }
});
afterAll(() => browser.close());

it("are made by finger, with pens from the menu, and lie where the other one looks", async () => {
  const { page } = one;
  await page.locator(".fab .main").tap();
  await page.locator(".fab").getByRole("button", { name: "Ruler, arrows, notes" }).tap();
  // The menu lies over nothing of what it has opened.
  await expect.poll(() => page.locator(".fab.open").count()).toBe(0);
  const bar = page.getByRole("region", { name: "Drawing for yourself" });
  await bar.getByRole("radio", { name: "Arrow" }).tap();
  await page.waitForTimeout(400);
  const seen = await spots(one, "rommel");
  const [from, to] = ends(seen);
  for (const { x, y } of [seen.get(from)!, seen.get(to)!]) await page.touchscreen.tap(x, y);
  await expect.poll(() => page.locator(".sketch .head:not(.faint)").count()).toBe(1);
  expect(await faults(page)).toEqual([]);
  await shot(page, "by-finger");
  await bar.getByRole("button", { name: "Show the table" }).tap();
  await other.page.locator(".sketch .theirs .head").waitFor({ state: "attached" });
  await expect.poll(async () => sees(await spots(other, "rommel"), [from, to])).toBe(true);
  await shot(other.page, "shown");
});

it("are brought into sight once, and again by a button", async () => {
  const { page } = other;
  const { grid } = await other.ask<{ grid: { hexes: { id: string; x: number; y: number }[] } }>(
    "GET",
    "/api/catalogue/rommel",
  );
  // Two hexes that stand farthest from what is seen now.
  const seen = await spots(other, "rommel");
  const middle = grid.hexes.find((hex) => seen.has(hex.id))!;
  const far = grid.hexes.toSorted(
    (a, b) => Math.hypot(b.x - middle.x, b.y - middle.y) - Math.hypot(a.x - middle.x, a.y - middle.y),
  )[0]!;
  const next = grid.hexes
    .filter((hex) => hex !== far)
    .toSorted((a, b) => Math.hypot(a.x - far.x, a.y - far.y) - Math.hypot(b.x - far.x, b.y - far.y))[0]!;
  expect(seen.has(far.id)).toBe(false);
  await one.ask("POST", `/api/games/${id}/drawing`, { arrows: [{ start: far.id, end: next.id }], notes: [] });
  const both = async (): Promise<boolean> => sees(await spots(other, "rommel"), [far.id, next.id]);
  await expect.poll(both).toBe(true);
  const there = page.getByRole("button", { name: "Look there" });
  expect(await there.count()).toBe(0);
  // Away from it, as somebody goes on with his own affairs: nothing pulls him back.
  await page.evaluate(() => location.reload());
  await seated(page);
  await there.waitFor();
  expect(await both()).toBe(false);
  expect(await faults(page)).toEqual([]);
  await shot(page, "away");
  await there.tap();
  await expect.poll(both).toBe(true);
  await expect.poll(() => there.count()).toBe(0);
  await shot(page, "there");
  for (const visitor of [one, other]) visitor.calm();
});

/** Two hexes some way apart in the free middle of the map. */
function ends(seen: ReadonlyMap<string, Spot>): [string, string] {
  const near = (x: number, y: number): string =>
    [...seen].reduce((a, b) => (Math.hypot(b[1].x - x, b[1].y - y) < Math.hypot(a[1].x - x, a[1].y - y) ? b : a))[0];
  return [near(160, 290), near(300, 360)];
}

const sees = (seen: ReadonlyMap<string, Spot>, hexes: readonly string[]): boolean =>
  hexes.every((hex) => seen.has(hex));
