/** Alone against the computer: begun in two clicks, played through a whole turn. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventItem } from "../../src/lib/api/types";
import { act, getOn, idle, mine, seated } from "../support/hands";
import { anybody, chance } from "../support/play";
import { launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it("begins a game against the computer in two clicks and plays a whole turn", { timeout: 300_000 }, async () => {
  const player = await Visitor.enter(browser);
  await player.open();
  const { page } = player;
  await page.getByRole("group", { name: "Your side in Gazala" }).getByRole("button", { name: "Axis" }).click();
  await page.locator('[data-scenario="gazala"]').click();
  const id = await player.gameId();
  await seated(page);

  const told = async (): Promise<EventItem[]> => anybody(`/api/games/${id}/events?seat=spectator&since=0`);
  const turns = async (): Promise<string[]> =>
    (await told()).filter(({ event }) => event === "turn").map(({ side }) => side ?? "");
  const choose = getOn(chance(11), 0.15);
  const taken: string[] = [];
  // The Axis begins: its turn, then that of the computer, then it is asked again.
  while ((await turns()).length < 3 && taken.length < 120) {
    await expect.poll(() => mine(page), { timeout: 90_000, interval: 60 }).toBe(true);
    taken.push(await act(page, choose));
  }
  const sides = await turns();
  expect(new Set(sides.slice(0, 2))).toEqual(new Set(["axis", "commonwealth"]));
  expect(taken.length).toBeGreaterThanOrEqual(3);

  // Everything is in the log, under headings.
  await page.getByRole("tab", { name: "Log" }).click();
  await expect.poll(() => page.locator(".log h3").count()).toBeGreaterThan(0);

  // The forces over time are drawn.
  await page.getByRole("tab", { name: "Forces" }).click();
  await expect.poll(() => page.locator("figure path.line").count()).toBeGreaterThanOrEqual(6);

  // A rule number opens the rulebook at its place.
  await expect.poll(() => mine(page), { timeout: 90_000 }).toBe(true); // the computer may still be moving
  await idle(page);
  const chip = page.locator("section.decision .chip").first();
  const rule = await chip.textContent();
  await chip.click();
  await page.locator(`[data-rule="${rule}"]`).first().waitFor();
  await page.keyboard.press("Escape");
  player.calm();
  await player.leave();
});

it("takes one click more than none: the card of the game begins it too", async () => {
  const player = await Visitor.enter(browser);
  await player.open();
  await player.page.locator("[data-game]").first().click();
  await seated(player.page);
  const { seats } = await player.ask<{ seats: { you?: boolean; computer?: string | null }[] }>(
    "GET",
    `/api/games/${await player.gameId()}`,
  );
  expect(seats.filter((seat) => seat.you).length).toBe(1);
  expect(seats.filter((seat) => seat.computer).length).toBe(1);
  player.calm();
  await player.leave();
});
