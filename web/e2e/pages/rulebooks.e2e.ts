/** Rulebooks: searched in both languages, opened by a rule's number, and printed with every diagram on white paper. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seated } from "../support/hands";
import { SEATS } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it.each([
  ["en", "minefield", /^\d+ rules found$/],
  ["ja", "地雷原", /^\d+件のルール$/],
] as const)("are searched, and lead to what was found: %s", async (language, word, counted) => {
  const reader = await Visitor.enter(browser, { language });
  const { page } = reader;
  await reader.open("#/rules/rommel");
  await page.locator("[data-rule]").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(word);
  await page.locator(".hit mark").first().waitFor();
  expect((await page.locator(".book [role=status]").textContent())?.trim()).toMatch(counted);
  expect((await page.locator(".hit mark").first().textContent())?.toLowerCase()).toBe(word);
  expect(await faults(page)).toEqual([]);
  const id = (await page.locator(".hit .chip").first().textContent()) ?? "";
  await page.keyboard.press("Enter");
  await page.locator(`.rule.target[data-rule="${id}"]`).waitFor();
  expect(page.url()).toContain(`#/rules/rommel/${id}`);
  reader.calm();
  await reader.leave();
});

it("are opened anew by the address of another: nothing is sought or marked there that was in this one", async () => {
  const reader = await Visitor.enter(browser);
  const { page } = reader;
  await reader.open("#/rules/rommel");
  await page.locator("[data-rule]").first().waitFor();
  const field = page.locator("main .book input[type=search]");
  await field.fill("supply");
  await page.locator(".hit mark").first().waitFor();
  await page.evaluate(() => (location.hash = "#/rules/caucasus"));
  await page.locator("[data-rule]").first().waitFor();
  expect(await field.inputValue()).toBe("");
  expect(await page.locator(".hit, .rule.target").count()).toBe(0);
  reader.calm();
  await reader.leave();
});

it("lie open at the rule whose number was pressed at the table", async () => {
  const player = await Visitor.enter(browser);
  const { page } = player;
  await player.open();
  await player.ask("POST", "/api/account/guest", { name: "Jonas" });
  const wish = { game: "rommel", scenario: "crusader", seats: SEATS };
  const { id } = await player.ask<{ id: string }>("POST", "/api/games", wish);
  await player.open(`#/game/${id}`);
  await seated(page);
  const chip = page.locator("section.decision button.chip").first();
  const rule = (await chip.textContent())?.trim() ?? "";
  expect(rule).toMatch(/^\d/);
  await chip.click();
  await page.locator(`.rule.target[data-rule="${rule}"]`).waitFor();
  player.calm();
  await player.leave();
});

it("are printed whole, on white, no example torn from its diagram", async () => {
  const reader = await Visitor.enter(browser, { theme: "dark" });
  const { page, context } = reader;
  await context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", "");
  });
  await reader.open("#/rules/asl");
  await page.locator("[data-rule]").first().waitFor();
  await page.locator("button.print").click();
  await page.locator("[data-printed]").waitFor({ state: "attached" });
  expect(await page.locator("figure[data-diagram]").count()).toBeGreaterThan(50);
  expect(await page.locator("figure.wait").count()).toBe(0);
  await page.emulateMedia({ media: "print" });
  const paper = await page.evaluate(() => {
    const light = (colour: string): number => Math.min(...(colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
    const dark = [...document.querySelectorAll(".rule p")].filter((one) => light(getComputedStyle(one).color) > 120);
    const torn = [...document.querySelectorAll("li:has(figure)")].filter(
      (one) => getComputedStyle(one).breakInside !== "avoid",
    );
    return { pale: dark.length, torn: torn.length, theme: document.documentElement.getAttribute("data-theme") };
  });
  expect(paper).toEqual({ pale: 0, torn: 0, theme: null });
  reader.calm();
  await reader.leave();
});
