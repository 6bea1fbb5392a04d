/** The panel of the decision: what covers it, and the keys that work in it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TableState } from "../../src/lib/api/types";
import { idle, seated } from "../support/hands";
import { until } from "../support/play";
import { launch, Visitor } from "../support/stage";
import { english } from "../../src/lib/i18n/said";

const moving = (state: TableState): boolean =>
  state.prompt.phase === "movement" && state.actions.some(({ action }) => action.do === "group");

describe("the panel", () => {
  let browser: Browser;
  let player: Visitor;
  let page: Page;
  let id = "";

  beforeAll(async () => {
    browser = await launch();
    player = await Visitor.enter(browser);
    ({ page } = player);
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    await page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
    ({ id } = await until(player, moving));
    await player.open(`#/game/${id}`);
    await page.reload();
    await seated(page);
    await page.waitForLoadState("networkidle");
  });
  afterAll(() => browser.close());

  it("lies wholly under the open rulebook", async () => {
    const button = page.locator(".acts .main");
    const box = (await button.boundingBox())!;
    await page.locator(".bar").getByRole("button", { name: "Rulebook" }).click();
    await page.getByRole("searchbox").waitFor();
    const over = (): Promise<boolean> =>
      page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest(".drawer") !== null, [
        box.x + box.width / 2,
        box.y + box.height / 2,
      ] as const);
    await expect.poll(over).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(over).toBe(false);
  });

  it("moves in a group of alternatives with the arrows, one stop for Tab", async () => {
    const group = page.getByRole("radiogroup").first();
    const [first, second] = [group.getByRole("radio").nth(0), group.getByRole("radio").nth(1)];
    await first.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => second.getAttribute("aria-checked")).toBe("true");
    expect(await second.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await first.getAttribute("tabindex")).toBe("-1");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => first.getAttribute("aria-checked")).toBe("true");
    expect(await page.locator(".cursor").count()).toBe(0); // and nobody walks on the map meanwhile
  });

  it("promises Enter only where Enter does it", async () => {
    const promise = page.locator(".acts .main kbd");
    expect(await promise.count()).toBe(1);
    await page.keyboard.press("n"); // the keys are on the map now
    await expect.poll(() => promise.count()).toBe(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => promise.count()).toBe(1);
  });

  it("keeps the keyboard after an action, and Enter and digits choose", async () => {
    const twoWays = ({ prompt, actions }: TableState): boolean =>
      english(prompt.title).endsWith("?") && actions.length === 2;
    const question = await until(player, twoWays);
    await player.open();
    await player.open(`#/game/${question.id}`);
    await seated(page);
    const curtain = page.getByRole("button", { name: /I play/ });
    const rows = page.locator(".decision .rows button");
    await expect.poll(async () => (await curtain.count()) + (await rows.count())).toBeGreaterThan(0);
    if (await curtain.count()) await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(2);
    const steps = await page.locator("span.step.num").textContent();
    await rows.first().focus();
    await page.keyboard.press("1");
    // What may lead to dice is weighed first; Enter takes it then.
    const weighed = page.locator(".decision .acts").getByRole("button", { name: /^Back/ });
    await expect
      .poll(async () => (await weighed.count()) || (await page.locator("span.step.num").textContent()) !== steps)
      .toBeTruthy();
    if (await weighed.count()) await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("span.step.num").textContent()).not.toBe(steps);
    await idle(page);
    // In the next decision, or at the button of whoever sits down now.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
    player.calm();
  });
});
