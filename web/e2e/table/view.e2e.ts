/** What is looked at: the camera keeps the player's zoom, far counters say little, the hand of cards covers nothing. */
import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { TableState } from "../../src/lib/api/types";
import { idle, seated } from "../support/hands";
import { spots } from "../support/map";
import { table, until } from "../support/play";
import { launch, Visitor } from "../support/stage";

const zoom = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Number(/scale\(([\d.]+)\)/.exec(document.querySelector<HTMLElement>(".world")!.style.transform)![1]),
  );

/** Waits until the map stands still. */
async function still(page: Page): Promise<number> {
  let last = -1;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await zoom(page);
        return before === last;
      },
      { interval: 350 },
    )
    .toBe(true);
  return last;
}

async function enter(browser: Browser, options: Parameters<typeof Visitor.enter>[1] = {}): Promise<Visitor> {
  const player = await Visitor.enter(browser, options);
  await player.open();
  await player.ask("POST", "/api/account/guest", { name: "Jonas" });
  await player.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  return player;
}

async function sit(player: Visitor, id: string): Promise<void> {
  await player.open(`#/game/${id}`);
  await player.page.reload();
  await seated(player.page);
  await player.page.waitForLoadState("networkidle");
}

describe("the view", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  const shot = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(inject("shots"), `${name}.png`) });

  it("does not drift out: what was moved away to show a reach comes back to the player's zoom", async () => {
    const player = await enter(browser, { width: 1024, height: 768 });
    const { page } = player;
    const moving = ({ prompt, actions }: TableState): boolean =>
      prompt.phase === "movement" && actions.some(({ action }) => action.do === "group");
    const { id, seat } = await until(player, moving);
    await sit(player, id);
    await page.keyboard.press("+"); // the player's own zoom
    const own = await still(page);
    for (let round = 0; round < 4; round += 1) {
      const places = await spots(player, "rommel");
      const { actions } = await table(player, id, seat);
      const groups = actions.filter(({ action }) => action.do === "group" && places.has(action["hex"] ?? ""));
      const at = places.get(groups[round % groups.length]!.action["hex"]!)!;
      await page.mouse.click(at.x, at.y);
      await idle(page);
      const unit = (await table(player, id, seat)).actions.find(({ action }) => action.do === "move")?.action["unit"];
      if (unit) await page.locator(`.counters [data-unit="${unit}"]`).first().click({ force: true });
      await idle(page);
      await still(page);
      // Back, step by step, to where nothing is chosen.
      for (let i = 0; i < 6 && !moving(await table(player, id, seat)); i += 1) {
        await page.keyboard.press("Escape");
        await idle(page);
        await page.waitForTimeout(80);
      }
      expect(await still(page)).toBeCloseTo(own, 2);
    }
    await shot(page, "view-zoom");
    player.calm();
    await player.leave();
  });

  it("shows far counters with one number, and fewer names", async () => {
    const player = await enter(browser);
    const { page } = player;
    const seats = { axis: "me", allied: "me" };
    const wish = { game: "na41", scenario: "s3_crusader", seats };
    const { id } = await player.ask<{ id: string }>("POST", "/api/games", wish);
    await sit(player, id);
    const seen = (): Promise<{ most: number; names: number; numbers: number }> =>
      page.evaluate(() => ({
        most: Math.max(
          ...[...document.querySelectorAll(".counters [data-unit]")].map((one) => one.querySelectorAll("text").length),
        ),
        names: document.querySelectorAll(".names text").length,
        numbers: document.querySelectorAll(".numbers text").length,
      }));
    const press = async (key: string): Promise<void> => {
      const before = await zoom(page);
      await page.keyboard.press(key);
      await expect.poll(() => zoom(page)).not.toBe(before);
    };
    for (let i = 0; i < 2; i += 1) await press("+");
    await still(page);
    const near = await seen();
    while ((await zoom(page)) > 0.36) await press("-");
    await still(page);
    await expect.poll(async () => (await seen()).most).toBe(1);
    const far = await seen();
    expect(near.most).toBeGreaterThan(2);
    expect(far.names).toBeLessThan(near.names);
    expect(far.numbers).toBe(0);
    await shot(page, "view-far");
    player.calm();
    await player.leave();
  });

  it.each([
    [1440, 900],
    [1024, 768],
  ])("keeps the hand of cards off minimap and timeline, %i × %i; what is played is lifted", async (width, height) => {
    const player = await enter(browser, { width, height });
    const { page } = player;
    const { id } = await until(player, ({ prompt, actions }) => prompt.phase === "option" && actions.length > 3);
    await sit(player, id);
    const cards = page.locator(".hand .card");
    await expect.poll(() => cards.count()).toBeGreaterThan(3);
    /** Where a card is seen in place of something else: looked at from point to point. */
    const covers = (): Promise<string[]> =>
      page.evaluate(() =>
        [".mini svg", ".tl", ".bottom", ".side-p"].filter((name) => {
          const { left, top, width, height } = document.querySelector(name)!.getBoundingClientRect();
          const parts = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98];
          return parts.some((x) =>
            parts.some((y) => document.elementFromPoint(left + x * width, top + y * height)?.closest(".card")),
          );
        }),
      );
    expect(await covers()).toEqual([]);
    expect(await page.locator(".hand .card.up").count()).toBe(0);
    const low = await cards.first().evaluate((one) => one.getBoundingClientRect().top);
    // An option that costs cards is chosen, not yet taken.
    await page.locator("section.decision").getByText("Offensive", { exact: true }).first().click();
    await expect.poll(() => page.locator(".hand .card.up").count()).toBe(2);
    const up = await page
      .locator(".hand .card.up")
      .first()
      .evaluate((one) => one.getBoundingClientRect().top);
    expect(up).toBeLessThan(low - 20);
    expect(await covers()).toEqual([]);
    // And none of it lies under the panel.
    expect(
      await page.evaluate(() => {
        const edge = Math.max(
          ...[...document.querySelectorAll(".hand .card")].map((one) => one.getBoundingClientRect().right),
        );
        return edge - document.querySelector(".side-p")!.getBoundingClientRect().left;
      }),
    ).toBeLessThanOrEqual(0);
    await shot(page, `view-hand-${width}`);
    player.calm();
    await player.leave();
  });
});
