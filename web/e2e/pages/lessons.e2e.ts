/** A newcomer takes a lesson: follows the page, leaves, comes back, does something else, and finishes. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { follow } from "../support/learn";
import { faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it("finishes a lesson by what the page says", { timeout: 240_000 }, async () => {
  const learner = await Visitor.enter(browser);
  await learner.open();
  const { page } = learner;
  await page.locator('[data-lesson="rommel"]').click();
  await learner.gameId();
  let looked = false;
  const steps = await follow(page, async (step) => {
    if (looked || !/^Step 3/.test(step)) return;
    looked = true;
    expect(await faults(page)).toEqual([]);
    // Left, and taken up where it was.
    await page.getByRole("link", { name: "Leave" }).click();
    await page.locator('[data-lesson="rommel"]', { hasText: "step 3 of 10" }).click();
    await expect.poll(() => page.locator(".coach .count").textContent()).toBe("Step 3 of 10");
    // Something else is allowed, answered, and taken back.
    await page.getByRole("button", { name: /^End movement/ }).click();
    await page.locator(".coach .answer").first().waitFor();
    expect(await page.locator(".coach .answer").first().textContent()).toMatch(/before the attack/);
    const before = page.url();
    await page
      .locator(".coach")
      .getByRole("button", { name: /Take back|Start the step again/ })
      .first()
      .click();
    await expect.poll(() => page.locator(".coach .answer").count()).toBe(0);
    expect(before).toContain("#/game/");
  });
  expect(steps.length).toBe(10);
  expect(await page.locator(".coach").textContent()).toContain("The lesson is done");
  expect(await faults(page)).toEqual([]);
  // On to a battle of one's own: what it is about is told without being asked for, and what to do when it is asked for.
  await page.locator(".coach [data-battle]").click();
  await page.locator("dialog .brief").waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("button", { name: "To the table" }).click();
  await page.locator("[data-hint]").click();
  const follows = page.getByRole("button", { name: "Do that" });
  await follows.waitFor();
  await expect
    .poll(() =>
      follows.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === button;
      }),
    )
    .toBe(true);
  learner.calm();
  await learner.leave();
});

/** How much of the first ring on the map something lies over: 1 if its middle cannot be pressed. */
const hidden = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const ring = document.querySelector("[data-coached-hex] circle:first-child");
    if (!ring) return 0;
    const { x, y, width, height } = ring.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".map") ? 0 : 1;
  });

it.each([
  ["kasserine", "ja", 12],
  ["asl", "en", 10],
] as const)(
  "finishes a lesson with a finger, where stacks open over their neighbours: %s",
  { timeout: 240_000 },
  async (game, language, many) => {
    const learner = await Visitor.enter(browser, { width: 390, height: 844, language });
    await learner.open();
    const { page } = learner;
    await page.locator(`[data-lesson="${game}"]`).click();
    await learner.gameId();
    let thrown = 0;
    const steps = await follow(page, async (step) => {
      // Where something is to be done it is seen: neither the sheet nor the dice of a moment ago lie over it.
      await expect.poll(() => hidden(page), { message: step }).toBe(0);
      const tray = await page.locator(".tray").evaluateAll((found) => found.map((one) => one.clientHeight));
      thrown += tray.length;
      for (const height of tray) expect(height, step).toBeLessThan(90);
      if (step.startsWith(language === "en" ? `Step ${many}` : `ステップ ${many}`))
        expect(await faults(page)).toEqual([]);
    });
    expect(steps.length).toBe(many);
    expect(thrown).toBeGreaterThan(0);
    learner.calm();
    await learner.leave();
  },
);

/** Every lesson in both languages on desk and phone: for whoever wants to look at all of them (SANDTABLE_LESSONS=all). */
const ALL = process.env["SANDTABLE_LESSONS"] === "all" ? ["rommel", "caucasus", "na41", "kasserine", "asl"] : [];
const SCREENS = [
  ["desktop", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const;

for (const game of ALL)
  for (const language of ["en", "ja"] as const)
    for (const [name, size] of SCREENS)
      it(`finishes the lesson of ${game}, ${language}, ${name}`, { timeout: 240_000 }, async () => {
        const learner = await Visitor.enter(browser, { ...size, language });
        await learner.open();
        const { page } = learner;
        await page.locator(`[data-lesson="${game}"]`).click();
        await learner.gameId();
        let shot = 0;
        const shoot = async (): Promise<void> => {
          await page.waitForTimeout(400);
          const file = `lesson-${game}-${language}-${name}-${String(++shot).padStart(2, "0")}.png`;
          await page.screenshot({ path: join(inject("shots"), file) });
        };
        const began = Date.now();
        const steps = await follow(page, shoot);
        await shoot();
        expect(steps.length).toBeGreaterThan(4);
        expect(Date.now() - began).toBeLessThan(240_000);
        learner.calm();
        await learner.leave();
      });
