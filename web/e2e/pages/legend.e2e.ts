/** What is this? Cards, the legend and the glossary, in every game: by mouse, by keys and by touch. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GameSummary } from "../../src/lib/api/types";
import { idle, seated } from "../support/hands";
import { faults, launch, Visitor } from "../support/stage";

const GAMES = ["rommel", "caucasus", "na41", "kasserine", "asl"];

/** A new game of both sides at one browser, with its table open. */
async function sit(visitor: Visitor, game: string): Promise<string> {
  const all = await visitor.ask<GameSummary[]>("GET", "/api/catalogue");
  const info = all.find(({ id }) => id === game)!;
  const seats = Object.fromEntries(info.sides.map((side) => [side, "me"]));
  const wish = { game, scenario: info.scenarios[0]!.id, seats };
  const { id } = await visitor.ask<{ id: string }>("POST", "/api/games", wish);
  await visitor.open(`#/game/${id}`);
  await visitor.page.reload();
  await seated(visitor.page);
  return id;
}

/** A point of the map with a counter that nothing covers. */
async function counter(page: Page): Promise<{ x: number; y: number }> {
  await idle(page);
  const found = await page.waitForFunction(() => {
    const middle = (node: Element): { x: number; y: number } => {
      const box = node.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    return [...document.querySelectorAll(".layers [data-unit]")]
      .map(middle)
      .find(({ x, y }) => document.elementFromPoint(x, y)?.closest(".layers [data-unit]"));
  });
  return (await found.jsonValue())!;
}

describe("what things are", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function enter(width = 1440): Promise<Visitor> {
    const visitor = await Visitor.enter(browser, { width, height: width < 500 ? 844 : 900 });
    await visitor.open();
    await visitor.ask("POST", "/api/account/guest", { name: "Mara" });
    await visitor.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
    return visitor;
  }

  it.each(GAMES)("has a legend of map, counters, overlays and words: %s", async (game) => {
    const visitor = await enter();
    const { page } = visitor;
    await sit(visitor, game);
    await page.keyboard.press("k");
    const drawer = page.getByRole("region", { name: "Legend" });
    await drawer.getByRole("tab", { name: "Map", selected: true }).waitFor();
    await expect.poll(() => drawer.locator(".ground svg image").count()).toBeGreaterThan(2);
    expect(await drawer.locator(".ground .chip").count()).toBeGreaterThan(5);
    expect(await faults(page)).toEqual([]);
    await drawer.getByRole("tab", { name: "Counters" }).click();
    await expect.poll(() => drawer.locator(".sign").count()).toBeGreaterThan(5);
    expect(await drawer.locator("ol li").count()).toBeGreaterThan(2);
    await drawer.getByRole("tab", { name: "Glossary" }).click();
    expect(await drawer.locator("dt").count()).toBeGreaterThanOrEqual(15);
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    visitor.calm();
    await visitor.leave();
  });

  it.each(["rommel", "na41"])("tells of a counter that the other button presses: %s", async (game) => {
    const visitor = await enter();
    const { page } = visitor;
    await sit(visitor, game);
    const at = await counter(page);
    await page.mouse.click(at.x, at.y, { button: "right" });
    const card = page.getByRole("region", { name: "What this is" });
    await card.locator("ol li").first().waitFor();
    const first = game === "rommel" ? "combat value" : "attack strength";
    expect(await card.locator("ol").first().innerText()).toContain(first);
    expect(await faults(page)).toEqual([]);
    // A rule of the card opens the book there.
    const chip = card.locator("ol .chip").first();
    const rule = await chip.innerText();
    await chip.click();
    await page.locator(`.side-p .drawer [data-rule="${rule}"].target`).waitFor();
    visitor.calm();
    await visitor.leave();
  });

  it("tells by keys alone, and gives the keys back", async () => {
    const visitor = await enter();
    const { page } = visitor;
    await sit(visitor, "caucasus");
    await page.keyboard.press("ArrowRight");
    await page.locator(".cursor").first().waitFor();
    await page.keyboard.press("a");
    const card = page.getByRole("region", { name: "What this is" });
    await card.locator(".ground").first().waitFor();
    expect(await card.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
    // Without anything under the keys the next press asks.
    await page.keyboard.press("Escape");
    await page.mouse.move(5, 5);
    await page.keyboard.press("a");
    await page.getByText("Press on a counter or a hex to be told what it is.").waitFor();
    await page.keyboard.press("0");
    const at = await counter(page);
    await page.mouse.click(at.x, at.y);
    await card.waitFor();
    visitor.calm();
    await visitor.leave();
  });

  it("explains the words of the rules, in the log and in the book", async () => {
    const visitor = await enter();
    const { page } = visitor;
    await sit(visitor, "na41");
    const word = page.locator(".log [data-term]").first();
    await word.click();
    const gloss = page.locator(".gloss");
    await gloss.waitFor();
    expect((await gloss.innerText()).length).toBeGreaterThan(20);
    await page.keyboard.press("Escape");
    await gloss.waitFor({ state: "hidden" });
    // A line that has the keys is asked by the same key as the map.
    await page
      .locator(".log .t")
      .filter({ has: page.locator("[data-term]") })
      .first()
      .focus();
    await page.keyboard.press("a");
    await gloss.waitFor();
    await gloss.locator(".chip").click();
    await page.locator(".side-p .drawer .rule.target").waitFor();
    await page.locator(".side-p .drawer .rule button.term").first().click();
    await gloss.waitFor();
    expect(await faults(page)).toEqual([]);
    visitor.calm();
    await visitor.leave();
  });

  it("tells by a long press on a phone, and has the legend there", async () => {
    const visitor = await enter(390);
    const { page } = visitor;
    await sit(visitor, "rommel");
    const at = await counter(page);
    await page.evaluate(({ x, y }) => {
      const node = document.elementFromPoint(x, y)!;
      const how = { bubbles: true, cancelable: true, clientX: x, clientY: y, pointerType: "touch", pointerId: 1 };
      node.dispatchEvent(new PointerEvent("pointerdown", how));
    }, at);
    const card = page.getByRole("region", { name: "What this is" });
    await card.locator("ol li").first().waitFor();
    expect(await faults(page)).toEqual([]);
    await card.getByRole("button", { name: "Legend" }).click();
    const drawer = page.getByRole("region", { name: "Legend" });
    await drawer.locator(".ground").first().waitFor();
    const box = (await drawer.boundingBox())!;
    expect([box.x, box.width]).toEqual([0, 390]);
    expect(await faults(page)).toEqual([]);
    visitor.calm();
    await visitor.leave();
  });
});
