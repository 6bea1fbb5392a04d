/** A newcomer takes a lesson: follows the page, leaves, comes back, does something else, and finishes. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { follow } from "./support/learn";
import { faults, launch, Visitor } from "./support/stage";

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
  learner.calm();
  await learner.leave();
});
